import { isPortholeError } from '../contract/errors.ts';
import type { DocumentProblem } from '../runtime/strict-document.ts';
import type { ParsedArguments } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { writeJson } from './output.ts';
import { renderProblem } from './policy-problems.ts';
import type { World } from './world.ts';

/** Does something with an agent file; where the file cannot be used, every problem is named, as compilers do. */
export async function reportAgentFileProblems(
  world: World,
  args: ParsedArguments,
  act: () => Promise<number>,
): Promise<number> {
  try {
    return await act();
  } catch (error) {
    if (!isPortholeError(error, 'AGENT_FILE_INVALID')) throw error;
    const { file, problems } = error.details;
    if (typeof file !== 'string' || !Array.isArray(problems)) throw error;
    const { code, message, hint } = error;
    const listed = problems as readonly DocumentProblem[]; // put there by documentError()
    if (args.has('json')) writeJson(world, { ok: false, error: { code, message, hint }, file, problems: listed });
    else for (const problem of listed) world.err.write(renderProblem(file, problem));
    return exitCodes.usage;
  }
}
