import { type EditCall, perfectCaller, slips } from './callers.ts';
import { type PreparedCase, prepareCase } from './case-files.ts';
import { replaceCases, whitespaceCases } from './cases.ts';
import { editLiterally } from './literal-editor.ts';

/** What the evaluation needs: the tools as a model has them, and one directory to lay files in. */
export interface EvalGround {
  /** Calls a tool by name and answers with its text. */
  readonly callTool: (name: string, args: EditCall) => Promise<string>;
  readonly writeFile: (name: string, bytes: Uint8Array) => void;
  readonly readFile: (name: string) => Uint8Array;
}

/** How many of the cases ended with exactly the wanted bytes. */
export interface Score {
  readonly name: string;
  readonly cases: number;
  readonly passed: number;
  /** One line for each case that did not. */
  readonly misses: readonly string[];
}

/** A slip, with the scores without the rules and with them. */
export interface SlipScore {
  readonly name: string;
  readonly literal: Score;
  readonly ruled: Score;
}

/** Everything the scripted callers show. */
export interface EvalReport {
  readonly perfect: readonly Score[];
  readonly slips: readonly SlipScore[];
}

/** Runs all cases with the scripted callers. */
export async function runEvals(ground: EvalGround): Promise<EvalReport> {
  const replace = replaceCases.map(prepareCase);
  const whitespace = whitespaceCases.map(prepareCase);
  const perfect = [
    scoreCases('replace', await runCases(ground, replace)),
    scoreCases('whitespace only', await runCases(ground, whitespace)),
  ];
  const all = [...replace, ...whitespace];
  const scores: SlipScore[] = [];
  for (const [name, slip] of slips) scores.push(await scoreSlip(ground, all, { name, slip }));
  return { perfect, slips: scores };
}

interface CaseRun {
  readonly one: PreparedCase;
  readonly call: EditCall;
  /** The file afterwards. */
  readonly bytes: Uint8Array;
  readonly answer: string;
}

interface Slip {
  readonly name: string;
  readonly slip: (one: PreparedCase, call: EditCall) => EditCall | undefined;
}

async function scoreSlip(ground: EvalGround, cases: readonly PreparedCase[], { name, slip }: Slip): Promise<SlipScore> {
  const all = await runCases(ground, cases, slip);
  const runs = all.filter(({ call }) => Object.keys(call).length > 0);
  const literally = runs.map((run) => {
    const after = editLiterally(run.one.before, run.call);
    return { ...run, bytes: new TextEncoder().encode(after), answer: 'taken to the letter' };
  });
  return { name, literal: scoreCases(name, literally), ruled: scoreCases(name, runs) };
}

// One after the other: the cases share a directory, and some of them a file.
async function runCases(
  ground: EvalGround,
  cases: readonly PreparedCase[],
  change: Slip['slip'] = (_, call) => call,
): Promise<readonly CaseRun[]> {
  const runs: CaseRun[] = [];
  for (const one of cases) runs.push(await runCase(ground, one, (call) => change(one, call) ?? {}));
  return runs;
}

async function runCase(ground: EvalGround, one: PreparedCase, change: (call: EditCall) => EditCall): Promise<CaseRun> {
  ground.writeFile(one.file, new TextEncoder().encode(one.before));
  const call = change(perfectCaller(one, await readShownLines(ground, one.file)));
  const answer = Object.keys(call).length === 0 ? '' : await ground.callTool('edit_file', call);
  return { one, call, bytes: ground.readFile(one.file), answer };
}

/** Reads the numbered page a model would read, and nothing else: the caller knows the file only as it was shown. */
async function readShownLines(ground: EvalGround, path: string): Promise<ReadonlyMap<number, string>> {
  const page = await ground.callTool('file_read', { path, view: 'lines' });
  const numbered = page.split('\n').flatMap((line) => {
    const [, number, text] = /^([1-9][0-9]*)\t(.*)$/s.exec(line) ?? [];
    return number === undefined || text === undefined ? [] : [[Number(number), text] as const];
  });
  return new Map(numbered);
}

function scoreCases(name: string, runs: readonly CaseRun[]): Score {
  const missed = runs.filter(({ one, bytes }) => !Buffer.from(bytes).equals(Buffer.from(one.after)));
  const misses = missed.map(({ one, answer }) => `${one.number} ${one.file}, ${one.kind}: ${answer}`);
  return { name, cases: runs.length, passed: runs.length - missed.length, misses };
}
