import { recordToolCall } from '../calls/tool-call.ts';
import { PortholeError } from '../contract/errors.ts';
import { nearestName } from '../text/nearest-name.ts';
import { editFileTool } from './edit-file.ts';
import { fileReadTool } from './file-read.ts';
import { fileWriteTool } from './file-write.ts';
import { refusalAnswer, type Tool, type ToolAnswer, type ToolHost } from './tool.ts';

/** Every tool: the one list that calls, help and documentation are made from. */
export const toolTable: readonly Tool[] = [fileReadTool, fileWriteTool, editFileTool];

/** Which tools there are, and what a call works with. */
export interface ToolTableHost extends ToolHost {
  /** The names that exist here. Default: all of them. */
  readonly tools?: readonly string[] | undefined;
  /** Called before anything else is done, once it is clear that there is such a tool. */
  readonly begin?: () => void;
}

/**
 * Calls a tool by name, once its call is on record.
 * @throws PortholeError `ARGUMENT_INVALID` if there is no such tool; everything else is an answer
 */
export async function callTool(
  name: string,
  args: unknown,
  { tools, begin, ...host }: ToolTableHost,
): Promise<ToolAnswer> {
  const tool = findTool(name, tools);
  const call = { id: host.callId, tool: name, arguments: args };
  try {
    begin?.();
    const act = async () => tool.run(parseArguments(tool, args), host);
    const { text, result } = await recordToolCall(host.context, call, act);
    return { ok: true, tool: name, text, result };
  } catch (error) {
    return refusalAnswer(tool, error, args);
  }
}

/** The tools of a policy; without one, all there are. */
export function selectTools(names: readonly string[] | undefined): readonly Tool[] {
  return toolTable.filter(({ name }) => names === undefined || names.includes(name));
}

function findTool(name: string, selected: readonly string[] | undefined): Tool {
  const tools = selectTools(selected);
  const tool = tools.find((tool) => tool.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((tool) => tool.name);
  const nearest = nearestName(name, names);
  throw new PortholeError('ARGUMENT_INVALID', `Cannot call ${JSON.stringify(name)}: there is no such tool`, {
    hint: nearest === undefined ? `The tools are ${names.join(', ')}.` : `Did you mean ${nearest}?`,
  });
}

// Shape and names only: a value of the wrong type is the core's to refuse, so that helpers and tools give one code.
function parseArguments(tool: Tool, args: unknown): Readonly<Record<string, unknown>> {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new PortholeError('ARGUMENT_INVALID', `Cannot call ${tool.name}: its arguments must be one object`);
  }
  const given = args as Readonly<Record<string, unknown>>; // an object, just checked
  const known = Object.keys(tool.schema.shape);
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return given;
  // The path comes first, whatever else is wrong: the same order as in the helpers.
  if (typeof given['path'] !== 'string') return { path: given['path'] };
  const nearest = nearestName(unknown, known);
  // In the message as well: it is all that a model sees of a refusal.
  const names = known.join(', ');
  throw new PortholeError(
    'ARGUMENT_INVALID',
    `Cannot call ${tool.name}: there is no argument ${JSON.stringify(unknown)} among ${names}`,
    {
      hint: `${nearest === undefined ? '' : `Did you mean ${nearest}? `}The arguments are ${names}.`,
      path: given['path'],
    },
  );
}
