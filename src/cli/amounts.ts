import { type LimitName, limitTable, parseLimitName } from '../contract/limits.ts';
import type { ParsedArguments } from './arguments.ts';
import { UsageError } from './usage-error.ts';

const durations: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
const sizes: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

function parseDuration(text: string, flag: string): number {
  return parseAmount(text, flag, { units: durations, example: '10s, 500ms or 2m' });
}

function parseSize(text: string, flag: string): number {
  return parseAmount(text, flag, { units: sizes, example: '64MiB, 512KiB or 1GiB' });
}

/** The limits that the flags set; ranges are judged by the table of limits. @throws UsageError */
export function parseLimitFlags(args: ParsedArguments): Partial<Record<LimitName, number>> {
  const limits: Partial<Record<LimitName, number>> = {};
  const set = (name: LimitName, value: number, flag: string) => {
    if (limits[name] !== undefined) throw new UsageError(`${flag} sets the limit ${name} a second time`);
    limits[name] = value;
  };
  const timeout = args.value('timeout');
  if (timeout !== undefined) set('timeMs', parseDuration(timeout, '--timeout'), '--timeout');
  const memory = args.value('max-memory');
  if (memory !== undefined) set('memoryBytes', parseSize(memory, '--max-memory'), '--max-memory');
  for (const text of args.values('limit')) {
    const [, written = '', amount = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (written === '') throw new UsageError(`--limit takes NAME=VALUE, not ${JSON.stringify(text)}`);
    const name = parseLimitName(written);
    set(name, parseLimitAmount(name, amount), `--limit ${written}`);
  }
  return limits;
}

// The unit stands in the name already, so a bare number will do.
function parseLimitAmount(name: LimitName, text: string): number {
  const flag = `--limit ${name}`;
  if (/^\d+$/.test(text)) return refuseNothing(Number(text), text, flag);
  switch (limitTable[name].unit) {
    case 'ms':
      return parseDuration(text, flag);
    case 'bytes':
      return parseSize(text, flag);
    case 'calls':
    case 'nodes':
      throw new UsageError(`${flag} takes a whole number, not ${JSON.stringify(text)}`);
  }
}

interface Amounts {
  readonly units: Readonly<Record<string, number>>;
  readonly example: string;
}

function parseAmount(text: string, flag: string, { units, example }: Amounts): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(text) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  if (/^[KMG]B$/i.test(unit)) {
    const binary = `${unit.charAt(0).toUpperCase()}iB`;
    throw new UsageError(`${flag} ${text}: ${unit} is ambiguous`, `Write ${number}${binary}, which is 1024-based.`);
  }
  if (Number(number) === 0 && number !== '') return refuseNothing(0, text, flag);
  if (factor === undefined)
    throw new UsageError(`${flag} ${text}: expected a number with its unit, such as ${example}`);
  return refuseNothing(Number(number) * factor, text, flag);
}

function refuseNothing(value: number, text: string, flag: string): number {
  if (value > 0 && Number.isSafeInteger(value)) return value;
  if (value === 0) throw new UsageError(`${flag} ${text}: 0 is no limit`, 'Every limit is finite; name a larger one.');
  throw new UsageError(`${flag} ${text}: expected a whole number of its smallest unit`);
}
