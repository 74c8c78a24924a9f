import { z } from 'zod';
import { toolTable } from './table.ts';

/** A tool as a model has to know it. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** Whether it changes files: then it needs unsafe mode and `_unsafe_mode: true` in the invocation context. */
  readonly changesFiles: boolean;
  /** JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Every tool, in the form that model providers take. */
export function describeTools(): readonly ToolDescription[] {
  return toolTable.map(({ name, description, changesFiles, schema }) => {
    return { name, description, changesFiles, inputSchema: { ...z.toJSONSchema(schema) } };
  });
}
