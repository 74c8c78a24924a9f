import type { Action } from '../policy/action.ts';

/**
 * Called by a core once a file is opened and proven, before anything of its content is looked at.
 * It throws when the gate refuses, or has to ask first; the core cleans up and lets the error pass.
 */
export type Admit = (action: Action) => void;

/** What was read; the digest is made after the caller was answered. */
export interface ReadFacts<Result> {
  readonly result: Result;
  readonly bytes: number;
  readonly digest?: () => string;
}

/** A write that is known to the last byte and has not happened. It holds the place until it is closed. */
export interface PlannedWrite<Result> {
  readonly action: Action;
  readonly writeMode: string;
  /** Equal for two plans that are one place, however they are spelled. */
  readonly lockKey: string;
  readonly creates: boolean;
  readonly isExecutable: boolean;
  readonly bytesBefore: number;
  readonly bytesPlanned: number;
  /** Digest of the file as the plan found it; null where there is none, or it was not read. */
  readonly digestBefore: () => string | null;
  /** Digest of the file as it will be. */
  readonly digestPlanned: () => string;
  /** The unified diff, made when somebody is asked. */
  readonly diff: () => string;
  /** The bytes that will be there, for a log that keeps content. */
  readonly content: () => Uint8Array;
  /** Digest of the file as it is on disk now, as {@link digestBefore} would say it. */
  readonly digestNow: () => string | null;
  /** Lets it land, or throws and leaves the file as it was. Compares once more just before. */
  readonly commit: () => CommittedWrite<Result>;
  /** May be called again. */
  readonly close: () => void;
}

/** What a write left behind. */
export interface CommittedWrite<Result> {
  readonly result: Result;
  readonly created: boolean;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly digestAfter: string;
}
