import { type CodeFacts, errorCodes } from '../../src/contract/errors.ts';
import { type LimitFacts, limitTable } from '../../src/contract/limits.ts';
import { agentFileJsonSchema } from '../../src/workflow/agent-file-schema.ts';

/** A page of `docs/reference/` and what it is made from. */
export interface ReferencePage {
  readonly path: string;
  readonly source: string;
  readonly render: () => string;
}

/** Every generated page. */
export const referencePages: readonly ReferencePage[] = [
  { path: 'docs/reference/errors.md', source: 'src/contract/errors.ts', render: renderErrors },
  { path: 'docs/reference/limits.md', source: 'src/contract/limits.ts', render: renderLimits },
  {
    path: 'docs/reference/agent-file.schema.json',
    source: 'src/workflow/agent-file-schema.ts',
    render: renderAgentFileSchema,
  },
];

/** The whole text of a page; line 1 says that it is generated, and from what. */
export function renderPage({ path, source, render }: ReferencePage): string {
  // JSON has no comments; that one says so itself.
  if (path.endsWith('.json')) return render();
  return `<!-- Generated from ${source} by "npm run docs"; change that file instead. -->\n\n${render()}`;
}

function renderAgentFileSchema(): string {
  const $comment = 'Generated from src/workflow/agent-file-schema.ts by "npm run docs"; change that file instead.';
  return `${JSON.stringify({ $comment, ...agentFileJsonSchema() }, undefined, 2)}\n`;
}

function renderErrors(): string {
  const guestNames = { ValueError: '`ValueError`', Error: '`Error`', never: '–' } satisfies Record<
    CodeFacts['guest'],
    string
  >;
  const row = ([code, { meaning, next, guest, exit }]: [string, CodeFacts]) =>
    renderRow([`<a id="${code.toLowerCase()}"></a>\`${code}\``, meaning, next, guestNames[guest], String(exit)]);
  return [
    '# Error codes',
    '',
    'A closed set: a code is never reused for something else. `error.code` holds it in the library, in guests and in',
    '`--json` output. “Guest” is the `name` under which a program sees the error; – where it never does. “Exit” is the',
    'exit code of a command that ends with it.',
    '',
    renderRow(['code', 'what is the case', 'what to do next', 'guest', 'exit']),
    '|---|---|---|---|---|',
    ...Object.entries(errorCodes).map(row),
    '',
  ].join('\n');
}

function renderLimits(): string {
  const row = ([name, facts]: [string, LimitFacts]) =>
    renderRow([
      `\`${name}\``,
      ...[facts.default, facts.minimum, facts.maximum].map((value) => renderAmount(value, facts.unit)),
      facts.protects,
    ]);
  return [
    '# Limits',
    '',
    'Each limit can be set for a runtime, for one run, and on the command line with `--limit NAME=VALUE`; `0`, negative',
    'numbers and fractions are refused. A limit that is hit ends the run, whatever the program catches; `consoleBytes`',
    'alone cuts what is printed and lets the run go on.',
    '',
    renderRow(['limit', 'default', 'least', 'most', 'protects']),
    '|---|---:|---:|---:|---|',
    ...Object.entries(limitTable).map(row),
    '',
  ].join('\n');
}

function renderAmount(value: number, unit: LimitFacts['unit']): string {
  const number = value.toLocaleString('en-US');
  if (unit !== 'bytes') return unit === 'ms' ? `${number} ms` : number;
  const [size, name] = (
    [
      [2 ** 30, 'GiB'],
      [2 ** 20, 'MiB'],
      [2 ** 10, 'KiB'],
    ] as const
  ).find(([size]) => value % size === 0) ?? [1, value === 1 ? 'byte' : 'bytes'];
  return `${(value / size).toLocaleString('en-US')} ${name}`;
}

function renderRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
