import type { WrappedProgram } from './program.ts';

/** What an expression sees, in the order of its parameters; there is nothing else, in any mode. */
export const expressionParameters: readonly string[] = ['input_data', 'context'];

/** Ceilings of one expression: it looks at a value, and has nothing to wait for. */
export const expressionLimits = {
  timeMs: 250,
  // The least an engine runs with.
  memoryBytes: 16 * 1024 * 1024,
} as const;

/** What stack frames of an expression name. */
export const expressionFile = 'expression';

/** How long a thread goes on with a batch before it tells the results so far; its last task may take its own time on top. */
export const batchMs = 50;

/**
 * Wraps one expression as a function of {@link expressionParameters}.
 *
 * A text that closes the bracket around it (`1) + (2`) must be a syntax error. It stands once between round brackets and
 * once between square ones; up to the bracket that closes too much both are read alike, and there one of them ends. Only
 * a text that holds a `)` can close the form that runs, so only such a text is compiled in the other form before.
 */
export function wrapExpression(source: string): WrappedProgram {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  return { runnable: `${head}${text}\n)`, check: text.includes(')') ? `${listHead}${text}\n]` : undefined };
}

const head = `(${expressionParameters.join(',')})=>(`;
const listHead = '['.padStart(head.length);

/** Columns before the expression on its first line, the same in both forms. */
export const expressionHeadLength = head.length;
