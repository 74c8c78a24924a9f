import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Consumer, createConsumer, readmeExamples } from './support/consumer.ts';
import { createFolder } from './support/temp-folder.ts';

const folder = createFolder(afterAll);
const examples = readmeExamples();
let consumer: Consumer;
let complaints = '';

beforeAll(async () => {
  consumer = await createConsumer(folder);
  // All at once: the compiler takes longer than everything else here.
  const files = examples.map(([code], index) => [`readme-${index}.ts`, code]);
  complaints = await consumer.compile({ ...Object.fromEntries(files), 'own.ts': ownProgram });
});

describe('a project that installs the package', () => {
  it('type-checks', () => {
    expect(complaints).toBe('');
  });

  it('runs the library example of the README', async () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const [index, [, shown]] of examples.entries()) {
      const ended = await consumer.node(`readme-${index}.js`);
      expect(ended).toMatchObject({ exitCode: 0, stdout: shown, stderr: '' });
    }
  });

  it('runs a program of its own', async () => {
    const ended = await consumer.node('own.js');
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(ended.stdout).toBe('completed 3\nfalse UNSAFE_FLAG_MISSING\nROOT_INVALID\nARGUMENT_INVALID\nlimited time\n');
  });

  it('has the command', async () => {
    expect(await consumer.command('run', '-e', 'return 6 * 7')).toMatchObject({ exitCode: 0, stdout: '42\n' });
  });

  it('can import the package and its manifest, and nothing inside', async () => {
    folder.write(
      'app/inside.js',
      "await import('porthole/package.json', { with: { type: 'json' } }); await import('porthole/dist/worker.cjs');",
    );
    expect((await consumer.node('inside.js')).stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

describe('a process that uses the library', () => {
  it('ends by itself, although its runtime was never closed', async () => {
    folder.write(
      'app/open.js',
      `import { createRuntime } from 'porthole';
       const runtime = await createRuntime({ root: '.', mode: 'unsafe', workers: 2 });
       const outcomes = await Promise.all([1, 2, 3].map((input) => runtime.run({ source: 'return input_data', input })));
       await runtime.run({ source: 'while (true) {}', limits: { timeMs: 200 } });
       console.log(outcomes.map(({ value }) => value).join());`,
    );
    expect(await consumer.node('open.js')).toMatchObject({ exitCode: 0, stdout: '1,2,3\n' });
  });

  it('is kept alive by a run that is not done', async () => {
    folder.write(
      'app/busy.js',
      `import { createRuntime } from 'porthole';
       const runtime = await createRuntime();
       runtime.run({ source: 'while (true) {}', limits: { timeMs: 300 } }).then(({ status }) => console.log(status));`,
    );
    expect(await consumer.node('busy.js')).toMatchObject({ exitCode: 0, stdout: 'limited\n' });
  });

  it('shows its own time zone to no program', async () => {
    folder.write(
      'app/zone.js',
      `import { createRuntime } from 'porthole';
       const runtime = await createRuntime();
       const { value } = await runtime.run({ source: 'return new Date(2030, 0, 1).toISOString()' });
       console.log(new Date(2030, 0, 1).toISOString() === value, value);`,
    );
    const ended = await consumer.node('zone.js', { TZ: 'America/New_York' });
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'false 2030-01-01T00:00:00.000Z\n' });
  });

  it('is told at once, and not by a timeout, when the sandbox cannot start', async () => {
    folder.write(
      'app/broken.js',
      `import { cpSync, rmSync, writeFileSync } from 'node:fs';
       cpSync('node_modules/porthole/dist', 'broken', { recursive: true });
       writeFileSync('broken/worker.cjs', 'throw new Error("no worker today")');
       const { createRuntime } = await import('./broken/index.js');
       const runtime = await createRuntime();
       try { await runtime.run({ source: 'return 1', limits: { timeMs: 3600000 } }); }
       catch ({ code, message }) { console.log(code, message.includes('no worker today')); }`,
    );
    expect(await consumer.node('broken.js')).toMatchObject({ exitCode: 0, stdout: 'RUNTIME_UNAVAILABLE true\n' });
  });
});

// Uses each part of the surface once, with its types.
const ownProgram = `
import { createRuntime, isPortholeError, type RunOutcome, type Runtime, type ToolAnswer } from 'porthole';

async function main(): Promise<void> {
  await using runtime: Runtime = await createRuntime({ root: '.', mode: 'unsafe', limits: { timeMs: 20_000 } });
  const outcome: RunOutcome = await runtime.run({
    source: 'return write_file("made.txt", input_data.text)',
    input: { text: 'abc' },
    context: { _unsafe_mode: true },
  });
  console.log(outcome.status, outcome.status === 'completed' ? outcome.value : '');
  const answer: ToolAnswer = await runtime.callTool('file_write', { path: 'made.txt', content: '' });
  console.log(answer.ok, answer.ok ? '' : answer.error.code);
  await createRuntime({ root: 'none' }).catch((error: unknown) => {
    console.log(isPortholeError(error, 'ROOT_INVALID') ? error.code : error);
  });
  // @ts-expect-error there is no such option, and the compiler says so
  await createRuntime({ rot: '.' }).catch((error: unknown) => console.log(isPortholeError(error) && error.code));
  const signal = AbortSignal.timeout(60_000);
  const late = await runtime.run({ source: 'while (true) {}', limits: { timeMs: 200 }, signal });
  switch (late.status) {
    case 'limited':
      return console.log(late.status, late.limit);
    case 'completed':
    case 'failed':
    case 'denied':
    case 'aborted':
    case 'crashed':
      return console.log(late.runId);
  }
}

await main();
`;
