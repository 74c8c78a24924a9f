import { resolve } from 'node:path';
import type { StagedCopy, StagedOptions } from '../contract/staged-options.ts';
import type { PolicySettings } from '../policy/policy-schema.ts';
import { optionLabels, parseInputs, splitInput } from '../staging/inputs.ts';

/** Parses one entry of a list of the policy, and keeps what is wrong with it. */
export type ParseEntry = <Result>(path: readonly PropertyKey[], parse: () => Result) => readonly Result[];

/** The inputs that a policy gives every staged run; its host paths are relative to the policy's directory. */
export function policyInputs(
  { staged }: PolicySettings,
  {
    home,
    directory,
    parseEntry,
  }: { readonly home: string; readonly directory: string; readonly parseEntry: ParseEntry },
): StagedOptions {
  const copies = (name: 'copy' | 'copyRw') =>
    staged[name].flatMap((copy, index) =>
      parseEntry(['staged', name, index], (): StagedCopy => {
        const { from, to } = typeof copy === 'string' ? splitInput(copy) : copy;
        const given = { from: home === directory ? from : resolve(home, from), ...(to === undefined ? {} : { to }) };
        parseInputs({ [name]: [given] }, optionLabels);
        return given;
      }),
    );
  const exclude = staged.exclude.flatMap((pattern, index) =>
    parseEntry(['staged', 'exclude', index], () => {
      parseInputs({ exclude: [pattern] }, optionLabels);
      return pattern;
    }),
  );
  return { copy: copies('copy'), copyRw: copies('copyRw'), exclude };
}
