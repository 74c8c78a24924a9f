import { describe, expect, it } from 'vitest';
import { reportError } from './output.ts';
import { createFakeWorld } from './testing/fake-world.ts';

describe('reportError()', () => {
  it('calls an unknown error an internal fault, with its stack and without a code', () => {
    const world = createFakeWorld(['run']);
    reportError(world, new TypeError('boom'), 'run');
    expect(world.written.err()).toMatch(
      /^error: internal fault: TypeError: boom\n {4}at .+\n(.*\n)+ {2}This is a bug; please report it\.\n$/,
    );
    const asJson = createFakeWorld(['run', '--json']);
    reportError(asJson, 'thrown', 'run');
    expect(JSON.parse(asJson.written.out())).toEqual({
      ok: false,
      error: { message: 'internal fault: thrown', hint: 'This is a bug; please report it.' },
    });
  });

  it('falls back on the message of an error without a stack', () => {
    const error = new Error('boom');
    Object.defineProperty(error, 'stack', { value: undefined });
    const world = createFakeWorld(['run']);
    reportError(world, error, 'run');
    expect(world.written.err()).toContain('internal fault: boom\n');
  });
});
