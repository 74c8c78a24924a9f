import { describe, expect, it } from 'vitest';
import { renderSize } from './render-size.ts';

describe('renderSize()', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1023, '1023 bytes'],
    [1024, '1024 bytes (1 KiB)'],
    [1536, '1536 bytes (1.5 KiB)'],
    [10_000_007, '10000007 bytes (9.5 MiB)'],
    [67_108_864, '67108864 bytes (64 MiB)'],
    [2 ** 31, '2147483648 bytes (2 GiB)'],
    [2 ** 53 - 1, '9007199254740991 bytes (8192 TiB)'],
  ])('shows %d as %s', (bytes, shown) => {
    expect(renderSize(bytes)).toBe(shown);
  });
});
