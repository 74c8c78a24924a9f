import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bytesOfCase, type CaseFile, readEditCases } from '../cores/testing/edit-cases.ts';
import { digest } from '../cores/testing/edit-in-memory.ts';
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

// Calls as a case describes them: one, several at once, or one after a read and somebody else's write.
async function runCall(call: Readonly<Record<string, unknown>>): Promise<ToolAnswer | undefined> {
  const { concurrently, call: later, then_another_program_appends: appended } = call;
  if (Array.isArray(concurrently)) {
    return (await Promise.all(concurrently.map((one: Readonly<Record<string, unknown>>) => edit(one)))).at(-1);
  }
  if (later === undefined) return edit(call);
  const expectation = digest(readFileSync(join(root, 'f.txt')));
  writeFileSync(join(root, 'f.txt'), String(appended), { flag: 'a' });
  return edit({ ...(later as Record<string, unknown>), expect: expectation }); // an object in the case file
}

function layOut(file: CaseFile | undefined, mode: string | undefined): void {
  if (file === undefined) return;
  const path = join(root, 'f.txt');
  writeFileSync(path, bytesOfCase(file) ?? '');
  if (mode !== undefined) chmodSync(path, Number.parseInt(mode, 8));
  if (file.linkedAs !== undefined) symlinkSync('f.txt', join(root, file.linkedAs));
  if (file.hardLinkedAs !== undefined) linkSync(path, join(root, file.hardLinkedAs));
}

describe('every case of cases/edits.json, as a model calls it and a person approves it', () => {
  it.each(readEditCases())('$id: $title', async ({ file, call, want, says, fileMode, wantMode }) => {
    layOut(file, fileMode);
    const path = join(root, 'f.txt');
    const answer = await runCall(call);
    expect(answer?.ok === false ? answer.error.code : undefined).toBe(want.refused);
    expect(answer?.text).toContain(says ?? want.says ?? '');
    const wanted = want.file === 'unchanged' ? (file ?? {}) : (want.file ?? want);
    const bytes = bytesOfCase(wanted);
    if (bytes === undefined) expect(existsSync(path)).toBe(false);
    else expect(readFileSync(path).equals(bytes)).toBe(true);
    if (wantMode !== undefined) expect((statSync(path).mode & 0o777).toString(8)).toBe(wantMode.slice(1));
    if (file?.linkedAs !== undefined) expect(lstatSync(join(root, file.linkedAs)).isSymbolicLink()).toBe(true);
    const wrote = answer?.ok === true && answer.result['dryRun'] !== true;
    const calls = Array.isArray(call['concurrently']) ? call['concurrently'].length : 1;
    expect(questions).toHaveLength(wrote ? calls : 0);
  });
});
