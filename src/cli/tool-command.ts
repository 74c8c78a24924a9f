import { findPolicyFile } from '../runtime/find-policy.ts';
import { currentDirectory } from '../runtime/node-powers.ts';
import { selectTools, toolTable } from '../tools/table.ts';
import type { ToolAnswer } from '../tools/tool.ts';
import type { ParsedArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { exitCodeOfCode, exitCodes } from './exit-codes.ts';
import { decode, expand, parseObject, readContext } from './given-values.ts';
import { asLines, writeForeign, writeJson } from './output.ts';
import { requireName } from './positionals.ts';
import { commandInternals, parseRuntimeFlags, runtimeFlags } from './runtime-flags.ts';
import { UsageError } from './usage-error.ts';
import { withRuntime } from './with-runtime.ts';
import type { World } from './world.ts';

/** `porthole tool`. */
export const toolCommand: Command = {
  usage: 'porthole tool NAME [--args JSON | @FILE | -] [flags]',
  about: [
    'Calls a tool once, as a model would, and prints the text the model would see, a refusal as well.',
    'Tools that change files need --unsafe and --allow-write. A policy file decides instead of these flags, which can then',
    'only narrow it; what it asks about is asked on the terminal.',
  ].join('\n'),
  flags: ['args', 'list', ...runtimeFlags, 'json', 'quiet'],
  examples: [
    ['porthole tool --list', 'which tools there are'],
    [`porthole tool file_read --args '{"path": "README.md", "view": "lines"}'`, 'read a page of numbered lines'],
    [
      `porthole tool file_write --args '{"path": "a.txt", "content": "hello"}' --unsafe --allow-write`,
      'write a file below the current directory',
    ],
    [
      `porthole tool edit_file --args '{"path": "a.txt", "mode": "replace", "line": 2, "content": "x"}' --unsafe --allow-write`,
      'change exactly one line',
    ],
    ['porthole tool file_read - < arguments.json', 'arguments from standard input'],
  ],
  run: (world, args) => (args.has('list') ? listTools(world, args) : callOnce(world, args)),
};

async function listTools(world: World, args: ParsedArguments): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError('--list takes no tool name');
  const tools = selectTools(await loadToolNames(args));
  const isWritable = args.has('unsafe') && args.has('allow-write');
  if (args.has('json')) {
    writeJson(
      world,
      tools.map(({ name, description, changesFiles }) => ({ name, description, changesFiles })),
    );
  } else {
    const width = Math.max(...tools.map(({ name }) => name.length));
    for (const { name, description, changesFiles } of tools) {
      const needs = changesFiles && !isWritable ? ' (needs --unsafe --allow-write)' : '';
      world.out.write(`${name.padEnd(width)}  ${description}${needs}\n`);
    }
  }
  return exitCodes.done;
}

// Those of the policy in force, if there is one.
async function loadToolNames(args: ParsedArguments): Promise<readonly string[] | undefined> {
  const named = args.value('policy') ?? findPolicyFile(currentDirectory());
  if (named === undefined) return undefined;
  const { loadPolicyFile } = await import('../runtime/policy-file.ts');
  return loadPolicyFile(named, currentDirectory()).settings.tools;
}

async function callOnce(world: World, args: ParsedArguments): Promise<number> {
  const [name, dash, ...others] = args.positionals;
  const known = toolTable.map((tool) => tool.name);
  const tool = requireName(name, { kind: 'tool', known, help: 'porthole tool --list shows the tools.' });
  if (others.length > 0 || (dash !== undefined && dash !== '-')) {
    throw new UsageError(`tool takes one name, not ${JSON.stringify(dash)} as well`, "Arguments go into --args '{…}'.");
  }
  const context = readContext(args);
  const toolArguments = await readToolArguments(world, args, dash === '-');
  const parts = { options: parseRuntimeFlags(args), internals: commandInternals(world, args) };
  return await withRuntime(world, parts, async (runtime, signal) => {
    const answer = await runtime.callTool(tool, toolArguments, { context, signal });
    printAnswer(world, answer, args);
    if (answer.ok) return exitCodes.done;
    return signal.aborted ? exitCodes.interrupted : exitCodeOfCode(answer.error.code);
  });
}

async function readToolArguments(world: World, args: ParsedArguments, isDash: boolean): Promise<unknown> {
  const written = args.value('args');
  if (isDash && written !== undefined) throw new UsageError('--args and - are both given');
  if (!isDash && written === undefined) throw new UsageError("tool needs arguments: --args '{…}', --args @FILE or -");
  const isStandardInput = isDash || written === '-' || written === '@-';
  const text = isStandardInput ? decode('--args', await world.readStandardInput()) : expand('--args', written ?? '');
  return parseObject('--args', text);
}

// The text is a model's; which flag is missing is for the operator alone.
function printAnswer(world: World, answer: ToolAnswer, args: ParsedArguments): void {
  if (args.has('json')) {
    writeJson(world, answer);
    return;
  }
  writeForeign(world.out, asLines(answer.text));
  if (answer.ok || args.has('quiet')) return;
  const { code } = answer.error;
  if (code === 'UNSAFE_FLAG_MISSING') world.err.write('hint: Add --allow-write, if the tool may write.\n');
  if (code === 'MODE_SAFE') world.err.write('hint: Add --unsafe --allow-write, if the tool may write.\n');
}
