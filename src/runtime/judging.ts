import type { AuditLog, RunLog } from '../audit/log.ts';
import type { CallContext } from '../calls/call-context.ts';
import { createTurns } from '../calls/turns.ts';
import { hasUnsafeFlag } from '../calls/unsafe-flag.ts';
import type { FileMode } from '../contract/mode.ts';
import type { Powers } from '../contract/powers.ts';
import type { Approver } from '../policy/approver.ts';
import { createGate } from '../policy/gate.ts';
import type { Gate, PauseClock } from '../policy/gate-port.ts';
import { createFilelessPolicy, defaultQuestionMs, type Policy } from '../policy/policy.ts';
import type { Glob } from '../text/glob.ts';
import { createLazyGrantStore } from './lazy-grant-store.ts';
import { digestText, nodeGatePowers, sha256Hex } from './node-judging-powers.ts';
import { stateDirectory } from './node-powers.ts';
import { openAudit } from './open-audit.ts';
import { protectedBelow } from './protected-paths.ts';
import { OwnedRunLife } from './run-life.ts';
import type { RuntimeSettings } from './settings.ts';

/** What judges the runs of a runtime: one policy, one gate, one log. */
export interface Judging {
  readonly policy: Policy;
  readonly log: AuditLog;
  readonly openRun: (run: RunToJudge) => JudgedRun;
  /** Every run is over: nobody waits for answers any more. */
  readonly endQuestions: () => void;
  /** Closes the log, once every run has written its last event. */
  readonly close: () => Promise<void>;
}

/** What is known of a run before it starts. */
export interface RunToJudge {
  readonly id: string;
  /** The host's own copy of the invocation context. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal | undefined;
  /** Nothing follows that a yes for the run could answer: a tool call, a write-back, a proposal. Default: false. */
  readonly asksOnce?: boolean;
  /** Default: that of the runtime. */
  readonly mode?: FileMode;
  /** Whether the operator let changes be written back. Default: false. */
  readonly copyRw?: boolean;
  readonly pauseClock?: PauseClock;
  /** A proposal: it runs unsafe with its flag by itself, as far as the policy lets it; the files the operator said yes to. */
  readonly proposal?: { readonly allow: readonly Glob[] };
}

/** One run as it is judged. */
export interface JudgedRun {
  readonly log: RunLog;
  readonly context: CallContext;
  /** The run is over, and has recorded that. To be called once. */
  readonly end: () => void;
}

/** Whom to ask, and the powers of the runtime. */
export interface JudgingParts {
  readonly settings: RuntimeSettings;
  /** The canonical root, or the current directory where there is none. */
  readonly root: string;
  readonly approver: Approver | undefined;
  readonly powers: Powers;
}

// Places are told apart by device and directory, so one set serves every root of this process.
const turns = createTurns();

// A run that is not on a thread has no clock to stop.
const noClock: PauseClock = () => () => undefined;

/** Opens the log and creates the gate. @throws PortholeError `AUDIT_UNAVAILABLE` */
export function createJudging({ settings, root, approver, powers }: JudgingParts): Judging {
  const policy = policyOf(settings, root);
  const log = openAudit({ ...settings.audit, powers: { now: powers.now, newId: powers.newId, sha256Hex } });
  const gate = gateOf(policy, { settings, root, approver, powers });
  const closing = new AbortController();
  let openRuns = 0;
  let onIdle: () => void = () => undefined;
  return {
    policy,
    log,
    openRun: (run) => {
      const { id, context, signal, mode = settings.mode, copyRw = false } = run;
      const { asksOnce = false, pauseClock = noClock, proposal } = run;
      openRuns++;
      const life = new OwnedRunLife([signal, closing.signal]);
      const runLog = log.openRun(id);
      const unsafeFlag = proposal !== undefined || hasUnsafeFlag(context);
      const runGate = gate.openRun({
        id,
        mode: proposal === undefined ? mode : 'unsafe',
        unsafeFlag,
        flags: proposal ?? { unsafe: mode === 'unsafe', allowWrite: unsafeFlag, copyRw },
        asksOnce,
        record: runLog.record,
        signal: () => life.signal,
        pauseClock,
      });
      const { monotonicMs } = powers;
      return {
        log: runLog,
        context: { gate: runGate, log: runLog, turns, digestText, monotonicMs, pauseClock, life },
        end: () => {
          life.end();
          if (--openRuns === 0) onIdle();
        },
      };
    },
    endQuestions: () => closing.abort(),
    close: async () => {
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
      });
      if (openRuns > 0) await idle;
      log.close();
    },
  };
}

function policyOf({ loaded, mode, places }: RuntimeSettings, root: string): Policy {
  const own = protectedBelow(root, places);
  if (loaded === undefined) return createFilelessPolicy(mode, own);
  return { ...loaded.policy, protectedPaths: [...own, ...loaded.policy.protectedPaths] };
}

function gateOf(policy: Policy, { settings, root, approver, powers }: JudgingParts): Gate {
  const { loaded, options } = settings;
  return createGate({
    policy,
    root,
    approver,
    grants: createLazyGrantStore(stateDirectory(), powers.now),
    ...(options.classify === undefined ? {} : { classifier: options.classify }),
    timeoutMs: loaded?.settings.approval.timeoutMs ?? defaultQuestionMs,
    powers: nodeGatePowers(powers, loaded?.digestNow ?? (() => policy.digest)),
  });
}
