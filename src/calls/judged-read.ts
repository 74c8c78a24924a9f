import type { Action } from '../policy/action.ts';
import { type CallContext, type CallFacts, renderArguments } from './call-context.ts';
import type { Admit, ReadFacts } from './planned-call.ts';
import { recordRefusal, withRefusalRecorded } from './record-refusal.ts';

/** A read that was allowed and done. */
export interface JudgedRead<Result> {
  readonly result: Result;
  /** Records the read. A read is no side effect, so the caller is answered first and this is called after. */
  readonly settle: () => void;
}

/**
 * Reads once the gate allows it: at once, or after somebody was asked. Whatever is refused, by core or gate, is recorded
 * and thrown.
 */
export function judgeRead<Result>(
  context: CallContext,
  call: CallFacts,
  read: (admit: Admit) => ReadFacts<Result>,
): JudgedRead<Result> | Promise<JudgedRead<Result>> {
  try {
    return readOnce(context, call, { read, permitted: nothingYet });
  } catch (error) {
    if (error instanceof PermissionNeeded) return askAndRead(context, call, { read, action: error.action });
    recordRefusal(context, call, error);
    throw error;
  }
}

const nothingYet: ReadonlySet<string> = new Set();

interface FirstAttempt<Result> {
  readonly read: (admit: Admit) => ReadFacts<Result>;
  /** What has to be asked about first. */
  readonly action: Action;
}

function askAndRead<Result>(
  context: CallContext,
  call: CallFacts,
  { read, action }: FirstAttempt<Result>,
): Promise<JudgedRead<Result>> {
  return withRefusalRecorded(context, call, async () => {
    const permitted = new Set<string>();
    for (let needed = action; ; ) {
      await context.gate.permit({ actions: [needed], call: call.id, arguments: () => renderArguments(call) });
      // The path is opened again after the answer. Should it lead elsewhere by then, that place is asked for anew.
      permitted.add(needed.path);
      try {
        return readOnce(context, call, { read, permitted });
      } catch (error) {
        if (!(error instanceof PermissionNeeded)) throw error;
        needed = error.action;
      }
    }
  });
}

interface ReadAttempt<Result> {
  readonly read: (admit: Admit) => ReadFacts<Result>;
  readonly permitted: ReadonlySet<string>;
}

function readOnce<Result>(
  context: CallContext,
  call: CallFacts,
  { read, permitted }: ReadAttempt<Result>,
): JudgedRead<Result> {
  let path = '';
  const { result, bytes, digest } = read((action) => {
    path = action.path;
    const isSettled = context.gate.screen(action, call.id);
    if (!isSettled && !permitted.has(path)) throw new PermissionNeeded(action);
  });
  const settle = (): void => {
    // The caller has the text already; what could not be recorded is counted and told with the outcome.
    const details = digest === undefined ? { path, bytes } : { path, bytes, digest: digest() };
    context.log.recordAfter('file.read', details, call.id);
  };
  return { result, settle };
}

// Leaves a core that is synchronous when somebody has to be asked before its content is looked at.
class PermissionNeeded extends Error {
  override readonly name = 'PermissionNeeded';
  readonly action: Action;

  constructor(action: Action) {
    super('the gate has to be asked first');
    this.action = action;
  }
}
