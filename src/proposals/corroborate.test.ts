import { describe, expect, it } from 'vitest';
import { isCorroborated } from './corroborate.ts';

describe('isCorroborated()', () => {
  it.each(['latest', '3', 'v2', 'app:1.2.3', '', 'one.two', 'version 1.2'])('asks for no evidence for %j', (value) => {
    expect(isCorroborated(value, [])).toBe(true);
  });

  it.each([
    'use 1.2.3',
    '1.2.3',
    '1.2.3. Then',
    'ends with 1.2.3.',
    'ends\n1.2.3.\n',
    '"1.2.3"',
    'app:1.2.3,',
    'not 1.2.34 but 1.2.3',
    '(1.2.3)',
    'app@1.2.3 ',
  ])('finds 1.2.3 in %j', (evidence) => {
    expect(isCorroborated('1.2.3', ['nothing', evidence])).toBe(true);
  });

  it.each([
    '',
    'v1.2.3',
    '11.2.3',
    '1.2.34',
    '1.2.3-rc1',
    '1.2.3+build',
    '1.2.3_1',
    '1.2.3.4',
    '1.2.3..',
    '.1.2.3',
    '-1.2.3',
    '1.2.3é',
    '1.2.3𝐚',
    '𝟏1.2.3',
    'e\u03011.2.3',
    '1.2. 3',
  ])('finds no 1.2.3 in %j', (evidence) => {
    expect(isCorroborated('1.2.3', [evidence])).toBe(false);
  });

  it('joins no two texts into one', () => {
    expect(isCorroborated('1.2.3', ['1.2', '.3'])).toBe(false);
  });
});
