import { expect, it } from 'vitest';
import { fromByteString, toByteString } from './byte-string.ts';

it('gives every byte a character of its number, and takes it back', () => {
  const all = Uint8Array.from({ length: 256 }, (_, index) => index);
  const text = toByteString(all);
  expect(Array.from(text, (character) => character.charCodeAt(0))).toEqual([...all]);
  expect([...fromByteString(text)]).toEqual([...all]);
  expect(toByteString(all.subarray(65, 67))).toBe('AB');
});
