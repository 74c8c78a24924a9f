import { createPathRules, refuseLink } from '../path-rules.ts';
import { type EditPlan, planEdits } from '../plan-edits.ts';
import { refuse } from '../refusal.ts';
import type { ScalarEdit } from '../verdict.ts';

/** Files by path; a path of `links` goes through a link. */
export interface Files {
  readonly [path: string]: string | Uint8Array;
}

/** What a set of edits may do, with everything that matters little filled in. */
export interface PlanOptions {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly scope?: readonly string[];
  readonly evidence?: readonly string[];
  readonly links?: readonly string[];
}

/** One edit without its reason. */
export type ShortEdit = Omit<ScalarEdit, 'rationale'>;

/** Plans edits against files that are nowhere but here. */
export function planInMemory(files: Files, edits: readonly ShortEdit[], options: PlanOptions = {}): Promise<EditPlan> {
  const { allow = ['**'], deny = [], scope, evidence = [], links = [] } = options;
  const rules = createPathRules({ root: { spellings: ['/root'] }, allow, deny, ...(scope && { scope }) });
  const open = (path: string) => {
    if (links.includes(path)) return refuseLink();
    const content = files[path];
    if (content === undefined) return refuse('file not found', 'Name a file that is there.');
    return typeof content === 'string' ? new TextEncoder().encode(content) : content;
  };
  const whole = edits.map((edit) => ({ ...edit, rationale: '' }));
  return planEdits(whole, { rules, evidence, open: (path) => Promise.resolve(open(path)) });
}

/** One edit of one file: its new text, or why there is none. */
export async function editOne(path: string, text: string, edit: readonly [string, string, string], evidence = '') {
  const [key, from, to] = edit;
  const plan = await planInMemory({ [path]: text }, [{ path, key, from, to }], { evidence: [evidence] });
  if (plan.rejected[0] !== undefined) return `refused: ${plan.rejected[0].message}`;
  return plan.files[0] === undefined ? 'already' : textOf(plan.files[0].after);
}

/** The text of bytes, a byte order mark included. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
