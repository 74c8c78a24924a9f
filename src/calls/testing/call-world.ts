import { createHash } from 'node:crypto';
import { createAuditLog } from '../../audit/log.ts';
import type { AuditSink } from '../../audit/sink.ts';
import { PortholeError } from '../../contract/errors.ts';
import type { FileMode } from '../../contract/mode.ts';
import type { Answer, Question } from '../../policy/approver.ts';
import { createGate } from '../../policy/gate.ts';
import type { GateRun } from '../../policy/gate-port.ts';
import { createMemoryGrantStore } from '../../policy/grants.ts';
import type { Policy } from '../../policy/policy.ts';
import { parseRule, type RuleEffect } from '../../policy/rules.ts';
import type { CallContext, CallFacts } from '../call-context.ts';
import type { Admit, PlannedWrite } from '../planned-call.ts';
import { createTurns } from '../turns.ts';

/** What a test can set before a call, and look at after it. */
export interface CallWorld {
  readonly context: CallContext;
  /** The files, by path. */
  readonly files: Map<string, string>;
  /** Kinds and details of the events, in order, together with what happened to files. */
  readonly happened: string[];
  readonly details: { readonly kind: string; readonly details: Record<string, unknown>; readonly call?: string }[];
  readonly questions: Question[];
  /** Kinds of events that cannot be recorded. */
  readonly failing: Set<string>;
  readonly plan: (path: string, content: string) => (admit: Admit) => PlannedWrite<string>;
}

/** What a world is made of. */
export interface WorldOptions {
  readonly rules?: readonly (readonly [RuleEffect, string])[];
  readonly mode?: FileMode;
  readonly content?: boolean;
  readonly run?: Partial<GateRun>;
  /** Answers the next question; what it does before is done while the question is open. */
  readonly answer?: (question: Question, world: CallWorld) => Answer | Promise<Answer>;
}

const digest = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const digestOf = (text: string | undefined) => (text === undefined ? null : digest(text));

/** A real gate and a real log over files that are a map. */
export function createCallWorld(options: WorldOptions = {}): CallWorld {
  const { rules = [], mode = 'unsafe', answer } = options;
  const files = new Map<string, string>();
  const happened: string[] = [];
  const details: CallWorld['details'] = [];
  const questions: Question[] = [];
  const failing = new Set<string>();
  const sink: AuditSink = {
    path: 'log',
    chain: () => ({ seq: 0, hash: '0'.repeat(64), tornBytes: 0 }),
    rotateFor: () => false,
    append: (line) => {
      const event = JSON.parse(line);
      if (failing.has(event.kind)) throw new Error('no space left on device');
      happened.push(event.kind);
      details.push(event);
    },
    close: () => undefined,
  };
  let ids = 0;
  const newId = () => `id${++ids}`;
  const sha256Hex = (text: string) => digest(text).slice(7);
  const log = createAuditLog({ sink, content: options.content ?? false, powers: { now: () => 0, newId, sha256Hex } });
  const run = log.openRun('r1');
  const parsed = rules.map(([effect, text]) => parseRule(effect, text, { line: 1, column: 1 }));
  const of = (effect: RuleEffect) => parsed.filter((rule) => rule.effect === effect);
  const policy: Policy = {
    file: 'porthole.policy.yaml',
    digest: 'sha256:p',
    ceiling: 'unsafe',
    rules: { deny: of('deny'), ask: of('ask'), allow: of('allow') },
    threshold: 'moderate',
    protectedPaths: [],
  };
  const gate = createGate({
    policy,
    root: '/root',
    approver: async (question) => {
      questions.push(question);
      return answer === undefined ? { decision: 'no' } : await answer(question, world);
    },
    grants: createMemoryGrantStore(),
    timeoutMs: 1000,
    powers: {
      now: () => 0,
      newId,
      digestText: digest,
      startTimer: () => () => undefined,
      policyDigestNow: () => 'sha256:p',
    },
  });
  const context: CallContext = {
    gate: gate.openRun({ id: 'r1', mode, unsafeFlag: true, flags: {}, record: run.record, ...options.run }),
    log: run,
    turns: createTurns(),
    digestText: digest,
    monotonicMs: () => 0,
    pauseClock: () => () => undefined,
    life: { isOver: () => false, signal: new AbortController().signal },
  };
  const plan = (path: string, content: string) => (admit: Admit) =>
    planWrite({ files, happened, path, content }, admit);
  const world = { context, files, happened, details, questions, failing, plan };
  return world;
}

interface WriteParts {
  readonly files: Map<string, string>;
  readonly happened: string[];
  readonly path: string;
  readonly content: string;
}

function planWrite({ files, happened, path, content }: WriteParts, admit: Admit): PlannedWrite<string> {
  const action = { name: 'file_write', path, writeMode: 'w' } as const;
  happened.push(`open ${path}`);
  try {
    admit(action);
  } catch (error) {
    happened.push(`close ${path}`);
    throw error;
  }
  const before = files.get(path);
  return {
    action,
    writeMode: 'w',
    lockKey: path,
    creates: before === undefined,
    isExecutable: false,
    bytesBefore: before?.length ?? 0,
    bytesPlanned: content.length,
    digestBefore: () => digestOf(before),
    digestPlanned: () => digest(content),
    diff: () => `-${before ?? ''}\n+${content}\n`,
    content: () => new TextEncoder().encode(content),
    digestNow: () => digestOf(files.get(path)),
    commit: () => {
      if (files.get(path) !== before)
        throw new PortholeError('CHANGED_SINCE_READ', `Cannot write "${path}": it changed`);
      files.set(path, content);
      happened.push(`write ${path}`);
      const sizes = { bytesBefore: before?.length ?? 0, bytesAfter: content.length };
      return { result: 'written', created: before === undefined, ...sizes, digestAfter: digest(content) };
    },
    close: () => void happened.push(`close ${path}`),
  };
}

/** The facts of a call on a path. */
export function callOn(path: unknown, changes: Partial<CallFacts> = {}): CallFacts {
  return { id: 'c1', tool: 'write_file', name: 'file_write', arguments: { path: String(path) }, path, ...changes };
}
