/** What is known about a flag: the source of parsing, help and suggestions. */
export interface FlagFacts {
  /** Name of its value in the help; absent for a switch. */
  readonly value?: string;
  /** Values a switch may have behind `=`. */
  readonly inlineValues?: readonly string[];
  readonly short?: string;
  readonly repeats?: true;
  readonly help: string;
}

/** Every flag of every command; each command names those it takes. */
export const flagTable = {
  eval: { value: 'CODE', short: 'e', help: 'run this program' },
  root: { value: 'DIR', help: 'the sandbox root (default: the current directory)' },
  unsafe: { help: 'unsafe mode: the program may read files under the root' },
  'allow-write': { help: 'with --unsafe: and write them (puts _unsafe_mode: true into the context)' },
  copy: {
    value: 'PATH[=/PLACE]',
    repeats: true,
    help: 'staged mode: copy a file or directory into a private tree (default place: /NAME)',
  },
  'copy-rw': {
    value: 'PATH[=/PLACE]',
    repeats: true,
    help: 'the same, and write changes back once the program has completed',
  },
  exclude: { value: 'GLOB', repeats: true, help: 'leave this out of what is copied' },
  diff: {
    inlineValues: ['json'],
    help: 'print the changes as a patch for git apply; of a staged run with --diff=json as JSON',
  },
  'diff-file': { value: 'FILE', help: 'write them to FILE instead: .diff, .patch or .json' },
  'dry-run': { help: 'say what would be written, ask nobody, and write nothing' },
  'fail-on-skip': { help: 'exit 1 when a change cannot be written back' },
  input: { value: 'JSON|@FILE|@-', help: 'what the program sees as input_data' },
  'input-text': { value: 'TEXT', help: 'the same, as a plain string' },
  context: { value: 'JSON|@FILE', help: 'the invocation context, an object' },
  language: { value: 'js|ts', help: 'language of the program (default: by its file name, else js)' },
  timeout: { value: 'DURATION', help: 'time limit, such as 10s, 500ms, 2m' },
  'max-memory': { value: 'SIZE', help: 'memory limit, such as 64MiB' },
  limit: { value: 'NAME=VALUE', repeats: true, help: 'any limit by name; see porthole describe limits' },
  'require-race-free': { help: 'refuse to start where race-free containment is not available' },
  seed: { value: 'N', help: 'seed of Math.random' },
  now: { value: 'ISO', help: 'stop the clock of the program at this instant' },
  args: { value: 'JSON|@FILE|-', help: 'the arguments of the tool, an object' },
  list: { help: 'list the tools' },
  policy: { value: 'FILE', help: 'the policy file (default: porthole.policy.yaml in the current directory)' },
  audit: { value: 'FILE', help: 'the audit log (default: one per process in the state directory)' },
  yes: { help: 'answer every question with yes, once, but for what is dangerous' },
  'no-input': { help: 'never ask' },
  mode: { value: 'safe|staged|unsafe', help: 'the mode of the run that is asked about' },
  all: { help: 'all of them' },
  run: { value: 'ID', help: 'only events of this run; the beginning of its id is enough' },
  kind: { value: 'KIND', help: 'only events of this kind, such as file.write' },
  path: { value: 'GLOB', help: 'only events about these paths' },
  'expect-head': { value: 'HASH', help: 'the hash of the last event, noted elsewhere: shows a cut end' },
  goal: { value: 'TEXT', help: 'what is wanted, in words' },
  evidence: { value: 'FILE', repeats: true, help: 'a text to decide by: versions may come from nowhere else' },
  allow: { value: 'GLOB', repeats: true, help: 'files that may be edited; without a policy this is the yes' },
  deny: { value: 'GLOB', repeats: true, help: 'files that may not, whatever else allows them' },
  scope: { value: 'FILE', help: 'a list of paths, one a line: only these may be edited' },
  provider: { value: 'NAME', help: 'the provider of the policy that is asked' },
  schema: { value: 'FILE', help: 'the JSON Schema that the document shall fit' },
  identity: { value: 'POINTER', repeats: true, help: 'what must stay equal (default: kind, its name and namespace)' },
  'api-version': { value: 'TEXT', help: 'what apiVersion has to be afterwards (default: as it is)' },
  answer: { value: 'FILE', help: 'the new document, instead of asking a provider' },
  output: { value: 'FILE', short: 'o', help: 'where the proposal goes (default: standard output)' },
  change: { value: 'ID', help: 'the change this belongs to, whose attempts are counted' },
  'max-attempts': { value: 'N', help: 'most attempts of that change (default: 2)' },
  json: { help: 'print exactly one JSON value' },
  markdown: { help: 'print Markdown' },
  mermaid: { help: 'print a Mermaid graph' },
  quiet: { help: 'no progress, no warnings' },
  help: { short: 'h', help: 'show this help' },
} as const satisfies Readonly<Record<string, FlagFacts>>;

/** Name of a flag, without its dashes. */
export type FlagName = keyof typeof flagTable;

/** What is known about one flag. */
export function factsOf(name: FlagName): FlagFacts {
  return flagTable[name];
}
