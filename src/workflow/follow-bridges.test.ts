import { describe, expect, it } from 'vitest';
import type { BatchTask } from '../sandbox/messages.ts';
import type { AgentFile, Bridge } from './agent-file.ts';
import { followBridges } from './follow-bridges.ts';
import { parseAgentFile } from './parse-agent-file.ts';

const parse = (bridges: string): AgentFile =>
  parseAgentFile({
    text: `porthole: 1\nagents:\n  a: { type: tool, code: return 1 }\n  b: { type: tool, code: return 1 }\nbridges: [${bridges}]\nstart: a\n`,
    file: 'w.yaml',
    isJson: false,
  });
const plain = '{ from: a, to: b }';
const made = '{ from: a, to: b, transform: { fn: \'"made"\' } }';

// Stands for the sandbox: every expression gives a value of 100 characters.
function createSandbox() {
  const batches: number[] = [];
  const evaluate = (tasks: readonly BatchTask[]) => {
    batches.push(tasks.length);
    const value = 'x'.repeat(100);
    return Promise.resolve({
      ends: tasks.map(() => ({ part: 'transform', end: { status: 'completed', value } }) as const),
    });
  };
  return { batches, evaluate };
}

async function follow(bridges: readonly string[], room: number) {
  const { batches, evaluate } = createSandbox();
  const file = parse(bridges.join(', '));
  const all: readonly Bridge[] = file.bridges;
  const departure = { value: 'abc', bytes: 22, isFull: (more: number) => more > room };
  return { batches, followed: await followBridges(file, all, departure, evaluate) };
}

describe('followBridges()', () => {
  it('counts a value that several ways share once, for the last that waits for it', async () => {
    const { followed } = await follow([plain, plain, made], 1000);
    expect(followed).toMatchObject({ arrivals: [{ bytes: 0 }, { bytes: 22 }, { bytes: 216 }] });
  });

  it('ends where the values that set out take more than they may, long before all of them are made', async () => {
    const { followed, batches } = await follow(Array(1000).fill(made), 216 * 20);
    expect(followed).toMatchObject({
      early: { end: { status: 'limited', limit: 'memory', used: 22 + 216 * 20 }, at: { bridge: 'a → b' } },
    });
    expect(batches).toEqual([16, 16]);
  });
});
