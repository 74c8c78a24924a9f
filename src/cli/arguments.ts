import { nearestName } from '../text/nearest-name.ts';
import { type FlagFacts, type FlagName, factsOf, flagTable } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** The arguments of a command, taken apart. */
export interface ParsedArguments {
  readonly positionals: readonly string[];
  readonly has: (flag: FlagName) => boolean;
  readonly value: (flag: FlagName) => string | undefined;
  readonly values: (flag: FlagName) => readonly string[];
}

/**
 * Takes arguments apart: `--flag value`, `--flag=value`, `-e value`; `-` alone is a positional, `--` ends flags.
 * @throws UsageError for a flag that is unknown, misses its value, has one too many, or is given twice
 */
export function parseArguments(args: readonly string[], allowed: readonly FlagName[]): ParsedArguments {
  const given = new Map<FlagName, string[]>();
  const positionals: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (arg === '--') {
      positionals.push(...args.slice(index + 1));
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) {
      positionals.push(arg);
      continue;
    }
    const flag = readFlag(arg, args[index + 1], allowed);
    if (flag.tookNext) index += 1;
    const earlier = given.get(flag.name) ?? [];
    if (earlier.length > 0 && factsOf(flag.name).repeats !== true) {
      throw new UsageError(`--${flag.name} is given twice`);
    }
    given.set(flag.name, [...earlier, flag.value]);
  }
  return {
    positionals,
    has: (flag) => given.has(flag),
    value: (flag) => given.get(flag)?.[0],
    values: (flag) => given.get(flag) ?? [],
  };
}

interface ReadFlag {
  readonly name: FlagName;
  readonly value: string;
  readonly tookNext: boolean;
}

function readFlag(arg: string, next: string | undefined, allowed: readonly FlagName[]): ReadFlag {
  const equals = arg.indexOf('=');
  const written = equals === -1 ? arg : arg.slice(0, equals);
  const inline = equals === -1 ? undefined : arg.slice(equals + 1);
  const name = findFlag(written, allowed);
  const { value, inlineValues = [] } = factsOf(name);
  if (value === undefined) {
    if (inline === undefined || inlineValues.includes(inline)) return { name, value: inline ?? '', tookNext: false };
    const only = inlineValues.map((known) => ` but ${written}=${known}`).join();
    throw new UsageError(`${written} takes no value${only}`);
  }
  if (inline !== undefined) return { name, value: inline, tookNext: false };
  if (next === undefined) throw new UsageError(`${written} needs a value: ${written} ${value}`);
  if (looksLikeFlag(next)) {
    const hint = next === '--' ? undefined : `If ${next} is meant as the value, write ${written}=${next}.`;
    throw new UsageError(`${written} needs a value: ${written} ${value}, and ${next} follows`, hint);
  }
  return { name, value: next, tookNext: true };
}

// A forgotten value must not swallow the flag behind it. "-", "-1" and other texts that begin with a dash are values.
function looksLikeFlag(text: string): boolean {
  if (/^--(?:[a-z][a-z-]*(?:=.*)?)?$/s.test(text)) return true;
  return Object.values<FlagFacts>(flagTable).some(({ short }) => short !== undefined && text === `-${short}`);
}

function findFlag(written: string, allowed: readonly FlagName[]): FlagName {
  const found = allowed.find((name) => written === `--${name}` || written === `-${factsOf(name).short}`);
  if (found !== undefined) return found;
  const nearest = nearestName(written.replace(/^-+/, ''), allowed);
  throw new UsageError(
    `there is no flag ${written}`,
    nearest === undefined ? 'See --help for the flags.' : `Did you mean --${nearest}?`,
  );
}
