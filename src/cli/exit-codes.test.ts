import { describe, expect, it } from 'vitest';
import { PortholeError } from '../contract/errors.ts';
import type { ProgramEnd } from '../contract/outcome.ts';
import { exitCodeOfError, exitCodeOfOutcome } from './exit-codes.ts';
import { UsageError } from './usage-error.ts';

describe('exitCodeOfOutcome()', () => {
  it.each<readonly [ProgramEnd, number]>([
    [{ status: 'completed', value: 1 }, 0],
    [{ status: 'denied', decision: 'deny', code: 'MODE_SAFE' }, 3],
    [{ status: 'limited', limit: 'time', ceiling: 1 }, 6],
    [{ status: 'failed', error: { kind: 'thrown', name: 'Error', message: '', stack: '' } }, 7],
    [{ status: 'crashed', error: { message: '' } }, 70],
    [{ status: 'aborted', reason: undefined }, 130],
  ])('is for $status', (end, code) => {
    expect(exitCodeOfOutcome(end)).toBe(code);
  });
});

describe('exitCodeOfError()', () => {
  it.each([
    [new UsageError('x'), 2],
    [new PortholeError('LIMIT_INVALID', 'x'), 2],
    [new PortholeError('ARGUMENT_INVALID', 'x'), 2],
    [new PortholeError('NOT_FOUND', 'x'), 1],
    [new PortholeError('CHANGED_SINCE_READ', 'x'), 5],
    [new PortholeError('RUNTIME_UNAVAILABLE', 'x'), 70],
    [new TypeError('x'), 70],
    ['thrown', 70],
  ])('of %s is %d', (error, code) => {
    expect(exitCodeOfError(error)).toBe(code);
  });
});
