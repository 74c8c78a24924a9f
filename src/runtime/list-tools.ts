import type { ToolDescription } from '../tools/describe-tools.ts';

/**
 * The tools with JSON Schemas of their arguments, to be handed to a model; `runtime.callTool` answers its calls.
 *
 * @example
 * ```ts
 * import { listTools } from 'porthole';
 *
 * for (const { name, description } of await listTools()) console.log(`${name}: ${description}`);
 * ```
 */
export async function listTools(): Promise<readonly ToolDescription[]> {
  // The schemas are loaded by whoever wants them: nothing else needs them.
  const { describeTools } = await import('../tools/describe-tools.ts');
  return describeTools();
}
