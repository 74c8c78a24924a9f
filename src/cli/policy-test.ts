import { dirname, isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { errorCodes } from '../contract/errors.ts';
import { fileModes } from '../contract/mode.ts';
import { readOperatorFileUnchecked, whyUnreadable } from '../fs/operator-file.ts';
import { type Decision, decide } from '../policy/decide.ts';
import { parsePolicyDocument, policyError } from '../runtime/policy-file.ts';
import type { StrictDocument } from '../runtime/strict-document.ts';
import { renderVisibleLine } from '../text/visible-text.ts';
import type { ParsedArguments } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { writeJson } from './output.ts';
import { describeSituation, findPolicy, loadPolicy } from './policy-in-force.ts';
import { reportProblems } from './policy-problems.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

const decisions = ['allow', 'ask', 'deny'] as const;

const caseSchema = z.strictObject({
  action: z
    .string()
    .regex(/^\S+ ./, 'expected a name and a path, as in "edit_file src/a.ts"')
    .describe('NAME PATH'),
  expect: z
    .string()
    .refine((text) => decisions.some((known) => known === text) || Object.hasOwn(errorCodes, text), {
      message: 'expected allow, ask, deny or the code of a refusal',
    })
    .describe('allow, ask, deny, or the code of a refusal.'),
  mode: z.enum(fileModes).optional().describe("The run's mode; the policy's ceiling by default."),
});

const tableSchema = z.union([
  z.array(caseSchema),
  z.strictObject({ policy: z.string().optional(), cases: z.array(caseSchema) }),
]);

interface CaseResult {
  readonly action: string;
  readonly expect: string;
  readonly got: string;
  readonly reason: string;
  readonly passed: boolean;
  readonly line: number;
  readonly column: number;
}

/** `porthole policy test FILE`: a table of actions and what the policy in force must say to them. */
export function testPolicy(world: World, args: ParsedArguments, [file, ...others]: readonly string[]): number {
  if (file === undefined || others.length > 0) throw new UsageError('test takes one file');
  return reportProblems(world, args, () => {
    const results = runTable(file, args);
    const failed = results.filter((result) => !result.passed);
    const passed = results.length - failed.length;
    if (args.has('json')) {
      writeJson(world, { ok: failed.length === 0, passed, failed: failed.length, results });
    } else {
      for (const result of failed) world.err.write(renderFailure(file, result));
      world.out.write(`${passed} passed, ${failed.length} failed\n`);
    }
    return failed.length === 0 ? exitCodes.done : exitCodes.refused;
  });
}

function runTable(file: string, args: ParsedArguments): CaseResult[] {
  const document = parsePolicyDocument(readTable(file), file.endsWith('.json'));
  if (document.problems.length > 0) throw policyError(file, document.problems);
  const parsed = tableSchema.safeParse(document.value);
  if (!parsed.success) throw policyError(file, describeIssues(parsed.error.issues, document));
  const table = Array.isArray(parsed.data) ? { cases: parsed.data } : parsed.data;
  // Relative to the table, and shown as relative as the table was given.
  const named = table.policy === undefined ? undefined : besideTable(file, table.policy);
  const policy = loadPolicy(args, undefined, args.value('policy') ?? named ?? findPolicy(args));
  const base = Array.isArray(parsed.data) ? [] : ['cases'];
  return table.cases.map(({ action, expect, mode }, index) => {
    const space = action.indexOf(' ');
    const wanted = { name: action.slice(0, space), path: action.slice(space + 1), ...(mode && { mode }) };
    const decision = decide(policy, describeSituation(policy, wanted));
    const passed = expect === decision.kind || (decision.kind === 'deny' && expect === decision.code);
    const position = document.positionOf([...base, index]);
    return { action, expect, got: renderDecision(decision), reason: decision.reason, passed, ...position };
  });
}

function besideTable(file: string, policy: string): string {
  return isAbsolute(policy) ? policy : join(dirname(file), policy);
}

function readTable(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readOperatorFileUnchecked(file));
  } catch (error) {
    throw new UsageError(`the table ${file} cannot be read: ${whyUnreadable(error)}`);
  }
}

function describeIssues(issues: readonly z.core.$ZodIssue[], document: StrictDocument) {
  return issues
    .flatMap((issue) => innermost(issue))
    .map(({ message, path }) => ({
      message: message.slice(0, 1).toLowerCase() + message.slice(1),
      ...document.positionOf(path),
    }));
}

// Of a union, the complaints of the form that came furthest.
function innermost(issue: z.core.$ZodIssue): readonly { message: string; path: readonly PropertyKey[] }[] {
  if (issue.code !== 'invalid_union') return [issue];
  const forms = issue.errors.map((form) => form.flatMap((inner) => innermost(inner)));
  const depth = (form: readonly { path: readonly PropertyKey[] }[]): number => form[0]?.path.length ?? 0;
  const best = forms.reduce((one, other) => (depth(other) > depth(one) ? other : one), []);
  return best.map(({ message, path }) => ({ message, path: [...issue.path, ...path] }));
}

function renderDecision(decision: Decision): string {
  return decision.kind === 'deny' ? `deny ${decision.code}` : decision.kind;
}

function renderFailure(file: string, { line, column, action, expect, got, reason }: CaseResult): string {
  return `${file}:${line}:${column}: ${renderVisibleLine(action)}: expected ${expect}, got ${got} (${reason})\n`;
}
