import { existsSync } from 'node:fs';

/** One named check: what `npm run check -- <name>` runs, and why it is worth running. */
export interface Check {
  readonly name: string;
  /** The promise that this check keeps. */
  readonly why: string;
  /** Run one after the other; the first that fails ends the check. */
  readonly commands: readonly Command[];
  /** What the check is about; without it the check fails, since running nothing proves nothing. */
  readonly folder?: string;
  /** Checks that must have passed before. */
  readonly needs?: readonly string[];
  /** Needs both cores or a quiet machine: never beside another check. */
  readonly alone?: boolean;
  /** False for what takes longer than a change should wait for. */
  readonly byDefault?: boolean;
}

/** A program of `node_modules/.bin` with its arguments. */
export interface Command {
  readonly run: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
}

const sourceFolders = ['src', 'features', 'robot', 'scripts', 'bench', 'evals'].filter((name) => existsSync(name));

// Step files are TypeScript; this is how Node 20 reads them.
const withTypeScript = { NODE_OPTIONS: '--import tsx' };

/** Every check of the project, in the order in which the cheapest answers come first. */
export const checks: readonly Check[] = [
  {
    name: 'format',
    why: 'One look and one set of lint rules, so that a review is about what the code does.',
    commands: [command('biome', 'check', '--error-on-warnings', '.')],
  },
  {
    name: 'types',
    why: 'The strictest compiler settings hold for sources, tests, features and scripts.',
    commands: [command('tsc', '--noEmit')],
  },
  {
    name: 'boundaries',
    why: 'A folder imports only from its left, and only the named folders load Node built-ins.',
    commands: [command('depcruise', ...sourceFolders)],
  },
  {
    name: 'unused',
    why: 'No file, export or dependency that nothing uses.',
    commands: [command('knip')],
  },
  {
    name: 'build',
    why: 'What the later checks test is built from this tree, and the worker imports nothing of the host.',
    commands: [command('tsx', 'scripts/build.ts')],
  },
  {
    name: 'package',
    why: 'The package resolves, with its types, for everyone who may import it.',
    commands: [command('tsx', 'scripts/check-package.ts')],
    needs: ['build'],
  },
  {
    name: 'docs',
    why: 'Every export is documented, generated pages are fresh, links lead somewhere, examples run.',
    commands: [
      command('typedoc', '--emit', 'none'),
      command('tsx', 'scripts/docs/generate.ts', '--check'),
      command('tsx', 'scripts/docs/check-links.ts'),
      command('tsx', 'scripts/docs/run-examples.ts'),
    ],
    needs: ['build'],
  },
  {
    name: 'unit',
    why: 'Each part does what its tests say; coverage is recorded.',
    commands: [command('vitest', 'run', '--coverage')],
    needs: ['build'],
    alone: true,
  },
  {
    name: 'coverage_report',
    why: 'At least 97 % of the lines and 93 % of the branches of src/ were run by the unit tests.',
    commands: [command('tsx', 'scripts/coverage-report.ts')],
    needs: ['unit'],
  },
  {
    name: 'features',
    why: 'The promises in features/ hold for the library, in the words of its users.',
    commands: [{ run: ['cucumber-js'], env: withTypeScript }],
    folder: 'features',
    needs: ['build'],
    alone: true,
  },
  {
    name: 'robot',
    why: 'The built package and command, used from outside, do what the documents say.',
    commands: [command('vitest', 'run', '--config', 'vitest.robot.config.ts')],
    folder: 'robot',
    needs: ['build'],
    alone: true,
  },
  {
    name: 'evals',
    why: 'A caller that makes no mistake gets every one of the edits it tries, byte for byte.',
    commands: [command('tsx', 'evals/main.ts')],
    folder: 'evals',
  },
  {
    name: 'bench',
    why: 'What a run costs, next to a baseline measured in the same minute.',
    commands: [command('tsx', 'bench/bench.ts')],
    folder: 'bench',
    needs: ['build'],
    alone: true,
    byDefault: false,
  },
  {
    name: 'fuzz',
    why: 'The properties, with 50 times as many random cases as in `unit`.',
    commands: [{ run: ['vitest', 'run', '--testTimeout', '600000'], env: { PORTHOLE_FUZZ_RUNS: '5000' } }],
    needs: ['build'],
    alone: true,
    byDefault: false,
  },
  {
    name: 'long',
    why: 'Races, crashes and swaps with their full counts; `unit` and `robot` do a tenth of them.',
    commands: [
      { run: ['vitest', 'run', '--testTimeout', '600000'], env: { PORTHOLE_LONG: '1' } },
      {
        run: ['vitest', 'run', '--config', 'vitest.robot.config.ts', '--testTimeout', '600000'],
        env: { PORTHOLE_LONG: '1' },
      },
    ],
    needs: ['build'],
    alone: true,
    byDefault: false,
  },
];

function command(program: string, ...args: string[]): Command {
  return { run: [program, ...args] };
}
