import { describe, expect, it } from 'vitest';
import { hasUnsafeFlag } from './unsafe-flag.ts';

describe('hasUnsafeFlag()', () => {
  it('takes an own property that is true', () => {
    expect(hasUnsafeFlag({ _unsafe_mode: true })).toBe(true);
  });

  it.each([
    ['nothing', {}],
    ['"true"', { _unsafe_mode: 'true' }],
    ['1', { _unsafe_mode: 1 }],
    ['a boxed true', { _unsafe_mode: Object(true) }],
    ['false', { _unsafe_mode: false }],
    ['a nested flag', { options: { _unsafe_mode: true } }],
    ['a flag of the prototype', Object.create({ _unsafe_mode: true })],
    [
      'a getter',
      {
        get _unsafe_mode() {
          return true;
        },
      },
    ],
    ['another spelling', { _unsafe_Mode: true, unsafe_mode: true }],
  ])('does not take %s for the flag', (_, context) => {
    expect(hasUnsafeFlag(context)).toBe(false);
  });
});
