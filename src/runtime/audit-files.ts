import { basename, dirname, join } from 'node:path';
import type { LogLine } from '../audit/verify.ts';
import { logFileNames } from '../fs/log-files.ts';
import { operatorPathExists, readOperatorFileUnchecked } from '../fs/operator-file.ts';
import { namesIn } from '../fs/operator-paths.ts';
import { listLogNames } from '../fs/prune-logs.ts';
import { auditDirectoryName } from './audit-place.ts';

/** The lines of a log, oldest first: those of its rotated files, then those of the current one. */
export function* readLogLines(path: string): Generator<LogLine> {
  for (const file of logFileNames(path)) {
    if (operatorPathExists(file)) yield* splitLines(file, readOperatorFileUnchecked(file));
  }
}

/** True when the log is there, if only as the files it was rotated into. */
export function isLogThere(path: string): boolean {
  return logFileNames(path).some((file) => operatorPathExists(file));
}

/** The logs of a directory, oldest first, without the files they were rotated into. */
export function listLogs(directory: string): readonly string[] {
  return listLogNames(directory).map((name) => join(directory, name));
}

// Enough to find the one that was meant; the others are a directory listing away.
const mostRoots = 10;

/** The roots that have logs in the state directory, those of the latest runs first. */
export function listLoggedRoots(state: string): readonly string[] {
  const groups = namesIn(join(state, 'audit')).map((name) => listLogs(join(state, 'audit', name)));
  const latest = groups
    .flatMap((logs) => logs.slice(-1))
    .sort((one, other) => (startOf(one) < startOf(other) ? 1 : -1));
  return latest.slice(0, mostRoots).flatMap((log) => rootOf(log) ?? []);
}

// The name of a log begins with the time its process started.
function startOf(log: string): string {
  return basename(log);
}

// Anybody who could write a log could name any root in it; the directory's name is made from the true one.
function rootOf(log: string): string | undefined {
  for (const { text } of readLogLines(log)) {
    const root = text === undefined ? undefined : rootIn(text);
    if (root !== undefined && auditDirectoryName(root) === basename(dirname(log))) return root;
  }
  return undefined;
}

function rootIn(line: string): string | undefined {
  try {
    const event: { kind?: unknown; details?: { root?: unknown } } = JSON.parse(line);
    return event.kind === 'run.start' && typeof event.details?.root === 'string' ? event.details.root : undefined;
  } catch {
    return undefined;
  }
}

function* splitLines(file: string, bytes: Uint8Array): Generator<LogLine> {
  let number = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    const line = bytes.subarray(start, end === -1 ? bytes.length : end);
    yield { file, number: ++number, text: decode(line), bytes: line.length, isWhole: end !== -1 };
    start = end === -1 ? bytes.length : end + 1;
  }
}

function decode(line: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line);
  } catch {
    return undefined;
  }
}
