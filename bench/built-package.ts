import { fileURLToPath } from 'node:url';
import type { RunOptions, Runtime, RuntimeOptions } from '../src/index.ts';

const entry = new URL('../dist/index.js', import.meta.url);

/** The built command. */
export const commandPath = fileURLToPath(new URL('../dist/cli.cjs', import.meta.url));

/** The built package, as its users load it. */
export async function importPackage(): Promise<typeof import('../src/index.ts')> {
  return (await import(entry.href)) as typeof import('../src/index.ts'); // built from that file
}

/** A runtime of the built package. */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  return (await importPackage()).createRuntime(options);
}

/** The value a program returned; anything but a completed run is an error of the benchmark. */
export async function resultOf(runtime: Runtime, program: string | RunOptions): Promise<unknown> {
  const outcome = await runtime.run(typeof program === 'string' ? { source: program } : program);
  if (outcome.status === 'completed') return outcome.value;
  throw new Error(`the program ended ${outcome.status}: ${JSON.stringify(outcome).slice(0, 600)}`);
}
