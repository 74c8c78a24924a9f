import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../contract/limits.ts';
import { createInstance, type InstanceHost } from './instance.ts';
import type { ProgramMessage } from './messages.ts';
import { engineModule, image } from './testing/sandbox-files.ts';

const MiB = 1024 * 1024;

const quietHost: InstanceHost = {
  stopReason: () => undefined,
  print: () => {},
  consoleRoom: () => 1000,
  callHelper: () => ({ kind: 'stop' }),
};

function message(source: string, more: Partial<ProgramMessage> = {}): ProgramMessage {
  return {
    kind: 'run',
    source,
    file: 'program.js',
    helpers: [],
    input: undefined,
    context: undefined,
    timeMs: 1000,
    memoryBytes: 64 * MiB,
    stackBytes: defaultLimits.stackBytes,
    resultBytes: MiB,
    consoleBytes: 1000,
    seed: 1n,
    now: undefined,
    ...more,
  };
}

function instance(host: Partial<InstanceHost> = {}, ceilings = { memoryBytes: 64 * MiB, resultBytes: MiB }) {
  return createInstance(engineModule, image, { ...quietHost, ...host }, ceilings);
}

describe('an instance', () => {
  it('is reset for the next program, and replaced when its memory grew', () => {
    const one = instance();
    expect(one.run(message('return 1')).memoryBytes).toBe(16 * MiB);
    expect(one.reset()).toBe(true);
    expect(one.run(message('return new Uint8Array(20_000_000).length')).memoryBytes).toBeGreaterThan(20 * MiB);
    expect(one.reset()).toBe(false);
  });

  it('is replaced after a trap, which is reported as what it is', () => {
    const broken = instance({
      print: () => {
        throw new Error('a fault of the host');
      },
    });
    const { end } = broken.run(message('console.log("x"); return 1'));
    expect(end).toEqual({ kind: 'trapped', stack: false, message: 'Error: a fault of the host' });
    expect(broken.reset()).toBe(false);
  });

  it('tells an overflow of the host stack from another trap', () => {
    const overflowing = instance({
      print: () => {
        throw new RangeError('Maximum call stack size exceeded');
      },
    });
    expect(overflowing.run(message('console.log("x")')).end).toMatchObject({ kind: 'trapped', stack: true });
  });

  it('holds programs up to its own memory, and never asks the build for more than it can have', () => {
    const small = instance({}, { memoryBytes: 16 * MiB, resultBytes: MiB });
    expect(small.holds(16 * MiB, MiB)).toBe(true);
    expect(small.holds(17 * MiB, MiB)).toBe(false);
    expect(small.holds(16 * MiB, 2 * MiB)).toBe(false);
    const largest = instance({}, { memoryBytes: 2048 * MiB, resultBytes: 512 * MiB });
    const { end } = largest.run(message('return [1]', { memoryBytes: 2048 * MiB }));
    expect(end).toMatchObject({ kind: 'value' });
    expect(largest.holds(2048 * MiB, 512 * MiB)).toBe(true);
  });

  it('ends a program for the first reason it is given, whatever the program makes of it', () => {
    let asked = 0;
    const stopped = instance({ stopReason: () => (++asked > 3 ? 'stopped' : undefined) });
    const source = 'for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }';
    expect(stopped.run(message(source)).end).toEqual({ kind: 'latched', latch: 'stopped' });
  });

  it('does not resume a program after a helper call that was answered with stop', () => {
    const printed: string[] = [];
    const host = instance({ print: (_, text) => printed.push(text) });
    const source =
      'try { read_file("x") } catch {} console.log("resumed"); for (let i = 0; i < 1e6; i++) {} console.log("ran on")';
    expect(host.run(message(source, { helpers: [0] })).end).toEqual({ kind: 'latched', latch: 'stopped' });
    expect(printed).not.toContain('ran on');
  });

  it('ends at its memory ceiling where the input does not fit', () => {
    const bytes = Buffer.concat([Buffer.from([5, 0, 7, 0x80, 0x80, 0x80, 0x10]), Buffer.alloc(16 * MiB, 0x61)]);
    const host = instance({}, { memoryBytes: 16 * MiB, resultBytes: 1 });
    const { end } = host.run(message('return 1', { memoryBytes: 16 * MiB, input: { bytes, packed: false } }));
    expect(end).toEqual({ kind: 'latched', latch: 'memory' });
  });

  it('calls input that the engine cannot read a fault of its own', () => {
    const { end } = instance().run(message('return 1', { input: { bytes: Uint8Array.of(5, 0, 99), packed: false } }));
    expect(end).toMatchObject({ kind: 'trapped', stack: false });
  });
});
