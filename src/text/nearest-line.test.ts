import { describe, expect, it } from 'vitest';
import { findNearestLine } from './nearest-line.ts';
import { encode } from './testing/random-files.ts';

describe('findNearestLine()', () => {
  it.each([
    ['blanks', 'x\n\tif (a  ==b)  \n', 'if(a == b)'],
    ['no-break and zero-width blanks', 'x\na\u00a0+\u200bb\n', 'a + b'],
    ['case', 'x\nÉTÉ Straße K\n', 'été sTRAßE \u212a'],
    ['case, also where only the other one occurs', 'x\nABCXYZ\n', 'abcxyz'],
    ['case, also of letters beyond ASCII that become i and k', 'x\n\u0130\u212a\n', 'ik'],
    ['quote style', 'x\nsay(“it’s”)\n', `say("it's")`],
    ['what follows its first line', 'x\na\n', 'A\r\nb'],
    ['an ending before it', 'x\r\na\r', 'A'],
    ['a byte order mark before line 1', '\ufeffx\na\n', 'A'],
  ])('ignores %s', (_, file, find) => {
    expect(findNearestLine(encode(file), encode(find))?.line).toBe(2);
  });

  it('gives the first such line with its text', () => {
    expect(findNearestLine(encode('b\n  A\r\na\n'), encode('a'))).toEqual({ line: 2, text: encode('  A') });
  });

  it.each([
    ['more on the line', 'ab\n', 'a'],
    ['less on the line', 'a\n', 'ab'],
    ['only blanks to look for', ' \n', '  '],
    ['an empty first line to look for', '\n', '\na'],
    ['another letter', 'á\n', 'a'],
  ])('finds nothing for %s', (_, file, find) => {
    expect(findNearestLine(encode(file), encode(find))).toBeUndefined();
  });

  it('finds nothing on bytes that are no UTF-8', () => {
    expect(findNearestLine(Uint8Array.from([0xe9]), encode('é'))).toBeUndefined();
  });
});
