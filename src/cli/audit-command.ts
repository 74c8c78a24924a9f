import { resolve } from 'node:path';
import { parseEventLine } from '../audit/event.ts';
import { foldReceipt } from '../audit/receipt.ts';
import { type LogLine, type Verification, verifyLog } from '../audit/verify.ts';
import type { AuditEvent } from '../contract/audit-event.ts';
import { canonicalPath } from '../fs/operator-paths.ts';
import { isLogThere, listLoggedRoots, listLogs, readLogLines } from '../runtime/audit-files.ts';
import { auditDirectory } from '../runtime/audit-place.ts';
import { findPolicyFile } from '../runtime/find-policy.ts';
import { sha256Hex } from '../runtime/node-judging-powers.ts';
import { currentDirectory, stateDirectory } from '../runtime/node-powers.ts';
import { type LoadedPolicy, loadPolicyFile } from '../runtime/policy-file.ts';
import { parseGlob } from '../text/glob.ts';
import type { ParsedArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { writeJson } from './output.ts';
import { requireName } from './positionals.ts';
import { renderEvent, renderReceipt, renderUnreadable } from './render-audit.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

/** `porthole audit`. */
export const auditCommand: Command = {
  usage: 'porthole audit show | verify | receipt RUN [flags]',
  about: [
    'show prints the events of the audit log. verify follows its chain and names every line that was altered, removed or',
    'moved; a cut end shows only against a head noted elsewhere. receipt says what one run did, folded anew from the log.',
    'Without --audit: the log of the policy file here, else all logs of the root in the state directory. The root is that',
    'of --root, of the policy, or the current directory, as it was for the runs.',
  ].join('\n'),
  flags: ['audit', 'root', 'run', 'kind', 'path', 'expect-head', 'json'],
  examples: [
    ['porthole audit show --kind file.write --path "src/**"', 'what was written below src'],
    ['porthole audit verify --audit porthole-audit.jsonl', 'whether somebody touched the log'],
    ['porthole audit show --root notes', 'what runs with --root notes did'],
    ['porthole audit receipt 6f1c0c7e', 'what that run did, by the beginning of its id'],
  ],
  run: (world, args) => {
    const [what, ...rest] = args.positionals;
    const known = Object.keys(parts);
    const name = requireName(what, { kind: 'part', known, help: `The parts are ${known.join(', ')}.` });
    return parts[name as keyof typeof parts](world, args, rest); // one of `known`
  },
};

const parts = { show: showAudit, verify: verifyAudit, receipt: showReceipt } as const;

function verifyAudit(world: World, args: ParsedArguments, others: readonly string[]): number {
  refuseMore('verify', others);
  const logs = logsOf(args);
  const expectHead = args.value('expect-head');
  // Of several logs, the one that ends with the head was meant.
  const isOne = logs.length === 1;
  const expected = isOne && expectHead !== undefined ? { expectHead } : {};
  const results = logs.map((log) => ({ log, ...verifyLog(readLogLines(log), { sha256Hex, ...expected }) }));
  const isHeadFound =
    isOne || expectHead === undefined || results.some(({ head }) => head === expectHead.toLowerCase());
  const ok = isHeadFound && results.every((result) => result.ok);
  if (args.has('json')) writeJson(world, { ok, logs: results });
  else for (const result of results) writeVerification(world, result);
  if (!isHeadFound && !args.has('json')) {
    world.err.write(`no log ends with ${expectHead}: a tail was cut off, or all was written anew\n`);
  }
  return ok ? exitCodes.done : exitCodes.refused;
}

function showAudit(world: World, args: ParsedArguments, others: readonly string[]): number {
  refuseMore('show', others);
  const isShown = createFilter(args);
  const events: AuditEvent[] = [];
  let shown = 0;
  for (const { line, event } of readEvents(args)) {
    if (event === undefined) world.err.write(renderUnreadable(line));
    else if (isShown(event)) {
      shown += 1;
      if (args.has('json')) events.push(event);
      else world.out.write(renderEvent(event));
    }
  }
  if (args.has('json')) writeJson(world, events);
  else if (shown === 0) world.err.write('no event is like that\n');
  return exitCodes.done;
}

function showReceipt(world: World, args: ParsedArguments, [run, ...others]: readonly string[]): number {
  refuseMore('receipt', others);
  if (run === undefined) throw new UsageError('which run?', 'porthole audit show --kind run.start lists them.');
  const events = [...readEvents(args)].flatMap(({ event }) => (event?.run.startsWith(run) ? [event] : []));
  const found = theOneRun(args, run, events);
  const receipt = foldReceipt(
    found,
    events.filter((event) => event.run === found),
  );
  if (args.has('json')) writeJson(world, receipt);
  else world.out.write(renderReceipt(receipt));
  return exitCodes.done;
}

// Events are shown with the beginning of their run's id: that is enough where no other run begins so.
function theOneRun(args: ParsedArguments, given: string, events: readonly AuditEvent[]): string {
  const runs = [...new Set(events.map((event) => event.run))];
  const [first, second] = runs.includes(given) ? [given] : runs;
  if (first !== undefined && second === undefined) return first;
  if (first !== undefined)
    throw new UsageError(`${runs.length} runs begin with ${given}`, `They are ${runs.join(', ')}.`);
  const others = args.has('audit') ? undefined : otherRoots(rootOf(args));
  const hint = ['porthole audit show --kind run.start lists the runs.', others].filter((part) => part !== undefined);
  throw new UsageError(`no log holds run ${given}`, hint.join(' '));
}

function refuseMore(part: string, others: readonly string[]): void {
  if (others.length > 0) throw new UsageError(`${part} takes nothing more than its flags: ${others.join(' ')}`);
}

// Where runs here write: the policy may say.
function policyHere(args: ParsedArguments): LoadedPolicy | undefined {
  const found = findPolicyFile(currentDirectory());
  return found === undefined || args.has('audit') ? undefined : loadPolicyFile(found, currentDirectory());
}

function rootOf(args: ParsedArguments, loaded: LoadedPolicy | undefined = policyHere(args)): string {
  return canonicalPath(args.value('root') ?? loaded?.root ?? '.');
}

function logsOf(args: ParsedArguments): readonly string[] {
  const loaded = policyHere(args);
  const named = args.value('audit') ?? loaded?.auditPath;
  const root = rootOf(args, loaded);
  const directory = auditDirectory(stateDirectory(), root);
  const logs = named === undefined ? listLogs(directory) : [resolve(named)].filter(isLogThere);
  if (logs.length > 0) return logs;
  if (named !== undefined) throw new UsageError(`there is no audit log at ${named}`, 'Name the file: --audit FILE.');
  const hint = otherRoots(root) ?? 'Name the file, --audit FILE, or the root, --root DIR.';
  throw new UsageError(`there is no audit log of the root ${root} at ${directory}`, hint);
}

function otherRoots(root: string): string | undefined {
  const others = listLoggedRoots(stateDirectory()).filter((other) => other !== root);
  if (others.length === 0) return undefined;
  const named = others.map((other) => `--root ${JSON.stringify(other)}`);
  return `Other roots have logs: ${named.join(', ')}.`;
}

interface ReadEvent {
  readonly line: LogLine;
  readonly event: AuditEvent | undefined;
}

function* readEvents(args: ParsedArguments): Generator<ReadEvent> {
  for (const log of logsOf(args)) {
    for (const line of readLogLines(log)) {
      yield { line, event: line.text === undefined ? undefined : parseEventLine(line.text, sha256Hex).event };
    }
  }
}

function createFilter(args: ParsedArguments): (event: AuditEvent) => boolean {
  const [run, kind, path] = [args.value('run'), args.value('kind'), args.value('path')];
  const glob = path === undefined ? undefined : parseGlob(path);
  return (event) => {
    if (run !== undefined && !event.run.startsWith(run)) return false;
    if (kind !== undefined && event.kind !== kind) return false;
    const place = event.details['path'];
    return glob === undefined || (typeof place === 'string' && glob.matches(place));
  };
}

function writeVerification(world: World, result: Verification & { readonly log: string }): void {
  for (const { file, line, kind, message } of result.problems)
    world.err.write(`${file}:${line}: ${kind}: ${message}\n`);
  for (const { file, line, bytes } of result.torn) {
    world.err.write(`${file}:${line}: torn: ${bytes} bytes of a line whose writer was killed\n`);
  }
  const state = result.ok ? 'intact' : 'BROKEN';
  const from = result.firstSeq > 1 ? ` from event ${result.firstSeq}` : '';
  world.out.write(`${result.log}: ${state}, ${result.events} events${from}, head ${result.head}\n`);
}
