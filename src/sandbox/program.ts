/** The forms of a body that the engine is given. The body begins on line 1, behind a head of `headLength` columns. */
export interface WrappedProgram {
  /** An expression whose value is the program as an async function. */
  readonly runnable: string;
  /** A second form that is only compiled, and first, where the body could close the other; see {@link wrapProgram}. */
  readonly check: string | undefined;
}

/**
 * Wraps a body as an async function with the given parameters.
 *
 * A body that closes the wrapper (`} + {`) must be a syntax error. Behind a method's `}` only `,` or `}` may come;
 * behind a declaration's `}` begins a statement, which starts with neither. So no text closes both: the method is what
 * runs, and a body that holds a `}` is compiled as a declaration before. (`super` is legal in methods only.)
 */
export function wrapProgram(source: string, parameters: readonly string[]): WrappedProgram {
  const start = source.startsWith('\uFEFF') ? 1 : 0;
  const body = source.startsWith('#!', start) ? `${source.slice(0, start)}//${source.slice(start + 2)}` : source;
  const head = `program(${parameters.join(',')}){`;
  return {
    runnable: `${method}${head}${body}\n}}).program`,
    check: /\}|super/.test(body) ? `${declaration}${head}${body}\n}` : undefined,
  };
}

/** Columns before the body on its first line, the same in both forms. */
export function headLength(parameters: readonly string[]): number {
  return declaration.length + `program(${parameters.join(',')}){`.length;
}

const declaration = 'async function ';
const method = '({async '.padEnd(declaration.length);
