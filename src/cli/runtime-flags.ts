import type { Internals } from '../runtime/runtime.ts';
import type { RuntimeOptions } from '../runtime/runtime-options.ts';
import type { ParsedArguments } from './arguments.ts';
import { createCommandApprover } from './command-approver.ts';
import type { FlagName } from './flags.ts';
import type { World } from './world.ts';

/** The flags of every command that runs programs or calls tools. */
export const runtimeFlags = [
  'root',
  'unsafe',
  'allow-write',
  'context',
  'policy',
  'audit',
  'yes',
  'no-input',
  'require-race-free',
] as const satisfies readonly FlagName[];

/** What those flags say about the runtime. */
export function parseRuntimeFlags(args: ParsedArguments): RuntimeOptions {
  const [root, policy, audit] = [args.value('root'), args.value('policy'), args.value('audit')];
  return {
    ...(root === undefined ? {} : { root }),
    ...(policy === undefined ? {} : { policy }),
    ...(audit === undefined ? {} : { audit: { path: audit } }),
    ...(args.has('unsafe') ? { mode: 'unsafe' } : {}),
    requireRaceFree: args.has('require-race-free'),
  };
}

/** What a command takes for granted: the current directory as root, a log of its own, the person at the terminal. */
export function commandInternals(world: World, args: ParsedArguments): Internals {
  return {
    isCommand: true,
    approver: createCommandApprover(world, args),
    ...(world.sandbox === undefined ? {} : { sandbox: world.sandbox }),
  };
}
