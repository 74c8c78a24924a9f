import { describe, expect, it } from 'vitest';
import type { ProgramEnd, RunOutcome } from '../contract/outcome.ts';
import { printOutcome } from './print-outcome.ts';
import { createFakeWorld } from './testing/fake-world.ts';

function printed(end: ProgramEnd, more: Partial<RunOutcome> = {}): { readonly out: string; readonly err: string } {
  const world = createFakeWorld([]);
  const outcome = {
    ...end,
    runId: '1',
    mode: 'unsafe',
    console: { lines: [], truncated: false },
    warnings: [],
    usage: { wallMs: 0, memoryBytes: 0, helperCalls: 0, bytesRead: 0, bytesWritten: 0 },
    effects: [],
    ...more,
  } as RunOutcome; // an end with its facts
  printOutcome(world, outcome, { program: { source: '', file: 'program.js' }, isJson: false, isQuiet: false });
  return { out: world.written.out(), err: world.written.err() };
}

describe('printOutcome()', () => {
  it('says why a run was denied', () => {
    expect(printed({ status: 'denied', decision: 'the ceiling is safe mode', code: 'MODE_SAFE' })).toEqual({
      out: '',
      err: 'denied: MODE_SAFE: the ceiling is safe mode\n',
    });
  });

  it('shows the stack of a fault of its own, and never as the program’s', () => {
    expect(printed({ status: 'crashed', error: { message: 'boom', stack: 'Error: boom\n    at x' } }).err).toBe(
      'internal fault: Error: boom\n    at x\n',
    );
    expect(printed({ status: 'crashed', error: { message: 'boom' } }).err).toBe('internal fault: boom\n');
  });

  it('lists what was written before an end that is none, a line a file, and no reads', () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const effects = [
      { helper: 'read_file', path: 'in.txt', bytes: 1, digest },
      { helper: 'write_file', path: 'new\u001b.txt', bytes: 2, digest, created: true },
      { helper: 'write_file', path: 'old\nb.txt', bytes: 3, digest, created: false },
      { helper: 'write_file', path: 'new\u001b.txt', bytes: 2048, digest, created: false },
    ];
    expect(printed({ status: 'aborted', reason: undefined }, { effects }).err).toBe(
      'interrupted: the run was ended before it was done\n' +
        'written before the end:\n  new\\u{1b}.txt (new, 2048 bytes (2 KiB))\n  old\\nb.txt (3 bytes)\n',
    );
    expect(printed({ status: 'completed', value: undefined }, { effects })).toEqual({ out: '', err: '' });
  });
});
