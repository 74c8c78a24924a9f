import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPortholeError } from '../contract/errors.ts';
import { countLines } from './byte-lines.ts';
import { guardEdits, type NamedEdit } from './edit-guard.ts';
import { brokenBuilders, buildHonestly, type EditTask } from './testing/broken-builders.ts';
import { anyFile, anyLine, atLeast, encode, fromByteString, toByteString } from './testing/random-files.ts';

function isRefused(task: EditTask, after: Uint8Array): boolean {
  try {
    guardEdits(task.file, after, task.edits);
    return false;
  } catch (error) {
    if (isPortholeError(error, 'EDIT_GUARD')) return true;
    throw error;
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

const line = (number: number, content: string): NamedEdit => ({ kind: 'line', line: number, content });
const text = (file: string, find: string, content: string): NamedEdit => ({
  kind: 'text',
  at: encode(file.slice(0, file.indexOf(find))).length,
  find,
  content,
});

const files = [
  'alpha\r\n\tbeta  \r\n“gamma” e\u0301\u2028x\r\n\r\n',
  '\ufeffalpha\n\tbeta \n“gamma” e\u0301\u2028x',
  'alpha\rbeta\r\ngamma\n\n\n',
  'alpha\n    beta\tX\r\n\ta\n\ngamma is a long line, longer than sixty-four bytes altogether\rGamma',
];

const tasks: readonly EditTask[] = [
  ...files.flatMap((file) => [
    { file: encode(file), edits: [line(2, '  delta ')] },
    { file: encode(file), edits: [line(2, '$& $1\n')] },
    { file: encode(file), edits: [line(1, '')] },
    { file: encode(file), edits: [text(file, 'gamma', 'GAMMA ')] },
    { file: encode(file), edits: [text(file, 'beta', '$&$&')] },
    { file: encode(file), edits: [line(2, 'one'), text(file, 'gamma', 'two\nthree')] },
    { file: encode(file), edits: [text(file, 'alpha', 'gamma'), text(file, 'gamma', 'alpha')] },
  ]),
  { file: Uint8Array.from([0x63, 0xe9, 0x0a, 0x62, 0x0a, 0xff]), edits: [line(2, 'B')] },
];

describe('guardEdits()', () => {
  it('lets every honest result pass', () => {
    for (const task of tasks) expect(isRefused(task, buildHonestly(task))).toBe(false);
  });

  it('refuses every result of a broken builder that is not the right one by chance', () => {
    let results = 0;
    const harmless: string[] = [];
    for (const [name, build] of brokenBuilders) {
      const wrong = tasks.map((task) => ({ task, after: build(task) }));
      const different = wrong.filter(({ task, after }) => !isSame(after, buildHonestly(task)));
      if (different.length === 0) harmless.push(name);
      results += different.length;
      for (const { task, after } of different) {
        expect(isRefused(task, after), `${name}: ${JSON.stringify(toByteString(after))}`).toBe(true);
      }
    }
    console.log(`guard: ${brokenBuilders.size} broken builders, all refused, ${results} results`);
    expect(harmless).toEqual([]);
    expect(brokenBuilders.size).toBeGreaterThanOrEqual(20);
  });

  it('refuses a byte too few, too many or another one, anywhere in any file', () => {
    fc.assert(
      fc.property(anyFile, anyLine, fc.nat(), fc.tuple(fc.nat(), fc.nat(255)), (file, content, pick, [place, byte]) => {
        const lines = countLines(file);
        fc.pre(lines > 0);
        const task = { file, edits: [line(1 + (pick % lines), content)] };
        const honest = toByteString(buildHonestly(task));
        fc.pre(!isRefused(task, fromByteString(honest)));
        const at = place % (honest.length + 1);
        const other = String.fromCharCode(byte);
        const spoilt = [
          honest.slice(0, at) + honest.slice(at + 1),
          honest.slice(0, at) + other + honest.slice(at),
          honest.slice(0, at) + other + honest.slice(at + 1),
        ];
        for (const after of spoilt) if (after !== honest) expect(isRefused(task, fromByteString(after))).toBe(true);
      }),
      atLeast(1500),
    );
  });

  it('counts line breaks in its refusal', () => {
    const broken = () => guardEdits(encode('a\nb\nc\n'), encode('x'), [line(1, 'x')]);
    expect(broken).toThrow(
      'edit at line 1 refused: the file would have 0 line breaks, not 3, more than the edit names; nothing changed',
    );
    expect(() => guardEdits(encode('a\n'), encode('x\n\n'), [line(1, 'x')])).toThrow('have 2 line breaks, not 1,');
    expect(() => guardEdits(encode('a\nb\n'), encode('x\n'), [line(2, 'x')])).toThrow('have 1 line break, not 2,');
  });

  it.each<[string, string, readonly NamedEdit[], string]>([
    ['a line that is not there', 'a\n', [line(2, 'x')], 'no such line'],
    ['several lines for one', 'a\n', [line(1, 'x\ny')], 'more than one line'],
    ['a text that stands elsewhere', 'ab\n', [{ kind: 'text', at: 1, find: 'a', content: 'x' }], 'does not stand'],
    ['half a CRLF at the start', 'a\r\n', [{ kind: 'text', at: 2, find: '\n', content: 'x' }], 'does not stand'],
    ['two claims on one byte', 'abc\n', [text('abc', 'ab', 'x'), text('abc', 'bc', 'y')], 'claim the same bytes'],
    ['another ending of the touched line', 'a\r\n', [line(1, 'x')], 'outside the edit'],
  ])('refuses %s', (_, file, edits, reason) => {
    expect(() => guardEdits(encode(file), encode('x\n'), edits)).toThrow(reason);
  });
});
