import { resolve } from 'node:path';
import { PortholeError } from '../contract/errors.ts';
import type { Limits } from '../contract/limits.ts';
import { type FileMode, fileModes } from '../contract/mode.ts';
import { realDirectory } from '../fs/operator-paths.ts';
import { defaultAuditPath } from './audit-place.ts';
import { findPolicyFile } from './find-policy.ts';
import { narrowByPolicy, widerThanPolicy } from './narrow-policy.ts';
import { currentDirectory, stateDirectory } from './node-powers.ts';
import type { AuditChoice } from './open-audit.ts';
import type { LoadedPolicy } from './policy-file.ts';
import { type OwnPlace, ownPlaces } from './protected-paths.ts';
import type { ParsedRuntimeOptions } from './runtime-options.ts';

/** What a runtime is wired from: the operator's options and the policy, brought together. */
export interface RuntimeSettings {
  readonly options: ParsedRuntimeOptions;
  readonly loaded: LoadedPolicy | undefined;
  readonly mode: FileMode;
  readonly limits: Limits;
  /** As the operator spelled it; undefined where there are no files. */
  readonly root: string | undefined;
  readonly requireRaceFree: boolean;
  readonly audit: AuditChoice;
  /** The canonical current directory: where a policy is looked up. */
  readonly directory: string;
  /** What no run writes. */
  readonly places: readonly OwnPlace[];
}

/** How the surfaces differ in what they take for granted. */
export interface SurfaceDefaults {
  /** A command: the root is the current directory, and the log goes to the state directory. Default: false. */
  readonly isCommand?: boolean;
  /** Whatever the policy here says, it is not about this. Default: false. */
  readonly ignoresPolicy?: boolean;
  /** The mode is as wide as the policy lets it be, whatever the options say: what writes by itself does so. Default: false. */
  readonly isWidest?: boolean;
}

/**
 * Loads the policy in force, if one is, and narrows it by the options.
 * @throws PortholeError `POLICY_INVALID`, `ARGUMENT_INVALID` for an option that would widen it, `ROOT_INVALID`
 */
export async function settleOptions(given: ParsedRuntimeOptions, defaults: SurfaceDefaults): Promise<RuntimeSettings> {
  const directory = currentDirectory();
  const loaded = defaults.ignoresPolicy ? undefined : await loadPolicyInForce(given.policy, directory);
  const options = defaults.isWidest ? { ...given, mode: widestMode(loaded) } : given;
  const effective = narrowByPolicy(loaded, choicesOf(options, directory), directory);
  const root = options.root ?? loaded?.root ?? (defaults.isCommand ? '.' : undefined);
  if (options.mode === 'unsafe' && root === undefined) {
    throw new PortholeError('ROOT_INVALID', 'Cannot use unsafe mode: no root was given', {
      hint: 'Name the directory that programs may read and write: root.',
    });
  }
  const place = { root: effective.root, isCommand: defaults.isCommand === true };
  const audit = settleAudit(options.audit, loaded, effective.auditPath, place);
  const auditPath = typeof audit.to === 'string' ? undefined : audit.to.path;
  return {
    options,
    loaded,
    mode: options.mode,
    limits: effective.limits,
    root,
    requireRaceFree: effective.requireRaceFree,
    audit,
    directory,
    places: ownPlaces({
      lookupDirectory: directory,
      policyPath: loaded?.path,
      auditPath,
      stateDirectory: stateDirectory(),
    }),
  };
}

function widestMode(loaded: LoadedPolicy | undefined): FileMode {
  const ceiling = loaded?.settings.mode ?? 'unsafe';
  return fileModes.find((mode) => mode === ceiling) ?? 'safe';
}

async function loadPolicyInForce(
  given: ParsedRuntimeOptions['policy'],
  directory: string,
): Promise<LoadedPolicy | undefined> {
  const found = given ?? findPolicyFile(directory);
  if (found === undefined) return undefined;
  // YAML and schemas are loaded where there is a policy, and nowhere else: a plain run would feel them.
  const { loadPolicyFile, loadPolicyObject } = await import('./policy-file.ts');
  return typeof found === 'string' ? loadPolicyFile(found, directory) : loadPolicyObject(found, directory);
}

function choicesOf({ root, mode, limits, audit, requireRaceFree }: ParsedRuntimeOptions, directory: string) {
  const absolute = root === undefined ? undefined : resolve(directory, root);
  return {
    mode,
    // What it really is: a link below the policy's root may lead anywhere.
    ...(absolute === undefined ? {} : { root: realDirectory(absolute) ?? absolute }),
    limits,
    ...(audit.path === undefined ? {} : { auditPath: resolve(directory, audit.path) }),
    requireRaceFree,
  };
}

function settleAudit(
  chosen: ParsedRuntimeOptions['audit'],
  loaded: LoadedPolicy | undefined,
  path: string | undefined,
  { root, isCommand }: { readonly root: string; readonly isCommand: boolean },
): AuditChoice {
  const policy = loaded?.settings.audit;
  if (loaded !== undefined && chosen.content && policy?.content === false) {
    throw widerThanPolicy(loaded, 'audit content', 'audit.content: false');
  }
  if (loaded !== undefined && chosen.isMemory && policy?.path !== undefined) {
    throw widerThanPolicy(loaded, 'audit "memory"', `audit.path: ${policy.path}`);
  }
  const how = { content: policy?.content ?? chosen.content, fsync: chosen.fsync || policy?.fsync === true };
  if (policy?.enabled === false) return { to: 'off', ...how };
  if (path !== undefined) return { to: { path, isOwn: false }, ...how };
  if (!isCommand) return { to: 'memory', ...how };
  const own = defaultAuditPath(stateDirectory(), root, { now: Date.now(), pid: process.pid });
  return { to: { path: own, isOwn: true }, ...how };
}
