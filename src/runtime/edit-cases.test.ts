import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bytesOfCase, callsOfCase, layOutCase, readEditCases } from '../cores/testing/edit-cases.ts';
import type { Question } from '../policy/approver.ts';
import type { ToolAnswer } from '../tools/tool.ts';
import { createRuntime } from './create-runtime.ts';
import type { Runtime } from './runtime.ts';

// Every edit is asked about, and somebody says yes once.
const policy = { porthole: 1, mode: 'unsafe', permissions: { ask: ['write(**)'] } } as const;
const context = { _unsafe_mode: true };

let root: string;
let runtime: Runtime;
let questions: Question[];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'porthole-edits-'));
  const approve = (question: Question) => Promise.resolve(questions.push(question) > 0);
  runtime = await createRuntime({ root, mode: 'unsafe', policy, approve });
});

beforeEach(() => {
  for (const name of readdirSync(root)) rmSync(join(root, name));
  questions = [];
});

afterAll(async () => {
  await runtime.close();
  rmSync(root, { recursive: true, force: true });
});

function edit(call: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
  return runtime.callTool('edit_file', { path: 'f.txt', ...call }, { context });
}

describe('every case of cases/edits.json, as a model calls it and a person approves it', () => {
  it.each(readEditCases())('$id: $title', async (row) => {
    const { file, want, says, wantMode } = row;
    layOutCase(root, row);
    const path = join(root, 'f.txt');
    const calls = callsOfCase(root, row);
    const answer = (await Promise.all(calls.map(edit))).at(-1);
    expect(answer?.ok === false ? answer.error.code : undefined).toBe(want.refused);
    expect(answer?.text).toContain(says ?? want.says ?? '');
    const wanted = want.file === 'unchanged' ? (file ?? {}) : (want.file ?? want);
    const bytes = bytesOfCase(wanted);
    if (bytes === undefined) expect(existsSync(path)).toBe(false);
    else expect(readFileSync(path).equals(bytes)).toBe(true);
    if (wantMode !== undefined) expect((statSync(path).mode & 0o777).toString(8)).toBe(wantMode.slice(1));
    if (file?.linkedAs !== undefined) expect(lstatSync(join(root, file.linkedAs)).isSymbolicLink()).toBe(true);
    const wrote = answer?.ok === true && answer.result['dryRun'] !== true;
    expect(questions).toHaveLength(wrote ? calls.length : 0);
  });
});
