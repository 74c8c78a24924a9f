import { PortholeError } from '../contract/errors.ts';
import type { DocumentProblem } from '../runtime/strict-document.ts';
import { renderVisibleLine } from '../text/visible-text.ts';
import type { ParsedArguments } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { writeJson } from './output.ts';
import type { World } from './world.ts';

/** Does something with a policy file; where the file cannot be used, every problem is named, as compilers do. */
export function reportProblems(world: World, args: ParsedArguments, act: () => number): number {
  try {
    return act();
  } catch (error) {
    const found = problemsOf(error);
    if (found === undefined) throw error;
    const { file, problems, message } = found;
    if (args.has('json')) writeJson(world, { ok: false, error: { code: 'POLICY_INVALID', message }, file, problems });
    else for (const problem of problems) world.err.write(renderProblem(file, problem));
    return exitCodes.usage;
  }
}

/** A problem of a file as compilers name one. */
export function renderProblem(file: string, { line, column, message, hint }: DocumentProblem): string {
  const advice = hint === undefined ? '' : `  ${renderVisibleLine(hint)}\n`;
  return `${file}:${line}:${column}: ${renderVisibleLine(message)}\n${advice}`;
}

function problemsOf(error: unknown) {
  if (!(error instanceof PortholeError) || error.code !== 'POLICY_INVALID') return undefined;
  const { file, problems } = error.details;
  if (typeof file !== 'string' || !Array.isArray(problems)) return undefined;
  return { file, problems: problems as readonly DocumentProblem[], message: error.message }; // put there by policyError()
}
