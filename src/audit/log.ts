import type { AuditDetails, AuditEvent, AuditKind, RecordEvent } from '../contract/audit-event.ts';
import { PortholeError } from '../contract/errors.ts';
import type { Sha256Hex } from '../contract/powers.ts';
import type { Receipt } from '../contract/receipt.ts';
import { type SealedEvent, sealEvent } from './event.ts';
import { createReceiptFold } from './receipt.ts';
import type { AppendCare, AuditSink } from './sink.ts';

/** What a log takes from the world. */
export interface AuditPowers {
  readonly now: () => number;
  readonly newId: () => string;
  readonly sha256Hex: Sha256Hex;
}

/** How a log is kept. Without a sink nothing outlives a run but its receipt. */
export interface AuditOptions {
  readonly sink: AuditSink | 'memory' | 'off';
  /** Whether content and arguments are recorded as well as their digests. */
  readonly content?: boolean;
  readonly powers: AuditPowers;
}

/** The audit log of a runtime. */
export interface AuditLog {
  /** Where the events go: a file, `memory` or `off`. */
  readonly path: string;
  readonly openRun: (run: string) => RunLog;
  readonly close: () => void;
}

/** The audit log as one run sees it. */
export interface RunLog {
  readonly run: string;
  readonly keepsContent: boolean;
  /** Whether events outlive the run: what only they tell need not be found out otherwise. */
  readonly isKept: boolean;
  /** Hands the event to the kernel before it returns, or throws `AUDIT_UNAVAILABLE`. */
  readonly record: RecordEvent;
  /** Records what has already happened: never throws, and counts in `lost` what could not be recorded. */
  readonly recordAfter: RecordEvent;
  readonly lost: () => number;
  /** What the events so far say of the run. */
  readonly receipt: () => Receipt;
}

/** Creates the log. Runs share one chain; each folds its own receipt as it goes. */
export function createAuditLog(options: AuditOptions): AuditLog {
  const { sink, content = false } = options;
  const write = typeof sink === 'string' ? undefined : createChain(sink, options);
  // What a receipt names as its head where no chain has one.
  const kept = typeof sink === 'string' ? sink : '';
  return {
    path: typeof sink === 'string' ? sink : sink.path,
    openRun: (run) => {
      const fold = createReceiptFold(run);
      let lost = 0;
      const record: RecordEvent = (kind, details, call) => {
        const hash = write?.({ run, kind, details, call }) ?? kept;
        fold.add(call === undefined ? { run, kind, details, hash } : { run, kind, details, hash, call });
      };
      return {
        run,
        keepsContent: content,
        isKept: write !== undefined,
        record,
        recordAfter: (kind, details, call) => {
          try {
            record(kind, details, call);
          } catch {
            lost++;
          }
        },
        lost: () => lost,
        receipt: fold.receipt,
      };
    },
    close: () => {
      if (typeof sink !== 'string') sink.close();
    },
  };
}

interface Entry {
  readonly run: string;
  readonly kind: AuditKind;
  readonly details: AuditDetails[AuditKind];
  readonly call: string | undefined;
}

// The chain moves on only when the line is with the kernel, so a refused event leaves no gap.
function createChain(sink: AuditSink, options: AuditOptions): (entry: Entry) => string {
  const { powers } = options;
  let { seq, hash, tornBytes } = sink.chain();
  const isoTime = createIsoTime(powers.now);

  const seal = ({ run, kind, details, call }: Entry): SealedEvent =>
    sealEvent(
      {
        v: 1,
        seq: seq + 1,
        id: powers.newId(),
        time: isoTime(),
        run,
        ...(call === undefined ? {} : { call }),
        kind,
        details: details as AuditEvent['details'], // every kind's details are plain JSON data
        prev: hash,
      },
      powers.sha256Hex,
    );
  const append = (sealed: SealedEvent, care: AppendCare): string => {
    sink.append(sealed.line, care);
    seq++;
    hash = sealed.hash;
    return hash;
  };

  return (entry) => {
    try {
      if (tornBytes > 0)
        append(seal({ ...entry, kind: 'log.recovered', details: { tornBytes }, call: undefined }), 'present');
      tornBytes = 0;
      const sealed = seal(entry);
      const care = careFor(entry.kind);
      if (!sink.rotateFor(sealed.line)) return append(sealed, care);
      append(seal({ ...entry, kind: 'log.rotated', details: {}, call: undefined }), 'present');
      return append(seal(entry), care);
    } catch (error) {
      throw unavailable(sink.path, entry.kind, error);
    }
  };
}

// A read is no effect. An intent may have to survive a power cut, and what stands before it in the file does so as well;
// what comes after it can be told from the file that was written.
function careFor(kind: AuditKind): AppendCare {
  if (kind === 'file.read') return 'none';
  return kind === 'file.write.intent' ? 'durable' : 'present';
}

// The clock's text is made once per millisecond; a program that reads in a loop asks far more often.
function createIsoTime(now: () => number): () => string {
  let at = Number.NaN;
  let text = '';
  return () => {
    const time = now();
    if (time !== at) {
      at = time;
      text = new Date(time).toISOString();
    }
    return text;
  };
}

function unavailable(path: string, kind: string, error: unknown): PortholeError {
  if (error instanceof PortholeError && error.code === 'AUDIT_UNAVAILABLE') return error;
  const why = error instanceof Error ? error.message : String(error);
  return new PortholeError('AUDIT_UNAVAILABLE', `Cannot record ${kind} in "${path}": ${why}`, { cause: error });
}
