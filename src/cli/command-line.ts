import { nearestName } from '../text/nearest-name.ts';
import { type Command, runCommand } from './command.ts';
import { exitCodeOfError } from './exit-codes.ts';
import { reportError } from './output.ts';
import { runProgramCommand } from './run-command.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

interface CommandEntry {
  readonly summary: string;
  /** The others are loaded when they are wanted: no command pays for another one. */
  readonly load: () => Promise<Command>;
}

// In the order of the help.
const commands: ReadonlyMap<string, CommandEntry> = new Map([
  // What is started most often, and must start fast, comes with the command's own file.
  ['run', { summary: 'run one program or agent file', load: () => Promise.resolve(runProgramCommand) }],
  [
    'tool',
    {
      summary: 'call a tool once, as a model would',
      load: async () => (await import('./tool-command.ts')).toolCommand,
    },
  ],
  [
    'propose',
    {
      summary: 'ask a model for edits of single values; nothing is written',
      load: async () => (await import('./propose-command.ts')).proposeCommand,
    },
  ],
  [
    'apply',
    {
      summary: 'check such edits and make all of them, or none',
      load: async () => (await import('./apply-command.ts')).applyCommand,
    },
  ],
  [
    'migrate',
    {
      summary: 'move a document to a new schema, on the lines that change',
      load: async () => (await import('./migrate-command.ts')).migrateCommand,
    },
  ],
  [
    'workflow',
    {
      summary: 'run, validate and plan agent files',
      load: async () => (await import('./workflow-command.ts')).workflowCommand,
    },
  ],
  [
    'policy',
    {
      summary: 'check, explain and test a policy file',
      load: async () => (await import('./policy-command.ts')).policyCommand,
    },
  ],
  [
    'approvals',
    {
      summary: 'list and revoke kept grants',
      load: async () => (await import('./approvals-command.ts')).approvalsCommand,
    },
  ],
  [
    'audit',
    {
      summary: 'show and verify the audit log, fold receipts',
      load: async () => (await import('./audit-command.ts')).auditCommand,
    },
  ],
  [
    'describe',
    {
      summary: 'print tools, helpers by mode, limits, error codes',
      load: async () => (await import('./describe-command.ts')).describeCommand,
    },
  ],
  [
    'doctor',
    {
      summary: 'fire every limit on this machine and report what stopped it',
      load: async () => (await import('./doctor-command.ts')).doctorCommand,
    },
  ],
]);

/** The whole command line: answers the exit code, never throws. `world.args` begin with the command's name. */
export async function runCommandLine(world: World): Promise<number> {
  const [name, ...args] = world.args;
  try {
    if (name === undefined) {
      world.err.write(renderOverview());
      return 2;
    }
    if (name === '--help' || name === '-h' || name === 'help') {
      world.out.write(renderOverview());
      return 0;
    }
    if (name === '--version') return await printVersion(world);
    return await runCommand(await findCommand(name).load(), { ...world, args });
  } catch (error) {
    reportError(world, error, name !== undefined && commands.has(name) ? name : undefined);
    return exitCodeOfError(error);
  }
}

function findCommand(name: string): CommandEntry {
  const command = commands.get(name);
  if (command !== undefined) return command;
  const nearest = nearestName(name, commands.keys());
  const what = name.startsWith('-') ? 'no flag that stands alone' : 'no command';
  throw new UsageError(
    `there is ${what} ${name}`,
    nearest === undefined ? undefined : `Did you mean porthole ${nearest}?`,
  );
}

async function printVersion(world: World): Promise<number> {
  const { packageVersion } = await import('../runtime/package-version.ts');
  world.out.write(`${packageVersion()}\n`);
  return 0;
}

function renderOverview(): string {
  const width = Math.max(...[...commands.keys()].map((name) => name.length));
  return [
    'porthole: runs programs that nobody read, in a sandbox with two portholes to one directory',
    '',
    'usage: porthole COMMAND [flags]',
    '',
    ...[...commands].map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'examples:',
    "  porthole run -e 'return 6 * 7'",
    '  porthole run report.js --unsafe --allow-write --root notes',
    '  porthole doctor',
    '',
    'exit codes: 0 done, 1 refused or failed, 2 usage, 3 denied by policy or mode, 4 not approved, 5 changed since it',
    'was read, 6 a limit ended the run, 7 the program failed, 70 internal fault, 130 interrupted',
    '',
    'porthole COMMAND --help shows flags and examples; porthole --version the version.',
    '',
  ].join('\n');
}
