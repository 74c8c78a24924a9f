import type { GrantScope, Level } from './action.ts';
import type { ErrorCode } from './errors.ts';
import type { FileMode } from './mode.ts';

/** Anything JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** What each kind of audit event tells. Digests are `sha256:<hex>`; paths are relative to the root, with `/`. */
export interface AuditDetails {
  readonly 'run.start': {
    readonly mode: FileMode;
    /** Those of a program; a tool call has none. */
    readonly limits?: Readonly<Record<string, number>> | undefined;
    /** Digest of the program. */
    readonly program?: string | undefined;
    readonly root?: string | undefined;
    /** Digest of the policy file in force. */
    readonly policy?: string | undefined;
  };
  readonly 'run.end': { readonly status: string; readonly code?: string; readonly reason?: string };
  readonly 'tool.call': { readonly name: string; readonly arguments: string; readonly content?: Json };
  readonly 'tool.result': { readonly name: string; readonly ms: number; readonly error?: string };
  readonly 'policy.decision': {
    readonly action: string;
    readonly decision: 'allow' | 'deny' | 'ask';
    readonly level: Level;
    /** Which of the eleven lines decided. */
    readonly line: number;
    readonly reason: string;
    readonly code?: ErrorCode;
    readonly rule?: string;
    readonly grant?: string;
  };
  readonly 'approval.asked': {
    readonly question: string;
    readonly action: string;
    readonly level: Level;
    readonly reason: string;
    readonly files: number;
    /** Digest over everything the question showed. */
    readonly shown: string;
  };
  readonly 'approval.answered': {
    readonly question: string;
    readonly action: string;
    readonly level: Level;
    readonly decision: 'yes' | 'no' | 'unavailable';
    readonly scope?: GrantScope;
    readonly downgradedFrom?: GrantScope;
    readonly by?: string;
    readonly reason?: string;
    readonly grant?: string;
    /** Why a grant that was to be kept is not. */
    readonly notKept?: string;
  };
  readonly 'file.read': { readonly path: string; readonly bytes: number; readonly digest?: string };
  readonly 'file.write.intent': {
    readonly path: string;
    readonly mode: string;
    readonly digestBefore: string | null;
    readonly digestPlanned: string;
    /** Only with `content: true`: the planned bytes as text, or as `base64:…` where they are not UTF-8. */
    readonly content?: string;
  };
  readonly 'file.write': FileWritten;
  readonly 'file.refused': {
    readonly action: string;
    readonly path: string;
    readonly code: string;
    readonly reason: string;
  };
  readonly 'writeback.plan': { readonly files: number; readonly skipped?: number; readonly paths?: readonly string[] };
  readonly 'writeback.file': FileWritten;
  readonly 'proposal.received': { readonly [key: string]: Json };
  readonly 'proposal.applied': { readonly [key: string]: Json };
  readonly 'proposal.rejected': { readonly [key: string]: Json };
  /** First event of a file that follows a full one. */
  readonly 'log.rotated': { readonly [key: string]: never };
  /** The line before this event is torn: a writer was killed within it. */
  readonly 'log.recovered': { readonly tornBytes: number };
}

/** What a landed write left behind. */
export interface FileWritten {
  readonly path: string;
  readonly mode: string;
  readonly created: boolean;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly digestAfter: string;
}

/** The kinds this version writes; others are shown, not skipped. */
export type AuditKind = keyof AuditDetails;

/** One line of the audit log. */
export interface AuditEvent {
  readonly v: 1;
  readonly seq: number;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly run: string;
  readonly call?: string;
  readonly kind: string;
  readonly details: { readonly [key: string]: Json | undefined };
  /** Hash of the event before, lower-case hex; 64 zeros for the first. */
  readonly prev: string;
  /** SHA-256 over `prev` and the canonical JSON of this event without `hash`, lower-case hex. */
  readonly hash: string;
}

/** Takes one event of a run; throws `AUDIT_UNAVAILABLE` when it cannot be recorded. */
export type RecordEvent = <Kind extends AuditKind>(kind: Kind, details: AuditDetails[Kind], call?: string) => void;
