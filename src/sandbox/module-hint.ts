/** Where the engine complained, from 1. */
interface Position {
  readonly line?: number;
  readonly column?: number;
}

/** What to tell somebody whose program imports or exports; undefined where the complaint is about something else. */
export function moduleHint(message: string, source = '', position: Position = {}): string | undefined {
  const isModule = complaints.some((complaint) => complaint.test(message)) || isAfterImport(message, source, position);
  if (!isModule) return undefined;
  return 'A program is the body of a function and has no modules: values come in as input_data and go out with return.';
}

// In the words of the engine and of the type stripper.
const complaints = [
  /^unsupported keyword: export$/,
  /^import\.meta only valid in module code$/,
  /^'import', and 'export' cannot be used outside of module code$/,
  /^could not load module '/,
];

// The engine takes every `import` for a call of it and misses the bracket.
function isAfterImport(message: string, source: string, { line, column }: Position): boolean {
  if (message !== "expecting '('" || line === undefined || column === undefined) return false;
  const lines = source.split('\n').slice(0, line);
  const before = [...lines.slice(0, -1), (lines.at(-1) ?? '').slice(0, column - 1)].join('\n');
  return /(?:^|[^.\w$])import\s*$/.test(before);
}
