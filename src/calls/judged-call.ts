import type { FileMode } from '../contract/mode.ts';
import type { Effect } from '../contract/outcome.ts';
import { type ReadInput, type ReadPowers, type ReadResult, readFile } from '../cores/read-file.ts';
import { type LinesInput, type LinesPage, readLines } from '../cores/read-lines.ts';
import type { WindowCursors } from '../cores/window-cursors.ts';
import { planWrite, type WritePowers, type WriteResult } from '../cores/write-file.ts';
import type { WriteInput } from '../cores/write-request.ts';
import type { FileSystem } from '../fs/port.ts';
import { refuseWithoutGates } from './write-gates.ts';

/** The files a call may reach and what its core needs. */
export interface CallTarget {
  readonly fs: FileSystem;
  readonly powers: ReadPowers & WritePowers & { readonly lineCursors: WindowCursors };
}

/** On whose behalf a call is made. Decided by the operator before the call's arguments were known. */
export interface Caller {
  /** Name of the helper or tool. */
  readonly name: string;
  readonly mode: FileMode;
  /** The host's own copy of the invocation context. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly record: (effect: Effect) => void;
}

/** A call that happened. */
export interface JudgedCall<T> {
  readonly result: T;
  /** Records the effect; called once the caller has its answer, so that nobody waits for the digest. */
  readonly settle: () => void;
}

/** Reads a window of a file. Reading needs no gate: where there is a root, it may be read. */
export function callReadFile(target: CallTarget, caller: Caller, input: ReadInput): JudgedCall<ReadResult> {
  const result = readFile(target.fs, input, target.powers);
  const settle = () => {
    const { shownPath: path, bytes } = result;
    caller.record({ helper: caller.name, path, bytes: bytes.length, digest: target.powers.digest(bytes) });
  };
  return { result, settle };
}

/** Reads a page of numbered lines. */
export function callReadLines(target: CallTarget, input: LinesInput): LinesPage {
  return readLines(target.fs, input, target.powers);
}

/**
 * Writes a file. One order of checks for helpers and tools: the arguments, the path and its containment, the gates
 * (mode, then flag), and only then what the file holds, so that a caller without permission learns nothing from it.
 */
export function callWriteFile(target: CallTarget, caller: Caller, input: WriteInput): JudgedCall<WriteResult> {
  const plan = planWrite(target.fs, input, target.powers, (path) => refuseWithoutGates(caller, path));
  try {
    const result = plan.commit();
    const settle = () => {
      const { shownPath: path, bytesAfter: bytes, created } = result;
      caller.record({ helper: caller.name, path, bytes, digest: result.digest(), created });
    };
    return { result, settle };
  } finally {
    plan.close();
  }
}
