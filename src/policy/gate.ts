import { isAboveLevel, type Level } from '../contract/action.ts';
import { type Action, renderAction } from './action.ts';
import { createApproval, type Permission, renderShown, unaskedPermission } from './approval.ts';
import { classify, classifyWith } from './classify.ts';
import { type Decision, decide } from './decide.ts';
import { answerError, decisionError } from './gate-errors.ts';
import type { Gate, GateOptions, GateRequest, GateRun } from './gate-port.ts';
import { activeGrants, type Grant } from './grants.ts';
import { keepGrant } from './keep-grant.ts';
import { orAborted } from './or-aborted.ts';
import { answerTo, createQuestion } from './question.ts';

/** Creates the gate of a runtime. Questions are asked one after the other, whichever run they come from. */
export function createGate(options: GateOptions): Gate {
  const inTurn = createTurns();
  return {
    openRun: (run) => {
      const state: RunState = { options, run, inTurn, grants: [] };
      return {
        mode: run.mode,
        screen: (action, call) => screen(state, action, call),
        permit: (request) => permit(state, request),
      };
    },
  };
}

interface RunState {
  readonly options: GateOptions;
  readonly run: GateRun;
  readonly inTurn: InTurn;
  /** The yeses of this run. */
  grants: readonly Grant[];
}

type InTurn = <Result>(
  ask: () => Promise<Result>,
  waitFor: (before: Promise<unknown>) => Promise<unknown>,
) => Promise<Result>;

interface Classified {
  readonly action: Action;
  readonly level: Level;
  readonly levelReason: string;
}

interface Judged extends Classified {
  readonly decision: Decision;
}

function screen(state: RunState, action: Action, call: string | undefined): boolean {
  const { level, reason: levelReason } = classify(action, state.run.mode);
  const judged = judge(state, { action, level, levelReason }, state.grants);
  refuseDenied(state, judged, call);
  const isSettled = judged.decision.kind === 'allow' && judged.level === 'safe';
  return isSettled && (action.name === 'file_read' || state.options.classifier === undefined);
}

async function permit(state: RunState, request: GateRequest): Promise<Permission> {
  const classified = await classifyAll(state, request.actions);
  const judged = weightiest(judgeAll(state, classified, state.grants));
  refuseDenied(state, judged, request.call);
  if (judged.decision.kind === 'allow') return allow(state, judged, request.call);
  // Kept grants can only answer what would be asked; they are read each time, so a revoked one no longer counts.
  const granted = await allowByGrant(state, classified, request.call);
  if (granted !== undefined) return granted;
  const goOn = state.run.pauseClock?.();
  const askInTurn = async (): Promise<Permission> => {
    const answered = await allowByGrant(state, classified, request.call);
    return answered ?? ask(state, request, judged);
  };
  return state.inTurn(askInTurn, (before) => untilAborted(state, judged.action, before)).finally(goOn);
}

// Nobody is asked for a run that is over.
function untilAborted<Result>({ run }: RunState, action: Action, work: Promise<Result>): Promise<Result> {
  const answer = { decision: 'no', reason: 'the run was aborted' } as const;
  return orAborted(work, run.signal?.(), () => answerError(action, renderAction(action, run.mode), answer));
}

async function allowByGrant(
  state: RunState,
  classified: readonly Classified[],
  call: string | undefined,
): Promise<Permission | undefined> {
  const judged = weightiest(judgeAll(state, classified, [...state.grants, ...(await keptGrants(state))]));
  return judged.decision.kind === 'allow' ? allow(state, judged, call) : undefined;
}

function classifyAll(state: RunState, actions: GateRequest['actions']): Promise<Classified[]> {
  const { classifier } = state.options;
  const classified = Promise.all(
    actions.map(async (action) => {
      const { level, reason } = await classifyWith(action, classify(action, state.run.mode), classifier);
      return { action, level, levelReason: reason };
    }),
  );
  return classifier === undefined ? classified : untilAborted(state, actions[0], classified);
}

function judgeAll(state: RunState, classified: readonly Classified[], grants: readonly Grant[]): readonly Judged[] {
  return classified.map((action) => judge(state, action, grants));
}

function judge(state: RunState, classified: Classified, grants: readonly Grant[]): Judged {
  const { options, run } = state;
  const { mode, unsafeFlag, flags } = run;
  const active = activeGrants(grants, { run: run.id, root: options.root, now: options.powers.now() });
  const decision = decide(options.policy, { ...classified, mode, unsafeFlag, flags, grants: active });
  return { ...classified, decision };
}

// Of a set, the one that decides for all: a refusal before a question before a yes, then the higher level.
function weightiest(all: readonly Judged[]): Judged {
  const order = { allow: 0, ask: 1, deny: 2 };
  return all.reduce((heaviest, judged) => {
    const difference = order[judged.decision.kind] - order[heaviest.decision.kind];
    return difference > 0 || (difference === 0 && isAboveLevel(judged.level, heaviest.level)) ? judged : heaviest;
  });
}

function refuseDenied(state: RunState, judged: Judged, call: string | undefined): void {
  if (judged.decision.kind !== 'deny') return;
  recordDecision(state, judged, call);
  throw decisionError(judged.action, renderAction(judged.action, state.run.mode), judged.decision);
}

function allow(state: RunState, judged: Judged, call: string | undefined): Permission {
  // What is safe and allowed is told by its own event; the log does not say it twice.
  if (judged.level !== 'safe') recordDecision(state, judged, call);
  return unaskedPermission;
}

async function ask(state: RunState, request: GateRequest, judged: Judged): Promise<Permission> {
  const { options, run } = state;
  const { policy, powers } = options;
  const described = request.describe?.() ?? [];
  const question = createQuestion({
    options,
    run,
    request,
    described,
    level: judged.level,
    reason: judged.decision.reason,
  });
  const shown = described.map((file) => file.shown);
  const about = { question: question.id, action: question.action, level: question.level };
  recordDecision(state, judged, request.call);
  const digest = powers.digestText(renderShown(shown, question.action, policy.digest));
  const files = question.files.length;
  run.record('approval.asked', { ...about, reason: question.reason, files, shown: digest }, request.call);
  const answer = await answerTo(options, question, run.signal?.());
  const kept = await keepGrant(options, question, answer);
  if (kept.grant !== undefined) state.grants = [...state.grants, kept.grant];
  run.record('approval.answered', { ...about, ...answer, ...kept.facts }, request.call);
  if (answer.decision !== 'yes') throw answerError(judged.action, question.action, answer);
  return createApproval(shown, policy.digest, powers.policyDigestNow);
}

function recordDecision(state: RunState, { action, level, decision }: Judged, call: string | undefined): void {
  const { kind, line, reason, rule, grant } = decision;
  const details = {
    action: renderAction(action, state.run.mode),
    decision: kind,
    level,
    line,
    reason,
    ...(kind === 'deny' ? { code: decision.code } : {}),
    ...(rule === undefined ? {} : { rule: `${rule.effect} ${rule.text}` }),
    ...(grant === undefined ? {} : { grant: grant.id }),
  };
  state.run.record('policy.decision', details, call);
}

async function keptGrants(state: RunState): Promise<readonly Grant[]> {
  try {
    return await state.options.grants.load();
  } catch {
    // Grants only ever widen: without them more is asked.
    return [];
  }
}

// One question at a time, so that no two prompts share a terminal and a yes answers those who wait behind it. Whoever
// gives up waiting leaves the order of the others as it is.
function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return async (ask, waitFor) => {
    const before = last;
    let release: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => {
      release = resolve;
    });
    last = before.then(() => mine);
    try {
      await waitFor(before);
      return await ask();
    } finally {
      release();
    }
  };
}
