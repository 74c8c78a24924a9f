import type { Level } from './action.ts';

/** What a run did, folded from its audit events. Each list holds at most 64 entries; `more` counts the rest. */
export interface Receipt {
  readonly run: string;
  readonly mode: string;
  /** Status of the outcome; `unfinished` when the log holds no end of the run. */
  readonly outcome: string;
  readonly tools: readonly ReceiptTool[];
  readonly files: readonly ReceiptFile[];
  readonly reads: readonly ReceiptRead[];
  readonly refusals: readonly ReceiptRefusal[];
  readonly approvals: readonly ReceiptApproval[];
  /** What came of a proposal; absent where there was none. */
  readonly proposal?: ReceiptProposal;
  /** Those in force for the program; absent for a tool call, which has none. */
  readonly limits?: Readonly<Record<string, number>>;
  readonly more: Readonly<Record<ReceiptList, number>>;
  /** Hash of the run's last event; `memory` or `off` where no file keeps them. */
  readonly auditHead: string;
}

/** The lists of a receipt. */
export type ReceiptList = 'tools' | 'files' | 'reads' | 'refusals' | 'approvals';

/** One tool call. `argumentsDigest` is `sha256:<hex>` of the canonical arguments. */
export interface ReceiptTool {
  readonly name: string;
  readonly argumentsDigest: string;
  readonly ms?: number;
  readonly error?: string;
}

/** A file as the run left it. */
export interface ReceiptFile {
  readonly path: string;
  readonly mode: string;
  readonly created: boolean;
  readonly bytes: number;
  readonly digestAfter: string;
}

/** A file the run read, with the bytes handed over in all. */
export interface ReceiptRead {
  readonly path: string;
  readonly bytes: number;
}

/** Something the run wanted and did not get. */
export interface ReceiptRefusal {
  readonly action: string;
  readonly code: string;
  readonly reason: string;
}

/** One question and its answer. */
export interface ReceiptApproval {
  readonly action: string;
  readonly level: Level;
  readonly decision: string;
  readonly scope?: string;
}

/** A proposal, and the model it came from where one was asked. */
export interface ReceiptProposal {
  /** `mechanical`, `escalate`, `no_action`, or `document` for a whole one. */
  readonly classification: string;
  readonly edits: number;
  readonly provider?: string;
  readonly model?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Requests sent to the provider, failed ones included. */
  readonly requests?: number;
  /** `applied`, `rejected`, or the code of what stopped it; absent where nothing was to be applied. */
  readonly outcome?: string;
  /** How the change stands with its attempts, in words. */
  readonly attempts?: string;
}
