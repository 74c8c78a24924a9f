/** A body without its types, or why that cannot be. Positions are the body's, from 1. */
export type StrippedTypes =
  | { readonly source: string }
  | { readonly refused: { readonly message: string; readonly line?: number; readonly column?: number } };

/** What is used of the stripper: throws a drawing as a string for source it refuses, anything else when it broke. */
export type TransformSync = (source: string, options: { readonly mode: 'strip-only' }) => { readonly code: string };

// The stripper takes `return` and `await` inside a function only.
const head = 'async function program() {\n';
const tail = '\n}';

/** Erases the types of a TypeScript body by blanks, so that every position stays. Throws when the stripper broke. */
export function stripTypes(source: string, transformSync: TransformSync): StrippedTypes {
  try {
    const { code } = transformSync(head + source + tail, { mode: 'strip-only' });
    return { source: code.slice(head.length, code.length - tail.length) };
  } catch (drawing) {
    if (typeof drawing !== 'string') throw drawing;
    return { refused: readComplaint(drawing, source) };
  }
}

// "  x Message\n   ,-[line:1]\n line | text\n      :   ^^^\n …"; the place on the line is drawn only.
function readComplaint(drawing: string, source: string): { message: string; line?: number; column?: number } {
  const message = plainWords(/^\s*x (.+)$/m.exec(drawing)?.[1] ?? 'the types cannot be erased');
  const lines = source.split('\n');
  const line = Number(/,-\[(\d+):/.exec(drawing)?.[1]) - 1;
  // A complaint about the wrapper's own last line stands behind the body.
  if (!(line >= 1 && line <= lines.length)) return { message };
  const column = /^ *:( +)\^/m.exec(drawing)?.[1]?.length;
  // Tabs and wide characters take another width in the drawing than in the text.
  const isExact = column !== undefined && /^[ -~]*$/.test(lines[line - 1] ?? '');
  return { message, line, ...(isExact ? { column } : {}) };
}

function plainWords(message: string): string {
  return message.replace(
    / is not supported in (?:strip-only|type strip) mode\b/,
    ' cannot be erased: it needs code generation',
  );
}
