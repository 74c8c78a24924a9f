import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, writeSync } from 'node:fs';
import { PortholeError } from '../contract/errors.ts';
import { takeLock } from './lock-file.ts';
import { type LogTail, openLogFile, readLogTail, rotateLogFiles } from './log-files.ts';

/** A file of whole lines that only grows, and the older files it was rotated into. */
export interface AppendLog {
  readonly path: string;
  /** How the file ended when it was opened. */
  readonly tail: LogTail;
  /** Starts a new file when this line would take the current one over its size; true when it did. */
  readonly rotateFor: (line: string) => boolean;
  /**
   * Hands the line to the kernel in one write. With `present` it first makes sure that the file is still there; with
   * `durable` it also waits for the disk, where the log was opened with `fsync`.
   */
  readonly append: (line: string, care: 'none' | 'present' | 'durable') => void;
  readonly close: () => void;
}

/** The system calls of a log; tests hand in ones that fail. */
export interface AppendCalls {
  readonly write: (descriptor: number, bytes: Uint8Array) => number;
  readonly sync: (descriptor: number) => void;
  readonly truncate: (descriptor: number, size: number) => void;
}

/** How a log is kept. */
export interface AppendLogOptions {
  readonly maxBytes?: number;
  /** How many files there are at most, the current one included. */
  readonly maxFiles?: number;
  readonly fsync?: boolean;
  readonly calls?: AppendCalls;
}

const MiB = 1024 * 1024;
// About 25,000 events a file: small enough to open in an editor, and five of them are days of a busy machine.
const defaultMaxBytes = 10 * MiB;
const defaultMaxFiles = 5;
const realCalls: AppendCalls = { write: writeSync, sync: fdatasyncSync, truncate: ftruncateSync };

/**
 * Opens a log for one writer and holds its lock until it is closed.
 * @throws {@link PortholeError} `AUDIT_UNAVAILABLE` when it cannot be opened or somebody else writes it.
 */
export function openAppendLog(path: string, options: AppendLogOptions = {}): AppendLog {
  const { maxBytes = defaultMaxBytes, maxFiles = defaultMaxFiles, fsync = false, calls = realCalls } = options;
  return convert(path, () => {
    const { release } = lockOf(path);
    let opened: number | undefined;
    try {
      const descriptor = openLogFile(path);
      opened = descriptor;
      const tail = readLogTail(descriptor);
      const state: LogState = { path, calls, fsync, descriptor, size: fstatSync(descriptor).size, broken: undefined };
      let isTorn = tail.tornBytes > 0;
      return {
        path,
        tail,
        rotateFor: (line) => convert(path, () => rotateFor(state, line, { maxBytes, maxFiles })),
        append: (line, care) => {
          // What is torn gets its line feed together with the next line, which must not be glued to it.
          convert(path, () => append(state, isTorn ? `\n${line}` : line, care));
          isTorn = false;
        },
        close: () => {
          if (state.descriptor === undefined) return;
          closeSync(state.descriptor);
          state.descriptor = undefined;
          release();
        },
      };
    } catch (error) {
      if (opened !== undefined) closeSync(opened);
      release();
      throw error;
    }
  });
}

interface LogState {
  readonly path: string;
  readonly calls: AppendCalls;
  readonly fsync: boolean;
  descriptor: number | undefined;
  size: number;
  /** Why nothing can be appended any more. */
  broken: string | undefined;
}

function append(state: LogState, line: string, care: Parameters<AppendLog['append']>[1]): void {
  const { calls, fsync } = state;
  const descriptor = openDescriptor(state);
  if (care !== 'none' && fstatSync(descriptor).nlink === 0) throw new Error('the file was removed');
  const bytes = encode(line);
  const written = writeOrUndo(state, descriptor, bytes);
  if (written !== bytes.length) {
    undo(state, descriptor);
    throw new Error(`only ${written} of ${bytes.length} bytes could be written`);
  }
  state.size += bytes.length;
  if (care === 'durable' && fsync) calls.sync(descriptor);
}

// Events are a few hundred bytes; a buffer of its own for each would cost a third of the write.
const scratch = Buffer.alloc(16 * 1024);

function encode(line: string): Uint8Array {
  // No code unit takes more than three bytes of UTF-8.
  if (line.length * 3 > scratch.length) return Buffer.from(line);
  return scratch.subarray(0, scratch.write(line));
}

function writeOrUndo(state: LogState, descriptor: number, bytes: Uint8Array): number {
  try {
    return state.calls.write(descriptor, bytes);
  } catch (error) {
    undo(state, descriptor);
    throw error;
  }
}

// Half a line must not stay in the middle of the log. If it cannot be taken back, nothing may follow it.
function undo(state: LogState, descriptor: number): void {
  try {
    state.calls.truncate(descriptor, state.size);
  } catch {
    state.broken = 'half a line stands at its end and could not be taken back';
  }
}

function rotateFor(state: LogState, line: string, limits: { maxBytes: number; maxFiles: number }): boolean {
  if (state.size === 0 || state.size + Buffer.byteLength(line) <= limits.maxBytes) return false;
  const before = openDescriptor(state);
  state.descriptor = rotateLogFiles(state.path, limits.maxFiles);
  state.size = 0;
  closeSync(before);
  return true;
}

function openDescriptor({ descriptor, broken }: LogState): number {
  if (descriptor === undefined) throw new Error('it was closed');
  if (broken !== undefined) throw new Error(broken);
  return descriptor;
}

function lockOf(path: string): { release: () => void } {
  const lock = takeLock(`${path}.lock`);
  if (!('heldBy' in lock)) return lock;
  throw new PortholeError('AUDIT_UNAVAILABLE', `Cannot write "${path}": it is being written by ${lock.heldBy}`, {
    hint: 'One log has one writer: wait for it, or name another file.',
  });
}

function convert<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (error instanceof PortholeError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new PortholeError('AUDIT_UNAVAILABLE', `Cannot write "${path}": ${why}`, { cause: error });
  }
}
