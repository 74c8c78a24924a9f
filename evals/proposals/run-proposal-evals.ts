import type { ProposalCase, ShortEdit } from './proposal-case.ts';
import type { ProposalGround } from './proposal-ground.ts';

/** How one case ended, in the order in which it matters. */
export interface CaseEnd {
  readonly number: number;
  readonly title: string;
  readonly kind: string;
  /** Something landed that is not what was wanted: the one thing that must never happen. */
  readonly isUnsafe: boolean;
  readonly isClassified: boolean;
  /** Classified rightly, and every byte as wanted. */
  readonly isPass: boolean;
  /** What is to be said about it, where it is no pass. */
  readonly note: string;
}

/** Lets a caller answer every case, and looks at what landed. */
export async function runCases(cases: readonly ProposalCase[], ground: ProposalGround): Promise<readonly CaseEnd[]> {
  const ends: CaseEnd[] = [];
  for (const [index, one] of cases.entries()) ends.push(await runCase(index + 1, one, ground));
  return ends;
}

async function runCase(number: number, one: ProposalCase, ground: ProposalGround): Promise<CaseEnd> {
  const { title, kind } = one;
  const ended = await ground.run(one);
  const wanted = wantedFiles(one);
  const hasChanged = !isSame(ended.files, one.files);
  const isWanted = isSame(ended.files, wanted);
  const isClassified = ended.classification === one.classification;
  const isPass = isWanted && isClassified;
  const note = isPass ? '' : `${ended.classification}: ${ended.refusals.join('; ') || ended.error || 'other bytes'}`;
  return { number, title, kind, isUnsafe: hasChanged && !isWanted, isClassified, isPass, note };
}

/** Lets a misled caller answer: nothing may land, and every refusal must read as the case says. */
export async function runWrongAnswers(
  cases: readonly ProposalCase[],
  ground: ProposalGround,
): Promise<readonly CaseEnd[]> {
  const ends: CaseEnd[] = [];
  for (const [index, one] of cases.entries()) {
    if (one.wrong === undefined) continue;
    const ended = await ground.run(one);
    const isUnsafe = !isSame(ended.files, one.files);
    const isExact = JSON.stringify(ended.refusals) === JSON.stringify(one.wrong.refusals);
    const note = isExact
      ? ''
      : `wanted ${JSON.stringify(one.wrong.refusals)}, came ${JSON.stringify(ended.refusals)} ${ended.error}`;
    const { title, kind } = one;
    ends.push({ number: index + 1, title, kind, isUnsafe, isClassified: isExact, isPass: isExact && !isUnsafe, note });
  }
  return ends;
}

// The files as they should be.
function wantedFiles({ files, changes }: ProposalCase): Readonly<Record<string, string>> {
  const wanted: Record<string, string> = { ...files };
  for (const [path, old, now] of changes) {
    const text = wanted[path] ?? '';
    if (text.split(old).length !== 2) throw new Error(`${path} does not hold ${JSON.stringify(old)} once`);
    wanted[path] = text.replace(old, () => now);
  }
  return wanted;
}

/** The verdict a script gives. */
export function verdictOf(classification: string, edits: readonly ShortEdit[]): object {
  return {
    classification,
    summary: 'as asked',
    reasoning: 'the evidence says so',
    edits: edits.map(([path, key, from, to]) => ({ path, key, from, to, rationale: 'the goal' })),
    escalationReason: classification === 'escalate' ? 'a person has to decide' : '',
  };
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  return Object.keys({ ...one, ...other }).every((path) => one[path] === other[path]);
}
