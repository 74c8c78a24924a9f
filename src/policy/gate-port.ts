import type { RecordEvent } from '../contract/audit-event.ts';
import type { FileMode } from '../contract/mode.ts';
import type { Action } from './action.ts';
import type { Permission, Shown } from './approval.ts';
import type { Approver, QuestionFile, StartTimer } from './approver.ts';
import type { Classifier } from './classify.ts';
import type { GrantStore } from './grants.ts';
import type { OperatorFlags, Policy } from './policy.ts';

/** What a gate takes from the world. */
export interface GatePowers {
  readonly now: () => number;
  readonly newId: () => string;
  /** SHA-256 of a text's UTF-8 as `sha256:<hex>`. */
  readonly digestText: (text: string) => string;
  readonly startTimer: StartTimer;
  /** Digest of the policy file as it is on disk now; looked at when an approved change lands. */
  readonly policyDigestNow: () => string;
}

/** What a gate is made of; one per runtime. */
export interface GateOptions {
  readonly policy: Policy;
  /** The resolved sandbox root, which grants of scope `project` belong to. */
  readonly root: string;
  readonly approver: Approver | undefined;
  readonly grants: GrantStore;
  readonly classifier?: Classifier;
  /** How long a question stays open. */
  readonly timeoutMs: number;
  readonly powers: GatePowers;
}

/** What a gate must know of a run. */
export interface GateRun {
  readonly id: string;
  readonly mode: FileMode;
  readonly unsafeFlag: boolean;
  readonly flags: OperatorFlags;
  /** Nothing follows that a yes for the run could answer: a tool call, a write-back, a proposal. Default: false. */
  readonly asksOnce?: boolean;
  readonly record: RecordEvent;
  /** Gives what ends an open question; called when one is asked. */
  readonly signal?: () => AbortSignal;
  /** Called when the run begins to wait for a person. Default: its clock goes on. */
  readonly pauseClock?: PauseClock;
}

/** Stops the clock of a run; what it returns lets it go on. */
export type PauseClock = () => () => void;

/** One question to the gate: a call, or a set of files that land together. */
export interface GateRequest {
  /** For a set, one action per file; all of one name. */
  readonly actions: readonly [Action, ...Action[]];
  readonly call?: string;
  /** The canonical arguments, when a tool or helper was called; made only when somebody is asked. */
  readonly arguments?: () => string;
  /** What would land, made only when somebody is asked. */
  readonly describe?: () => readonly DescribedFile[];
}

/** A file of a question together with what an approval of it is bound to. */
export interface DescribedFile {
  readonly file: QuestionFile;
  readonly shown: Shown;
}

/** The gate as one run sees it. */
export interface RunGate {
  readonly mode: FileMode;
  /** Refuses what no answer could allow, before anything is looked at; true when nobody needs to be asked. */
  readonly screen: (action: Action, call?: string) => boolean;
  /** Decides, asks if need be, and returns the right to go on, or throws the refusal. */
  readonly permit: (request: GateRequest) => Promise<Permission>;
}

/** The gate: the one place where actions are judged, questions asked, and both recorded. */
export interface Gate {
  readonly openRun: (run: GateRun) => RunGate;
}
