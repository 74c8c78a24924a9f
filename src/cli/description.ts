import { type CodeFacts, errorCodes } from '../contract/errors.ts';
import { type LimitFacts, limitTable } from '../contract/limits.ts';
import { fileModes, type HelperName, helpersByMode } from '../contract/mode.ts';
import { ruleNames } from '../policy/rules.ts';
import { describeTools } from '../tools/describe-tools.ts';
import { toolTable } from '../tools/table.ts';

/** The parts of a description, each a section of the output. */
export const sections = ['tools', 'helpers', 'rules', 'limits', 'codes'] as const;

/** One of {@link sections}. */
export type Section = (typeof sections)[number];

/** One section as plain data: what `--json` prints, and what the texts are made from. */
export function describeSection(section: Section): readonly Readonly<Record<string, unknown>>[] {
  switch (section) {
    case 'tools':
      return describeTools().map((tool) => ({ ...tool }));
    case 'helpers':
      return fileModes.map((mode) => ({ mode, helpers: helpersByMode[mode].map((name) => helperSignatures[name]) }));
    case 'rules':
      return [...ruleNames].map(([name, actions]) => ({ name, actions, about: ruleMeanings[name] ?? '' }));
    case 'limits':
      return Object.entries(limitTable).map(([name, facts]: [string, LimitFacts]) => ({ name, ...facts }));
    case 'codes':
      return Object.entries(errorCodes).map(([code, facts]: [string, CodeFacts]) => ({ code, ...facts }));
  }
}

// What a policy's rule of that name is about.
const ruleMeanings: Readonly<Record<string, string>> = {
  read: 'every action that reads a file',
  write: 'every action that changes a file',
  file_read: 'the tool file_read and the helper read_file',
  file_write: 'the tool file_write, the helpers write_file and remove_file',
  edit_file: 'the tool edit_file',
  apply: 'a proposed change that is applied',
  writeback: 'a file of a staged run that is written back',
  run: 'a program that is run; the pattern is matched against its digest, as in run(sha256:0a1b*)',
};

// As a program calls them.
const helperSignatures: Readonly<Record<HelperName, string>> = {
  read_file: 'read_file(path, max_chars = null, offset = 0) → string',
  write_file: 'write_file(path, content, mode = "w", offset = 0) → number of characters written',
  list_files: 'list_files(path = ".", { recursive = true }) → paths of the files below it, sorted',
  remove_file: 'remove_file(path) → undefined',
};

/** A section as rows of short texts, below the names of the columns. */
export function tabulate(section: Section): { readonly head: readonly string[]; readonly rows: readonly string[][] } {
  switch (section) {
    case 'tools':
      return { head: ['tool', 'argument', 'what it is'], rows: toolTable.flatMap(toolRows) };
    case 'helpers':
      return {
        head: ['mode', 'helpers in scope'],
        rows: fileModes.flatMap((mode) => {
          const names = helpersByMode[mode];
          return names.length === 0 ? [[mode, 'none']] : names.map((name) => [mode, helperSignatures[name]]);
        }),
      };
    case 'rules':
      return {
        head: ['rule', 'what it covers'],
        rows: [...ruleNames.keys()].map((name) => [`${name}(GLOB)`, ruleMeanings[name] ?? '']),
      };
    case 'limits':
      return {
        head: ['limit', 'default', 'least', 'most', 'protects'],
        rows: Object.entries(limitTable).map(([name, facts]: [string, LimitFacts]) => {
          const amounts = [facts.default, facts.minimum, facts.maximum];
          return [name, ...amounts.map((value) => renderAmount(value, facts.unit)), facts.protects];
        }),
      };
    case 'codes':
      return {
        head: ['code', 'exit', 'guest', 'what is the case', 'what to do next'],
        rows: Object.entries(errorCodes).map(([code, facts]: [string, CodeFacts]) => {
          return [code, String(facts.exit), facts.guest, facts.meaning, facts.next];
        }),
      };
  }
}

function toolRows({ name, description, schema }: (typeof toolTable)[number]): string[][] {
  const fields = Object.entries(schema.shape).map(([field, type]) => [name, field, type.description ?? '']);
  return [[name, '', description], ...fields];
}

function renderAmount(value: number, unit: LimitFacts['unit']): string {
  if (unit === 'calls' || unit === 'nodes') return value.toLocaleString('en-US');
  if (unit === 'ms') return `${value.toLocaleString('en-US')} ms`;
  const [size, name] = binaryUnits.find(([size]) => value % size === 0) ?? [1, 'B'];
  return `${value / size} ${name}`;
}

const binaryUnits: readonly (readonly [number, string])[] = [
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
];
