import { createHash } from 'node:crypto';
import { createAuditLog } from '../../audit/log.ts';
import type { FileMode } from '../../contract/mode.ts';
import type { Approver } from '../../policy/approver.ts';
import { createGate } from '../../policy/gate.ts';
import { createMemoryGrantStore } from '../../policy/grants.ts';
import { createFilelessPolicy } from '../../policy/policy.ts';
import type { CallContext } from '../call-context.ts';
import { createTurns } from '../turns.ts';
import { hasUnsafeFlag } from '../unsafe-flag.ts';

/** What an operator without a policy chose. */
export interface PlainChoices {
  readonly mode?: FileMode;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly approver?: Approver;
}

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');

/** A real gate without a policy, and a log that keeps nothing: what most calls of the library work with. */
export function createPlainContext(choices: PlainChoices = {}): CallContext {
  const { mode = 'unsafe', context = { _unsafe_mode: true }, approver } = choices;
  let ids = 0;
  const newId = () => `id${++ids}`;
  const log = createAuditLog({ sink: 'memory', powers: { now: () => 0, newId, sha256Hex } }).openRun('r1');
  const digestText = (text: string) => `sha256:${sha256Hex(text)}`;
  const unsafeFlag = hasUnsafeFlag(context);
  const gate = createGate({
    policy: createFilelessPolicy(mode),
    root: '/root',
    approver,
    grants: createMemoryGrantStore(),
    timeoutMs: 1000,
    powers: { now: () => 0, newId, digestText, startTimer: () => () => undefined, policyDigestNow: () => 'none' },
  });
  return {
    gate: gate.openRun({
      id: 'r1',
      mode,
      unsafeFlag,
      flags: { unsafe: mode === 'unsafe', allowWrite: unsafeFlag },
      record: log.record,
    }),
    log,
    turns: createTurns(),
    digestText,
    monotonicMs: () => 0,
    pauseClock: () => () => undefined,
    life: { isOver: () => false, signal: new AbortController().signal },
  };
}
