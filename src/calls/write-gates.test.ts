import { describe, expect, it } from 'vitest';
import { parseRootPath } from '../fs/path-rules.ts';
import { refuseWithoutGates } from './write-gates.ts';

const path = parseRootPath('a.txt', 'write', { spellings: [] });

function gate(context: object, mode: 'safe' | 'unsafe' = 'unsafe'): () => void {
  return () => refuseWithoutGates({ mode, context: context as Readonly<Record<string, unknown>> }, path); // also what it should not be
}

describe('refuseWithoutGates()', () => {
  it('admits unsafe mode with the flag', () => {
    expect(gate({ _unsafe_mode: true })).not.toThrow();
  });

  it('refuses safe mode first, flag or not', () => {
    for (const context of [{}, { _unsafe_mode: true }]) {
      expect(gate(context, 'safe')).toThrowError(expect.objectContaining({ code: 'MODE_SAFE', path: 'a.txt' }));
    }
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
    expect(gate(context)).toThrowError(expect.objectContaining({ code: 'UNSAFE_FLAG_MISSING', path: 'a.txt' }));
  });
});
