import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Check, type Command, checks } from './checks.ts';
import { type CheckResult, runChecks } from './run-checks.ts';
import { selectChecks } from './select-checks.ts';

const usage = `npm run check                   every check that runs by default
npm run check -- unit features  these, and what they need
npm run check -- --list         what there is`;

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await main();

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { list: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help === true) return console.log(usage);
  if (values.list === true) return console.log(renderList(checks));

  const selected = select(positionals);
  if (selected === undefined) return;
  console.log(`${selected.length} checks: ${selected.map((check) => check.name).join(', ')}`);
  const results = await runChecks(selected, { run: runCommands, report, monotonicMs: () => performance.now() });
  const passed = results.filter((result) => result.status === 'passed').length;
  console.log(`${passed} passed, ${results.length - passed} failed`);
  process.exitCode = passed === results.length ? 0 : 1;
}

function select(names: readonly string[]): readonly Check[] | undefined {
  try {
    return selectChecks(checks, names);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
    return undefined;
  }
}

function renderList(all: readonly Check[]): string {
  const width = Math.max(...all.map((check) => check.name.length));
  const line = ({ name, why, byDefault }: Check) =>
    `${name.padEnd(width)}  ${byDefault === false ? '(on request) ' : ''}${why}`;
  return all.map(line).join('\n');
}

function report({ name, status, seconds, output }: CheckResult): void {
  const verdict = { passed: 'ok', failed: 'FAILED', skipped: 'SKIPPED' }[status];
  console.log(`${verdict.padEnd(8)}${name.padEnd(16)} ${seconds.toFixed(1).padStart(6)} s`);
  if (status !== 'passed') console.log(output.replace(/^/gm, '        ').trimEnd());
}

async function runCommands(check: Check): Promise<{ ok: boolean; output: string }> {
  if (check.folder !== undefined && !existsSync(check.folder)) {
    return { ok: false, output: `${check.folder}/ does not exist: there is nothing to check\n` };
  }
  let output = '';
  for (const command of check.commands) {
    output += `$ ${command.run.join(' ')}\n`;
    const { ok, text } = await runCommand(command);
    output += text;
    if (!ok) return { ok, output };
  }
  return { ok: true, output };
}

function runCommand({ run, env }: Command): Promise<{ ok: boolean; text: string }> {
  const [program, ...args] = run;
  const path = [join(process.cwd(), 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const child = spawn(program, args, {
    env: { ...process.env, PATH: path, NO_COLOR: '1', FORCE_COLOR: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve) => {
    let text = '';
    const collect = (chunk: Buffer) => {
      text += chunk.toString('utf8');
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => resolve({ ok: false, text: `${text}${error.message}\n` }));
    child.on('close', (code) => resolve({ ok: code === 0, text }));
  });
}
