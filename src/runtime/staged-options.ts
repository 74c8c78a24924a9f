import type { StagedCopy, StagedOptions } from '../contract/staged-options.ts';
import { isString, type OptionRule, readAs, refuseUnknownKeys, refuseValue } from './option-checks.ts';

const stagedKeys: Readonly<Record<keyof StagedOptions, true>> = { copy: true, copyRw: true, exclude: true };

/** The option `staged`; what it names is looked at when a run starts. @throws PortholeError `ARGUMENT_INVALID` */
export function parseStagedOptions(
  what: string,
  options: Readonly<Record<string, unknown>>,
): StagedOptions | undefined {
  const given = options['staged'];
  if (given === undefined) return undefined;
  const of = `${what} staged`;
  const staged = refuseUnknownKeys(of, given, Object.keys(stagedKeys));
  return {
    copy: parseCopies(of, 'copy', staged),
    copyRw: parseCopies(of, 'copyRw', staged),
    exclude: readAs(of, staged, 'exclude', aListOfPatterns) ?? [],
  };
}

/** What a run works on copies of: what the policy says, and then what was asked for. */
export function joinInputs(policy: StagedOptions | undefined, asked: StagedOptions): StagedOptions {
  if (policy === undefined) return asked;
  const both = <Item>(one: readonly Item[] = [], other: readonly Item[] = []) => [...one, ...other];
  return {
    copy: both(policy.copy, asked.copy),
    copyRw: both(policy.copyRw, asked.copyRw),
    exclude: both(policy.exclude, asked.exclude),
  };
}

function parseCopies(what: string, name: string, staged: Readonly<Record<string, unknown>>): readonly StagedCopy[] {
  const copies = readAs(what, staged, name, aList) ?? [];
  return copies.map((copy, index) => parseCopy(what, `${name}[${index}]`, copy));
}

function parseCopy(what: string, name: string, copy: unknown): StagedCopy {
  if (isString(copy)) return copy;
  if (typeof copy !== 'object') throw refuseValue(what, name, copy, expected);
  const { from, to } = refuseUnknownKeys(`${what} ${name}`, copy, ['from', 'to']);
  if (!isString(from)) throw refuseValue(`${what} ${name}`, 'from', from, 'a host path');
  if (to === undefined) return { from };
  if (!isString(to)) throw refuseValue(`${what} ${name}`, 'to', to, 'a path of the tree');
  return { from, to };
}

const expected = 'a host path, or { from, to }';
const aList: OptionRule<readonly unknown[]> = {
  accepts: (value): value is readonly unknown[] => Array.isArray(value),
  expected: 'a list of host paths, or of { from, to }',
};
const aListOfPatterns: OptionRule<readonly string[]> = {
  accepts: (value): value is readonly string[] => Array.isArray(value) && value.every(isString),
  expected: 'a list of patterns',
};
