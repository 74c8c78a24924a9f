import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRuntime } from '../runtime/create-runtime.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { WorkflowOptions } from './run-workflow.ts';
import { parseAgentFile, runWorkflow } from './surface.ts';
import type { WorkflowOutcome } from './workflow-outcome.ts';

// Reads one file with a tool, changes it in code, writes it with a tool, and makes a second one with a helper.
const fix = `
porthole: 1
agents:
  load: { type: tool, tool: file_read, with: { path: src/a.txt } }
  fix: { type: tool, code: 'write_file("src/new.txt", String(list_files().length)); return input_data.toUpperCase()' }
  save: { type: tool, tool: file_write, with: { path: src/a.txt } }
bridges: [{ from: load, to: fix }, { from: fix, to: save }]
start: load
`;

let base: string;
let runtime: Runtime | undefined;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'porthole-staged-workflow-'));
  mkdirSync(join(base, 'src'));
  writeFileSync(join(base, 'src/a.txt'), 'one\n');
});

afterEach(async () => {
  await runtime?.close();
  runtime = undefined;
  rmSync(base, { recursive: true, force: true });
});

async function run(text: string, options: WorkflowOptions = {}): Promise<WorkflowOutcome> {
  runtime ??= await createRuntime({ mode: 'staged', workers: 1 });
  return runWorkflow(runtime, await parseAgentFile(text, 'fix.yaml'), options);
}

const onDisk = (name: string) => readFileSync(join(base, name), 'utf8');

describe('an agent file in staged mode', () => {
  it('has tools and helpers act on one tree, and nothing on the host', async () => {
    const outcome = await run(fix, { staged: { copyRw: [join(base, 'src')] } });
    expect(outcome).toMatchObject({ status: 'completed', mode: 'staged' });
    expect(outcome.changes).toMatchObject([
      { kind: 'modify', path: 'src/a.txt' },
      { kind: 'create', path: 'src/new.txt' },
    ]);
    expect(onDisk('src/a.txt')).toBe('one\n');
  });

  it('is written back once, after all of it has completed', async () => {
    const outcome = await run(fix, { staged: { copyRw: [join(base, 'src')] } });
    expect(await runtime?.renderDiff(outcome)).toContain('+ONE');
    expect(await runtime?.writeBack(outcome)).toMatchObject({
      files: [{ end: { kind: 'written' } }, { end: { kind: 'written' } }],
    });
    expect([onDisk('src/a.txt'), onDisk('src/new.txt')]).toEqual(['ONE\n', '1']);
  });

  it('writes nothing back where an agent fails behind a write', async () => {
    const broken = fix.replace('return input_data', 'throw input_data');
    const outcome = await run(broken, { staged: { copyRw: [join(base, 'src')] } });
    expect(outcome.status).toBe('failed');
    expect(outcome.changes).toMatchObject([{ kind: 'create', path: 'src/new.txt' }]);
    expect(await runtime?.writeBack(outcome)).toBeNull();
    expect(onDisk('src/a.txt')).toBe('one\n');
  });

  it('starts no agent where an input cannot be copied', async () => {
    await expect(run(fix, { staged: { copy: [join(base, 'missing')] } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('starts no agent where it was ended before', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await run(fix, { staged: { copy: [join(base, 'src')] }, signal })).toMatchObject({
      status: 'aborted',
      agents: { load: { visits: 0 } },
    });
  });

  it('needs a runtime of staged mode', async () => {
    runtime = await createRuntime({ workers: 1 });
    await expect(run(fix, { staged: {} })).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
  });
});
