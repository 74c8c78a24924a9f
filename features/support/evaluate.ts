/** The value of a JavaScript expression of a feature file, in the host. */
export function evaluate(expression: string): unknown {
  return new Function(`return (${expression});`)();
}
