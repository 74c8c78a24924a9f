/** Where a log's lines go. Every method throws when it cannot keep its promise. */
export interface AuditSink {
  /** Where it writes, for messages. */
  readonly path: string;
  /** The chain as it stands: what the next event follows. */
  readonly chain: () => ChainEnd;
  /** Starts a new file when the line would not fit the current one; true when it did. */
  readonly rotateFor: (line: string) => boolean;
  /** Hands one whole line to the kernel. */
  readonly append: (line: string, care: AppendCare) => void;
  readonly close: () => void;
}

/** The end of a chain. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
  /** Bytes of a torn line that stands behind the last event; 0 normally. */
  readonly tornBytes: number;
}

/**
 * What is made sure of for a line besides that the kernel has it: nothing; that the file is still there; or also, where
 * the log is kept so, that the disk has it.
 */
export type AppendCare = 'none' | 'present' | 'durable';
