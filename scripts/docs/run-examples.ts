import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type Example, findCommentExamples, findExamples, matchesShown } from './examples.ts';
import { listPages } from './markdown.ts';

const project = resolve('.');
// Generous: an example that takes longer than this is no example.
const timeoutMs = 60_000;

runAll();

/** Runs every example of README.md, docs/ and the documentation comments, each page in a directory of its own. */
function runAll(): void {
  const pages = listPages().filter((path) => path === 'README.md' || path.startsWith('docs/'));
  let count = 0;
  const problems: string[] = [];
  for (const path of pages) {
    const { examples, unmarked } = findExamples(path, readFileSync(path, 'utf8'));
    problems.push(...unmarked.map((place) => `${place}: say "run" or "not run: reason" in a comment above`));
    problems.push(...runInOnePlace(examples));
    count += examples.length;
  }
  for (const path of listSources()) {
    const examples = findCommentExamples(path, readFileSync(path, 'utf8'));
    problems.push(...runInOnePlace(examples));
    count += examples.length;
  }
  for (const problem of problems) console.log(problem);
  console.log(`${count} examples, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}

function listSources(): readonly string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => join('src', path));
}

/** The examples of one page build on each other, so they share a directory; it has what a user's project has. */
function runInOnePlace(examples: readonly Example[]): readonly string[] {
  if (examples.length === 0) return [];
  const place = mkdtempSync(join(tmpdir(), 'porthole-examples-'));
  try {
    writeFileSync(join(place, 'package.json'), '{ "type": "module" }\n');
    mkdirSync(join(place, 'node_modules/.bin'), { recursive: true });
    symlinkSync(project, join(place, 'node_modules/porthole'));
    symlinkSync(join(project, 'dist/cli.cjs'), join(place, 'node_modules/.bin/porthole'));
    if (existsSync('examples')) cpSync('examples', join(place, 'examples'), { recursive: true });
    return examples.flatMap((example, index) => runExample(example, { place, index }));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function runExample(example: Example, { place, index }: { place: string; index: number }): readonly string[] {
  const { status, output } =
    example.language === 'sh' ? runShell(example.text, place) : runTypeScript(example.text, { place, index });
  if (status !== example.exit) return [`${example.place}: exit code ${status}, not ${example.exit}\n${output}`];
  if (example.expected === undefined || matchesShown(output, example.expected)) return [];
  return [
    `${example.place}: it prints something else than shown\n--- shown\n${example.expected}\n--- printed\n${output}`,
  ];
}

function runShell(text: string, place: string): Finished {
  return runProgram('bash', ['-c', `exec 2>&1; set -e\n${text}`], place);
}

function runTypeScript(text: string, { place, index }: { place: string; index: number }): Finished {
  const file = join(place, `example-${index}.ts`);
  writeFileSync(file, text);
  return runProgram(join(project, 'node_modules/.bin/tsx'), [file], place);
}

interface Finished {
  readonly status: number | null;
  readonly output: string;
}

function runProgram(program: string, args: readonly string[], place: string): Finished {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: place,
    encoding: 'utf8',
    timeout: timeoutMs,
    // A state directory of its own: an example must not see, or leave, anything of the person who runs it.
    env: {
      ...process.env,
      PATH: [join(place, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      XDG_STATE_HOME: join(place, '.state'),
      NO_COLOR: '1',
    },
  });
  return { status, output: stdout + stderr + (error === undefined ? '' : error.message) };
}
