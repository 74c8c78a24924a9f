/** The body without its types, every position kept; or why that cannot be. */
export type StrippedTypes =
  | { readonly source: string }
  | { readonly refused: { readonly message: string; readonly line: number; readonly column: number } };

// The stripper takes `return` and `await` inside a function only.
const head = 'async function program() {\n';
const tail = '\n}';

/** Erases the types of a TypeScript body by blanks. Loads the stripper at the first use. */
export async function stripTypes(source: string): Promise<StrippedTypes> {
  const { transformSync } = await import('amaro');
  try {
    const { code } = transformSync(head + source + tail, { mode: 'strip-only' });
    return { source: code.slice(head.length, code.length - tail.length) };
  } catch (error) {
    return { refused: readComplaint(String(error)) };
  }
}

// The stripper throws a drawing: "  x Message\n   ,-[line:column]\n …".
function readComplaint(drawing: string): { message: string; line: number; column: number } {
  const message = /^\s*x (.+)$/m.exec(drawing)?.[1] ?? 'the types cannot be erased';
  const position = /,-\[(\d+):(\d+)\]/.exec(drawing);
  return { message, line: Math.max(1, Number(position?.[1] ?? 2) - 1), column: Number(position?.[2] ?? 1) };
}
