import { basename } from 'node:path';
import { actionNames } from '../contract/action.ts';
import type { FileMode } from '../contract/mode.ts';
import { canonicalPath } from '../fs/operator-paths.ts';
import { classify } from '../policy/classify.ts';
import type { Situation } from '../policy/decide.ts';
import { createFilelessPolicy, type Policy } from '../policy/policy.ts';
import { parseActionName } from '../policy/rules.ts';
import { findPolicyFile } from '../runtime/find-policy.ts';
import { currentDirectory, stateDirectory } from '../runtime/node-powers.ts';
import { type LoadedPolicy, loadPolicyFile } from '../runtime/policy-file.ts';
import { ownPlaces, protectedBelow } from '../runtime/protected-paths.ts';
import { nearestName } from '../text/nearest-name.ts';
import type { ParsedArguments } from './arguments.ts';
import { UsageError } from './usage-error.ts';

/** `--policy FILE` as it was given, or the name of what is found in the current directory. */
export function findPolicy(args: ParsedArguments): string | undefined {
  const found = args.value('policy') ?? findPolicyFile(currentDirectory());
  return args.value('policy') === undefined && found !== undefined ? basename(found) : found;
}

/** The policy in force, with Porthole's own places protected, which no policy can give away. */
export function loadPolicy(args: ParsedArguments, mode: FileMode | undefined, named = findPolicy(args)): Policy {
  const loaded = named === undefined ? undefined : loadPolicyFile(named, currentDirectory());
  const policy = loaded?.policy ?? createFilelessPolicy(mode ?? 'safe');
  const root = canonicalPath(args.value('root') ?? loaded?.root ?? '.');
  return { ...policy, protectedPaths: [...protectedBelow(root, placesOf(loaded)), ...policy.protectedPaths] };
}

/** The situation of an action that nobody has answered yet, in a context that holds `_unsafe_mode: true`. */
export function describeSituation(
  policy: Policy,
  { name, path, mode = policy.ceiling }: { readonly name: string; readonly path: string; readonly mode?: FileMode },
): Situation {
  const known = parseActionName(name);
  if (known === undefined) {
    const near = nearestName(name, actionNames);
    const hint = near === undefined ? `The actions are ${actionNames.join(', ')}.` : `Did you mean ${near}?`;
    throw new UsageError(`there is no action ${name}`, hint);
  }
  // What a person types is as the root sees it, but for the "./" that shells complete.
  const action = { name: known, path: path.replace(/^(?:\.\/+)+/, '') };
  const { level, reason: levelReason } = classify(action, mode);
  return { action, level, levelReason, mode, unsafeFlag: true, flags: {}, grants: [] };
}

function placesOf(loaded: LoadedPolicy | undefined) {
  const { path: policyPath, auditPath } = loaded ?? { path: undefined, auditPath: undefined };
  return ownPlaces({ lookupDirectory: currentDirectory(), policyPath, auditPath, stateDirectory: stateDirectory() });
}
