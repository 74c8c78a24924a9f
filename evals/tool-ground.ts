import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRuntime } from '../src/runtime/create-runtime.ts';
import type { EvalGround } from './run-evals.ts';

/** A directory of its own, and the tools on it as a model has them in unsafe mode, with the flag that lets it write. */
export async function createToolGround(): Promise<EvalGround & AsyncDisposable> {
  const directory = mkdtempSync(join(tmpdir(), 'evals-'));
  const runtime = await createRuntime({ root: directory, mode: 'unsafe' });
  const context = { _unsafe_mode: true };
  return {
    callTool: async (name, args) => (await runtime.callTool(name, args, { context })).text,
    readFile: (name) => readFileSync(join(directory, name)),
    writeFile: (name, bytes) => writeFileSync(join(directory, name), bytes),
    async [Symbol.asyncDispose]() {
      await runtime.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
