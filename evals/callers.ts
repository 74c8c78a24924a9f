import { isByFind, type PreparedCase } from './case-files.ts';

/** Arguments of one call of the edit tool. */
export type EditCall = Readonly<Record<string, unknown>>;

/** How a caller makes its call from a case and the lines it was shown, by number. */
export type Caller = (one: PreparedCase, shown: ReadonlyMap<number, string>) => EditCall;

/** Makes no mistake: finds the line it means in what it was shown, and names it in the way the case is about. */
export const perfectCaller: Caller = (one, shown) => {
  const call = { path: one.file, mode: 'replace' };
  if (one.kind === 'neighbouring lines') return { ...call, edits: editEachLine(one, shown) };
  if (isByFind(one)) return { ...call, find: one.old, content: one.new };
  const line = numberOf(one, shown);
  if (one.kind === 'stale number') return { ...call, line: line - 1 || 2, find: one.old.trim(), content: one.new };
  return { ...call, line, content: one.new };
};

/** Slips that small models make again and again, laid over the perfect caller; `undefined` where a case offers none. */
export const slips: ReadonlyMap<string, (one: PreparedCase, call: EditCall) => EditCall | undefined> = new Map([
  ['indentation dropped', dropIndentation],
  ['number one too low, find right', (one: PreparedCase, call: EditCall) => shiftLine(one, call, -1)],
  ['number one too high, find right', (one: PreparedCase, call: EditCall) => shiftLine(one, call, 1)],
  ['line as text', writeLineAsText],
]);

function editEachLine(one: PreparedCase, shown: ReadonlyMap<number, string>): readonly EditCall[] {
  const first = numberOf({ ...one, old: one.old.split('\n')[0] ?? '' }, shown);
  const olds = one.old.split('\n');
  return one.new
    .split('\n')
    .map((content, index) => ({ line: first + index, find: olds[index] ?? '', content }))
    .filter(({ find, content }) => find !== content);
}

/** The number beside which the line was shown. */
function numberOf({ old, nth, file }: PreparedCase, shown: ReadonlyMap<number, string>): number {
  const numbers = [...shown].filter(([, text]) => text === old).map(([number]) => number);
  const number = numbers[nth - 1];
  if (number === undefined) throw new Error(`${file} was not shown with the line ${JSON.stringify(old)}`);
  return number;
}

function dropIndentation(_: PreparedCase, call: EditCall): EditCall | undefined {
  const { line, content } = call;
  if (line === undefined || typeof content !== 'string' || !/^[ \t]+[^ \t]/.test(content)) return undefined;
  return { ...call, content: content.trimStart() };
}

function shiftLine(one: PreparedCase, call: EditCall, by: number): EditCall | undefined {
  const { line, find } = call;
  if (typeof line !== 'number' || find !== undefined || one.old.trim() === '' || line + by < 1) return undefined;
  return { ...call, line: line + by, find: one.old.trim() };
}

function writeLineAsText(_: PreparedCase, call: EditCall): EditCall | undefined {
  return typeof call['line'] === 'number' ? { ...call, line: String(call['line']) } : undefined;
}
