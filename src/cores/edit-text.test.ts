import { describe, expect, it } from 'vitest';
import { PortholeError } from '../contract/errors.ts';
import { renderEditError } from './edit-text.ts';
import { editInMemory } from './testing/edit-in-memory.ts';

type Row = readonly [call: Readonly<Record<string, unknown>>, before: string | null, text: string];

const results: readonly Row[] = [
  [{ mode: 'write', content: 'x\n' }, null, 'created f.txt; now 2 bytes'],
  [{ mode: 'write', content: 'x' }, 'abc', 'wrote f.txt; now 1 byte'],
  [{ mode: 'append', content: 'b\n' }, 'a\n', 'appended to f.txt; now 4 bytes'],
  [{ mode: 'append', content: 'b\n' }, 'a', 'appended to f.txt (it had no final line break); now 3 bytes'],
  [{ mode: 'append', content: 'b\n' }, 'a\r', 'appended to f.txt; now 4 bytes'],
  [{ mode: 'append', content: 'b\n' }, '', 'appended to f.txt; now 2 bytes'],
  [{ mode: 'append', content: 'b\n' }, '\ufeff', 'appended to f.txt; now 5 bytes'],
  [{ mode: 'append', content: 'b\n' }, null, 'created f.txt; now 2 bytes'],
  [
    { mode: 'replace', line: 3, content: 'opening paragraph' },
    'a\nb\nc\n',
    'replaced at line 3 of f.txt; now 22 bytes; line 3 now: "opening paragraph"',
  ],
  [
    { mode: 'replace', line: 2, content: 'return 10' },
    'def f():\n    return 1\n',
    `replaced at line 2 of f.txt, keeping the line's indentation (4 spaces); now 23 bytes; line 2 now: "    return 10"`,
  ],
  [
    { mode: 'replace', line: 2, find: 'return 1', content: '    return 10' },
    'a\nb\n    return 1\n',
    'line 2 did not contain "return 1"; replaced line 3 of f.txt, the one line that does; now 18 bytes; line 3 now: "    return 10"',
  ],
  [
    { mode: 'replace', line: '2', find: 'return 1', content: 'return 10' },
    'a\nb\n\t  return 1\n',
    'line "2" taken as 2; line 2 did not contain "return 1"; replaced line 3 of f.txt, the one line that does, ' +
      `keeping the line's indentation (1 tab and 2 spaces); now 17 bytes; line 3 now: "\\t  return 10"`,
  ],
  [
    { mode: 'replace', line: '2', content: 'B' },
    'a\nb\n',
    'line "2" taken as 2; replaced at line 2 of f.txt; now 4 bytes; line 2 now: "B"',
  ],
  [
    { mode: 'replace', find: 'x', content: 'a\nb\nc\nd\ne\nf' },
    '1\n2\n3\nx\n',
    'replaced at lines 4-9 of f.txt; now 18 bytes; lines 4-9 now: "a", "b", "c" (and 3 more)',
  ],
  [
    {
      mode: 'replace',
      edits: [
        { line: 7, content: 'b' },
        { find: '1', content: 'a' },
      ],
    },
    '1\n2\n3\n4\n5\n6\n7\n',
    'replaced at lines 1, 7 of f.txt; now 14 bytes; lines 1, 7 now: "a", "b"',
  ],
  [
    { mode: 'replace', line: 3, content: 'C', dry_run: true },
    'a\nb\nc\n',
    'dry run: would have replaced at line 3 of f.txt; now 6 bytes; line 3 now: "C"',
  ],
  [
    { mode: 'replace', line: 1, find: 'c', content: 'C', dry_run: true },
    'a\nb\nc\n',
    'dry run: line 1 did not contain "c"; would have replaced line 3 of f.txt, the one line that does; now 6 bytes; line 3 now: "C"',
  ],
  [{ mode: 'write', content: 'x', dry_run: true }, null, 'dry run: would have created f.txt; now 1 byte'],
  [{ mode: 'write', content: 'x', dry_run: true }, '', 'dry run: would have written f.txt; now 1 byte'],
  [{ mode: 'append', content: 'x', dry_run: true }, '', 'dry run: would have appended to f.txt; now 1 byte'],
  [
    { mode: 'replace', find: 'b\n', content: '' },
    'a\nb\n',
    'replaced at line 2 of f.txt; now 2 bytes; line 2 now: (end of file)',
  ],
  [
    { mode: 'replace', find: 'b\n', content: '' },
    'a\nb\nc\n',
    'replaced at line 2 of f.txt; now 4 bytes; line 2 now: "c"',
  ],
  [
    { mode: 'replace', line: 1, content: '' },
    'a',
    'replaced at line 1 of f.txt; now 0 bytes; line 1 now: (end of file)',
  ],
  [{ mode: 'replace', line: 1, content: '' }, 'a\n', 'replaced at line 1 of f.txt; now 1 byte; line 1 now: ""'],
  [
    { mode: 'replace', find: 'b\n', content: 'B\r\n' },
    'a\r\nb\r\nc\r\n',
    'replaced at line 2 of f.txt; now 9 bytes; line 2 now: "B"',
  ],
  [
    { mode: 'replace', find: '\nb', content: '\nB' },
    'a\nb\nc\n',
    'replaced at lines 1-2 of f.txt; now 6 bytes; lines 1-2 now: "a", "B"',
  ],
  [
    {
      mode: 'replace',
      edits: [
        { line: '1', find: 'two', content: 'TWO' },
        { line: 3, content: 'three' },
        { find: 'four', content: 'x\ny' },
      ],
    },
    'one\n\ttwo\n  3\nfour\n',
    'line "1" taken as 1 (edit 1); line 1 did not contain "two", line 2 is the one line that does (edit 1); ' +
      'replaced at lines 2, 3, 4-5 of f.txt, keeping the indentation of line 2 (1 tab), line 3 (2 spaces); ' +
      'now 21 bytes; lines 2, 3, 4-5 now: "\\tTWO", "  three", "x" (and 1 more)',
  ],
  [
    {
      mode: 'replace',
      edits: [
        { find: 'a', content: 'A' },
        { find: 'b', content: 'B' },
      ],
    },
    'a b\n',
    'replaced at line 1 of f.txt; now 4 bytes; line 1 now: "A B"',
  ],
  [{ path: 'a\nb', mode: 'write', content: '' }, null, 'created a\\u{a}b; now 0 bytes'],
];

const errors: readonly Row[] = [
  [{ mode: 'replace', find: 'zz', content: '' }, 'a\n', 'error: text to replace not found: "zz"'],
  [
    { mode: 'replace', find: 'say "Hi" \nx', content: '' },
    'a\n  SAY\u00a0\u201chi\u201d\nb\n',
    'error: text to replace not found: "say \\"Hi\\" \\nx"; the nearest is line 2: "  SAY\\u{a0}\u201chi\u201d"',
  ],
  [
    { mode: 'replace', find: 'x=1', content: '' },
    '1\n2\nx=1\n4\n5\n6\n7\n8\nx=1\n',
    'error: text to replace occurs 2 times (lines 3, 9), include more surrounding text: "x=1"',
  ],
  [
    { mode: 'replace', find: 'aa', content: '' },
    'aaa\n',
    'error: text to replace occurs 2 times (line 1), include more surrounding text: "aa"',
  ],
  [
    { mode: 'replace', find: 'a', content: '' },
    'a a\n'.repeat(6),
    'error: text to replace occurs 12 times (lines 1, 2, 3, 4, 5, …), include more surrounding text: "a"',
  ],
  [{ mode: 'replace', line: 12, content: '' }, 'a\n'.repeat(9), 'error: no line 12: the file has 9 lines'],
  [{ mode: 'replace', line: 2, content: '' }, 'a', 'error: no line 2: the file has 1 line'],
  [{ mode: 'replace', line: 1, content: '' }, '', 'error: no line 1: the file has 0 lines'],
  [
    { mode: 'replace', line: 3, find: 'x', content: '' },
    'a\nb\n\tc\n',
    'error: line 3 does not contain "x"; it is: "\\tc"',
  ],
  [
    { mode: 'replace', line: 3, find: 'x', content: '' },
    'x\nx\n\tc\n',
    'error: line 3 does not contain "x"; it is: "\\tc"; 2 other lines do (lines 1, 2)',
  ],
  [
    { mode: 'replace', line: 3, find: 'A ', content: '' },
    'a\nb\n\tc\n',
    'error: line 3 does not contain "A "; it is: "\\tc"; the nearest is line 1: "a"',
  ],
  [{ mode: 'replace', line: 3, content: 'a\nb' }, 'a\n', 'error: content for line 3 must be one line; nothing changed'],
  [
    { mode: 'replace', line: 2, content: '' },
    'a\rX\nb\n',
    'error: edit at line 2 refused: the file would have 2 line breaks, not 3, more than the edit names; nothing changed',
  ],
  [
    {
      mode: 'replace',
      edits: [
        { line: 4, content: 'b' },
        { line: 2, content: '' },
        { line: 3, content: '-' },
      ],
    },
    'a\rX\na\nc\n',
    'error: edit at line 2 refused: the file would have 3 line breaks, not 4, more than the edit names; nothing changed (edit 2)',
  ],
  [
    {
      mode: 'replace',
      edits: [
        { find: 'a', content: 'b' },
        { find: 'zz', content: 'b' },
      ],
    },
    'a\n',
    'error: text to replace not found: "zz" (edit 2)',
  ],
  [
    {
      mode: 'replace',
      edits: [
        { line: 1, content: 'b' },
        { line: 1, content: 'c' },
      ],
    },
    'a\n',
    'error: the edit at line 1 overlaps an earlier one of the list; nothing changed (edit 2)',
  ],
  [{ mode: 'replace', line: 1, content: 'a' }, 'a\n', 'error: the file already reads so; nothing changed'],
  [{ mode: 'replace', line: 1, content: 'a' }, null, 'error: "f.txt" does not exist'],
];

describe('renderEditResult()', () => {
  it.each(results)('says what %j did to %j', (call, before, text) => {
    expect(editInMemory(call, before).text).toBe(text);
  });

  it('counts places beyond the first twenty', () => {
    const edits = Array.from({ length: 25 }, (_, index) => ({ line: 2 * index + 1, content: 'x' }));
    const { text } = editInMemory({ mode: 'replace', edits }, 'a\nb\n'.repeat(25));
    expect(text).toContain('replaced at lines 1, 3, 5,');
    expect(text).toContain('37, 39 and 5 more places of f.txt; now 100 bytes');
    expect(text.endsWith('now: "x", "x", "x" (and 22 more)')).toBe(true);
  });
});

describe('renderEditError()', () => {
  it.each(errors)('says why %j was refused on %j', (call, before, text) => {
    expect(editInMemory(call, before).text).toBe(text);
  });

  it('has fixed words for places that are never written', () => {
    const outside = new PortholeError('PATH_OUTSIDE_ROOT', 'whatever');
    expect(renderEditError(outside, '/etc/x')).toBe('error: cannot write /etc/x: outside the writable directories');
    const reason = 'protectedPaths of the policy covers it: docs/**';
    const covered = new PortholeError('PATH_PROTECTED', 'whatever', { details: { reason } });
    expect(renderEditError(covered, 'docs/a.md')).toBe(`error: cannot write docs/a.md: ${reason}`);
  });
});
