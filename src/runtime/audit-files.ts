import { join } from 'node:path';
import type { LogLine } from '../audit/verify.ts';
import { logFileNames } from '../fs/log-files.ts';
import { operatorPathExists, readOperatorFileUnchecked } from '../fs/operator-file.ts';
import { namesIn } from '../fs/operator-paths.ts';

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
  return namesIn(directory)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(directory, name));
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
