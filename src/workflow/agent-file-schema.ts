import * as z from 'zod';
import { type LimitName, limitNames, limitTable } from '../contract/limits.ts';
import { toolTable } from '../tools/table.ts';

const toolNames = toolTable.map(({ name }) => name);

/** Names are ASCII and begin with a letter: they are keys of objects, words in graphs and parts of messages. */
export const agentNamePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

// More than any cycle needs that has an end in sight.
const mostVisits = 100_000;

const limitSchemas = Object.fromEntries(
  limitNames.map((name) => {
    const { minimum, maximum, unit, protects } = limitTable[name];
    return [name, z.int().min(minimum).max(maximum).optional().describe(`In ${unit}. Protects ${protects}`)];
  }),
) as Record<LimitName, z.ZodOptional<z.ZodInt>>; // built from every name

const expression = z.string().min(1).max(65_536);

const agentSchema = z.strictObject({
  type: z.literal('tool').describe('The one kind of agent there is: a built-in tool, or code.'),
  tool: z.enum(toolNames).optional().describe('The built-in tool that is called.'),
  with: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Arguments of the tool. Without content, file_write and edit_file write the value that arrives.'),
  code: z.string().min(1).optional().describe('A program: the body of an async function of input_data and context.'),
  file: z.string().min(1).optional().describe('A file with the program, relative to the agent file and below it.'),
  language: z.enum(['js', 'ts']).optional().describe('Language of the program. Default: ts for a file ending in .ts.'),
  limits: z
    .strictObject(limitSchemas)
    .optional()
    .describe('Ceilings of this agent; they only narrow those of the run.'),
  maxVisits: z
    .int()
    .min(1)
    .max(mostVisits)
    .optional()
    .describe(
      'How often a value may arrive. Needed by one agent of every cycle. Default: as often as bridges lead here.',
    ),
});

const bridgeSchema = z.strictObject({
  from: z.string().describe('The agent whose value is handed on.'),
  to: z.string().describe('The agent that gets it.'),
  when: expression
    .optional()
    .describe('A JavaScript expression over input_data and context that is true where the value goes this way.'),
  transform: z
    .strictObject({ fn: expression.describe('A JavaScript expression: what is handed on instead of input_data.') })
    .optional()
    .describe('What becomes of the value on the way.'),
  on: z
    .literal('error')
    .optional()
    .describe('Taken when the agent fails; the value is then an object of name, message and code.'),
});

/** An agent file as it is written. */
export const agentFileSchema = z.strictObject({
  porthole: z.literal(1).describe('Version of this format.'),
  name: z.string().min(1).max(200).optional().describe('Name of the workflow. Default: that of the file.'),
  agents: z
    .record(z.string().regex(agentNamePattern), agentSchema)
    .describe('The agents by name: a letter, then letters, digits, "_" and "-", at most 64.'),
  bridges: z.array(bridgeSchema).default([]).describe('The ways between agents; those of one agent in this order.'),
  start: z.string().describe('The agent that gets the input of the run.'),
});

/** {@link agentFileSchema} after parsing. */
export type WrittenAgentFile = z.infer<typeof agentFileSchema>;

/** One agent as it is written. */
export type WrittenAgent = WrittenAgentFile['agents'][string];

/** The schema for editors. */
export function agentFileJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(agentFileSchema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === agentSchema) {
        // Which keys go together is checked by Porthole in words of its own; editors get it in theirs.
        jsonSchema.oneOf = [
          { required: ['tool'], not: forbid('code', 'file', 'language', 'limits') },
          { required: ['code'], not: forbid('tool', 'with', 'file') },
          { required: ['file'], not: forbid('tool', 'with', 'code') },
        ];
      }
    },
  });
  return { $id: 'agent-file.schema.json', title: 'Porthole agent file', ...schema };
}

function forbid(...keys: readonly string[]): { anyOf: { required: string[] }[] } {
  return { anyOf: keys.map((key) => ({ required: [key] })) };
}
