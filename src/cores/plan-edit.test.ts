import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dominantEnding, eachLine } from '../text/byte-lines.ts';
import { anyFile, anyLine, anyText, atLeast, encode, toByteString } from '../text/testing/random-files.ts';
import { digest, editInMemory } from './testing/edit-in-memory.ts';

const replace = (edit: Readonly<Record<string, unknown>>, file: Uint8Array) =>
  editInMemory({ mode: 'replace', ...edit }, file);

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
}

function isSame(one: Uint8Array | null, other: Uint8Array): boolean {
  return Buffer.from(one ?? []).equals(other);
}

function isUtf8(bytes: Uint8Array): boolean {
  return Buffer.from(decodeLoosely(bytes)).equals(bytes);
}

function decodeLoosely(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

describe('an edit of a random file', () => {
  it('by line changes no byte outside the line, and a second edit restores the file', () => {
    let edited = 0;
    fc.assert(
      fc.property(anyFile, fc.nat(), anyLine, (file, pick, content) => {
        const lines = [...eachLine(file)];
        const number = 1 + (pick % (lines.length + 1));
        const line = lines[number - 1];
        const edit = replace({ line: number, content }, file);
        if (line === undefined) {
          expect(edit.code).toBe('LINE_PAST_END');
          return;
        }
        const head = toByteString(file.subarray(0, line.start));
        const tail = toByteString(file.subarray(line.textEnd));
        if (edit.code === 'EDIT_GUARD') {
          // Only where the text between a lone CR and an LF is gone.
          expect(`${head}|${tail}`).toMatch(/\r\|\n/);
          return;
        }
        if (edit.code === 'NO_CHANGE') return;
        const after = edit.bytes ?? new Uint8Array();
        const text = toByteString(after);
        expect([edit.code, text.startsWith(head), text.endsWith(tail)]).toEqual([undefined, true, true]);
        edited++;
        const old = file.subarray(line.start, line.textEnd);
        // A file with its last open line emptied has one line fewer: no number names that place any more.
        if (!isUtf8(old) || after.length === line.start) return;
        const now = text.slice(head.length, after.length - tail.length);
        // Indentation is kept by rule, so a line that had none comes back only if this one has none either.
        if (/^[ \t]/.test(now) && old.length > 0 && !/^[ \t]/.test(toByteString(old))) return;
        const oldText = decode(old);
        const restored = replace(
          { line: number, content: number === 1 && line.start === 3 ? `\ufeff${oldText}` : oldText },
          after,
        );
        expect(isSame(restored.bytes, file)).toBe(true);
      }),
      atLeast(5000),
    );
    expect(edited).toBeGreaterThan(2000);
  }, 120_000);

  it('by text replaces what occurs once, in the ending of the file, and a second edit restores the file', () => {
    let edited = 0;
    fc.assert(
      fc.property(anyFile, fc.tuple(fc.nat(), fc.nat()), anyText, (file, [from, size], content) => {
        const start = from % (file.length + 1);
        const find = decodeLoosely(file.slice(start, start + 1 + (size % 10)));
        if (find === '') return;
        // One unit is one byte or one whole ending: so no match begins or ends inside a CRLF.
        const units = toByteString(file).match(/\r\n|./gs) ?? [];
        const simple = (text: string) => text.replaceAll(/\r\n|\r/g, '\n');
        const whole = simple(units.join(''));
        const wanted = simple(toByteString(encode(find)));
        const first = whole.indexOf(wanted);
        const edit = replace({ find, content }, file);
        if (first === -1 || first !== whole.lastIndexOf(wanted)) {
          expect(edit.code).toBe(first === -1 ? 'FIND_NOT_FOUND' : 'FIND_NOT_UNIQUE');
          return;
        }
        const found = units.slice(first, first + wanted.length).join('');
        const written = toByteString(encode(content.replaceAll(/\r\n|\r|\n/g, dominantEnding(file))));
        const expected = units.slice(0, first).join('') + written + units.slice(first + wanted.length).join('');
        if (expected === toByteString(file)) {
          expect(edit.code).toBe('NO_CHANGE');
          return;
        }
        const breaks = (text: string) => simple(text).split('\n').length - 1;
        const isJoined = breaks(expected) !== breaks(toByteString(file)) - breaks(found) + breaks(written);
        expect(edit.code).toBe(isJoined ? 'EDIT_GUARD' : undefined);
        if (isJoined) return;
        const after = edit.bytes ?? new Uint8Array();
        expect(toByteString(after)).toBe(expected);
        edited++;
        // Back: only where the new text occurs once, and endings of one kind make breaks come back as they were.
        const back = replace({ find: content, content: find }, after);
        const isUniform = !found.replaceAll(dominantEnding(after), '').match(/[\r\n]/);
        if (back.code === undefined && isUniform) expect(isSame(back.bytes, file)).toBe(true);
      }),
      atLeast(5000),
    );
    expect(edited).toBeGreaterThan(1000);
  }, 120_000);

  it('as a list is what the edits are one by one from the end of the file', () => {
    fc.assert(
      fc.property(
        anyFile,
        fc.uniqueArray(fc.nat({ max: 12 }), { minLength: 1, maxLength: 4 }),
        anyLine,
        (file, picks, content) => {
          const count = [...eachLine(file)].length;
          const edits = picks
            .filter((pick) => pick < count)
            .map((pick) => ({ line: pick + 1, content: `${content}${pick}` }));
          if (edits.length === 0) return;
          const together = replace({ edits }, file);
          let one = file;
          for (const edit of edits.toSorted((a, b) => b.line - a.line)) one = replace(edit, one).bytes ?? one;
          expect(isSame(together.bytes, one)).toBe(true);
        },
      ),
      atLeast(2000),
    );
  });
});

describe('planEdit()', () => {
  it('tells that a text is nowhere in hardly more time than looking for it takes', () => {
    const file = encode('const value = compute(alpha, beta);\n'.repeat(29_000));
    const find = 'const value = compute(alpha, gamma);';
    const fastest = (action: () => void) =>
      Math.min(
        ...Array.from({ length: 15 }, () => {
          const started = performance.now();
          action();
          return performance.now() - started;
        }),
      );
    const search = fastest(() => Buffer.from(file.buffer).indexOf(find));
    const edit = fastest(() => replace({ find, content: '' }, file));
    expect(edit).toBeLessThan(5 * search + 5);
  });

  it('appends and writes exactly, whatever stands there', () => {
    const binary = Uint8Array.from([0, 0xff, 0xfe, 13]);
    expect(editInMemory({ mode: 'append', content: '\0\r\né' }, binary).bytes).toEqual(
      Uint8Array.from([0, 0xff, 0xfe, 13, 0, 13, 10, 0xc3, 0xa9]),
    );
    expect(editInMemory({ mode: 'write', content: '\ufeffa' }, binary).bytes).toEqual(encode('\ufeffa'));
    expect(editInMemory({ mode: 'write', content: 'a' }, 'a').text).toBe('wrote f.txt; now 1 byte');
  });

  it('tells facts, digests and the diff', () => {
    const { result } = replace({ line: '1', find: 'b', content: 'B' }, encode('a\n  b\n'));
    expect(result).toEqual({
      path: 'f.txt',
      mode: 'replace',
      dryRun: false,
      created: false,
      bytesBefore: 6,
      bytesAfter: 6,
      digestBefore: digest(encode('a\n  b\n')),
      digestAfter: digest(encode('a\n  B\n')),
      edits: [{ line: 2, movedFrom: 1, found: '"b"', lineAsText: '1', keptIndentation: '  ' }],
      nowReads: [{ firstLine: 2, lastLine: 2, lines: ['"  B"'] }],
      diff: 'diff --git a/f.txt b/f.txt\n--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n a\n-  b\n+  B\n',
    });
  });

  it('writes nothing in a dry run, by the same way', () => {
    const dry = replace({ line: 1, content: 'b', dry_run: true }, encode('a\n'));
    expect(dry.bytes).toEqual(encode('a\n'));
    const { dryRun, ...facts } = replace({ line: 1, content: 'b' }, encode('a\n')).result ?? {};
    expect(dry.result).toEqual({ ...facts, dryRun: !dryRun });
    expect(replace({ line: 1, content: 'a', dry_run: true }, encode('a\n')).code).toBe('NO_CHANGE');
  });

  it('has a one-line diff for binary and large files', () => {
    const large = 'a'.repeat(1024 * 1024 + 1);
    expect(editInMemory({ mode: 'write', content: 'a' }, 'a\0').result?.diff).toBe(
      'binary or large file, 2 bytes -> 1 byte',
    );
    expect(editInMemory({ mode: 'write', content: '\0' }, null).result?.diff).toBe(
      'binary or large file, 0 bytes -> 1 byte',
    );
    expect(editInMemory({ mode: 'append', content: 'b' }, large).result?.diff).toBe(
      'binary or large file, 1048577 bytes -> 1048578 bytes',
    );
  });

  it('shows bytes that are no UTF-8 in the diff', () => {
    const { result } = replace({ line: 1, content: 'é' }, Uint8Array.from([0x63, 0xe9, 10]));
    expect(result?.diff).toContain('-c\\xE9\n+é\n');
  });

  it.each<[string, Readonly<Record<string, unknown>>, Uint8Array | null, string]>([
    [
      'the digest before the content',
      { line: 1, content: 'a', expect: digest(encode('b')) },
      encode('a\0'),
      'CHANGED_SINCE_READ',
    ],
    ['the size first', { line: 1, content: 'a' }, new Uint8Array(1024 * 1024 + 1), 'FILE_TOO_LARGE'],
    ['UTF-16 before NUL', { line: 1, content: 'a\nb' }, Uint8Array.from([0xff, 0xfe, 97, 0]), 'NOT_UTF8'],
    ['UTF-16, big endian', { line: 1, content: 'a' }, Uint8Array.from([0xfe, 0xff, 0, 97]), 'NOT_UTF8'],
    ['UTF-32', { line: 1, content: 'a' }, Uint8Array.from([0, 0, 0xfe, 0xff, 0, 0, 0, 97]), 'NOT_UTF8'],
    ['NUL before the shape of content', { line: 1, content: 'a\nb' }, encode('a\0'), 'FILE_BINARY'],
    ['NUL in content', { line: 9, content: 'a\0\nb' }, encode('a'), 'FILE_BINARY'],
    ['the shape of content before the line', { line: 9, content: 'a\nb' }, encode('a'), 'CONTENT_NOT_ONE_LINE'],
    ['the line before its text', { line: 9, find: 'x', content: 'a' }, encode('a'), 'LINE_PAST_END'],
    ['the text before no change', { line: 1, find: 'x', content: 'a' }, encode('a'), 'LINE_MISMATCH'],
    ['no file', { line: 1, content: 'a' }, null, 'NOT_FOUND'],
    [
      'the first failing edit of a list',
      {
        edits: [
          { line: 1, content: 'b' },
          { line: 1, content: 'c' },
          { find: 'x', content: '' },
        ],
      },
      encode('a'),
      'EDITS_OVERLAP',
    ],
    [
      'the whole list for no change',
      {
        edits: [
          { line: 1, content: 'a' },
          { line: 2, content: 'b' },
        ],
      },
      encode('a\nb\n'),
      'NO_CHANGE',
    ],
  ])('checks %s', (_, edit, file, code) => {
    expect(editInMemory({ mode: 'replace', ...edit }, file).code).toBe(code);
  });

  it('lets a list pass of which one edit changes nothing', () => {
    const edits = [
      { line: 1, content: 'a' },
      { line: 2, content: 'B' },
    ];
    expect(replace({ edits }, encode('a\nb\n')).bytes).toEqual(encode('a\nB\n'));
  });

  it('lets edits touch, and keeps an empty line apart from its ending', () => {
    const edits = [
      { find: 'a\n', content: '1' },
      { line: 2, content: '2' },
      { find: '\nc', content: '3' },
    ];
    expect(replace({ edits }, encode('a\n\nc\n')).bytes).toEqual(encode('123\n'));
  });

  it('bounds what it leaves', () => {
    expect(editInMemory({ mode: 'append', content: 'b' }, new Uint8Array(16 * 1024 * 1024)).code).toBe(
      'FILE_TOO_LARGE',
    );
  });
});
