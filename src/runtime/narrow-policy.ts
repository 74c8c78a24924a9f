import { relative, resolve, sep } from 'node:path';
import { PortholeError } from '../contract/errors.ts';
import { type LimitName, type Limits, limitNames, parseLimits, withUnits } from '../contract/limits.ts';
import { type FileMode, isWiderMode } from '../contract/mode.ts';
import type { LoadedPolicy } from './policy-file.ts';

/** What the operator chose beside the policy file, by flag or option. */
export interface OperatorChoices {
  readonly mode?: FileMode;
  /** Absolute. */
  readonly root?: string;
  readonly limits?: Partial<Limits>;
  /** Absolute. */
  readonly auditPath?: string;
  readonly requireRaceFree?: boolean;
}

/** What holds for a run once policy and choices are brought together. */
export interface EffectiveChoices {
  readonly mode: FileMode;
  readonly ceiling: FileMode;
  readonly root: string;
  readonly limits: Limits;
  readonly auditPath: string | undefined;
  readonly requireRaceFree: boolean;
}

/**
 * Brings choices under a policy: they may narrow it and never widen it.
 * Without a policy the ceiling is `safe`, raised by the choice itself.
 * @throws {@link PortholeError} `ARGUMENT_INVALID` naming the choice and the policy it would widen.
 */
export function narrowByPolicy(
  loaded: LoadedPolicy | undefined,
  choices: OperatorChoices,
  directory: string,
): EffectiveChoices {
  const { mode = 'safe', requireRaceFree = false } = choices;
  if (loaded === undefined) {
    const root = choices.root ?? directory;
    const limits = parseLimits(choices.limits);
    return { mode, ceiling: mode, root, limits, auditPath: choices.auditPath, requireRaceFree };
  }
  const ceiling = loaded.settings.mode;
  if (isWiderMode(mode, ceiling)) throw widerThanPolicy(loaded, `mode ${mode}`, `mode: ${ceiling}`);
  return {
    mode,
    ceiling,
    root: narrowRoot(loaded, choices.root, directory),
    limits: narrowLimits(loaded, choices.limits),
    auditPath: narrowAuditPath(loaded, choices.auditPath),
    requireRaceFree: requireRaceFree || loaded.settings.files.requireRaceFree,
  };
}

function narrowRoot(loaded: LoadedPolicy, chosen: string | undefined, directory: string): string {
  if (loaded.root === undefined) return chosen ?? directory;
  if (chosen === undefined) return loaded.root;
  const way = relative(loaded.root, resolve(directory, chosen));
  const isInside = way === '' || !(way === '..' || way.startsWith(`..${sep}`) || resolve(way) === way);
  if (!isInside) throw widerThanPolicy(loaded, `root "${chosen}"`, `root: ${loaded.settings.root}`);
  return chosen;
}

function narrowLimits(loaded: LoadedPolicy, chosen: Partial<Limits> | undefined): Limits {
  refuseWiderLimits(loaded, chosen);
  return parseLimits(chosen, parseLimits(definedLimits(loaded.settings.limits)));
}

/** @throws {@link PortholeError} `ARGUMENT_INVALID` for a limit above that of the policy. */
export function refuseWiderLimits(loaded: LoadedPolicy, chosen: Partial<Limits> | undefined): void {
  const ceilings = loaded.settings.limits;
  for (const name of limitNames) {
    const value = chosen?.[name];
    const ceiling = ceilings[name];
    if (value !== undefined && ceiling !== undefined && value > ceiling) {
      throw widerThanPolicy(
        loaded,
        `limit ${name}=${withUnits(name, value)}`,
        `limits.${name}: ${withUnits(name, ceiling)}`,
      );
    }
  }
}

function narrowAuditPath(loaded: LoadedPolicy, chosen: string | undefined): string | undefined {
  if (!loaded.settings.audit.enabled) {
    if (chosen !== undefined) throw widerThanPolicy(loaded, `audit file "${chosen}"`, 'audit.enabled: false');
    return undefined;
  }
  if (chosen !== undefined && loaded.auditPath !== undefined && chosen !== loaded.auditPath) {
    throw widerThanPolicy(loaded, `audit file "${chosen}"`, `audit.path: ${loaded.settings.audit.path}`);
  }
  return chosen ?? loaded.auditPath;
}

function definedLimits(limits: Partial<Record<LimitName, number | undefined>>): Partial<Record<LimitName, number>> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

/** The refusal of a choice that reaches beyond the policy, naming both. */
export function widerThanPolicy({ file }: LoadedPolicy, choice: string, line: string): PortholeError {
  return new PortholeError('ARGUMENT_INVALID', `Cannot use ${choice}: the policy ${file} says ${line}`, {
    hint: 'With a policy file, flags and options can only narrow it.',
    details: { policy: file, line },
  });
}
