import { type ErrorCode, errorCodes } from '../contract/errors.ts';
import { limitTable } from '../contract/limits.ts';
import { type ProgramEnd, type ProgramError, reportedLimits } from '../contract/outcome.ts';
import type { Agent, AgentFile, Bridge, SourceText, TextPlace } from './agent-file.ts';
import { nameBridge } from './agent-file.ts';
import { type EarlyEnd, renderPlace, type WorkflowPlace } from './workflow-outcome.ts';

/** An end that is no value. */
export type Failure = Exclude<ProgramEnd, { status: 'completed' }>;

/** The end of a workflow because an agent failed. */
export function failedAgent(file: AgentFile, agent: Agent, failure: Failure): EarlyEnd {
  const at = placeOfAgent(file, agent, failure);
  return { end: tellWhere(failure, `Cannot finish agent "${agent.name}"`, at), at };
}

/** The end of a workflow because an expression of a bridge failed. */
export function failedBridge(file: AgentFile, bridge: Bridge, part: 'when' | 'transform', failure: Failure): EarlyEnd {
  const text = bridge[part];
  const base = { agent: bridge.from, bridge: nameBridge(bridge), file: file.file };
  const at = { ...base, ...(text === undefined ? bridge.at : placeIn(text, placeOf(failure))) };
  const what = part === 'when' ? 'predicate' : 'transform';
  return { end: tellWhere(failure, `Cannot follow bridge ${base.bridge}: its ${what}`, at), at };
}

/** The end of a workflow that its own rules ended. */
export function refusedAt(code: ErrorCode, message: string, at: WorkflowPlace): EarlyEnd {
  const where = `${message} (${renderPlace(at)})`;
  return { end: { status: 'failed', error: refusal(code, where) }, at };
}

/** An error that no program threw. */
export function refusal(code: ErrorCode, message: string, hint: string = errorCodes[code].next): ProgramError {
  return { kind: 'refused', name: 'PortholeError', code, message, hint, stack: '' };
}

/** What a bridge with `on: error` carries. */
export function errorValue(failure: Failure): { name: string; message: string; code: string } {
  switch (failure.status) {
    case 'failed': {
      const { name, message, code = 'AGENT_FAILED' } = failure.error;
      return { name, message, code };
    }
    case 'limited':
      return { name: 'LimitExceeded', message: describeLimit(failure), code: 'AGENT_FAILED' };
    case 'denied':
      return { name: 'PortholeError', message: failure.decision, code: failure.code };
    case 'aborted':
    case 'crashed':
      return { name: 'Error', message: failure.status, code: 'AGENT_FAILED' };
  }
}

/** Where an agent stands in its file. */
export function placeOfAgent({ file }: AgentFile, agent: Agent, failure?: Failure): WorkflowPlace {
  const base = { agent: agent.name, file };
  const place = failure === undefined ? undefined : placeOf(failure);
  if (agent.kind === 'tool' || place === undefined) return { ...base, ...agent.at };
  return { ...base, ...placeIn(agent.body, place, agent.body.file) };
}

function placeIn(
  text: SourceText,
  place: TextPlace | undefined,
  file?: string,
): Pick<WorkflowPlace, 'line' | 'column' | 'text'> {
  if (place === undefined) return text.at;
  const { line, column } = place;
  const named = file === undefined ? {} : { file };
  return { ...text.locate(place), text: { line, ...(column === undefined ? {} : { column }), ...named } };
}

function placeOf(failure: Failure): TextPlace | undefined {
  if (failure.status !== 'failed' || failure.error.line === undefined) return undefined;
  return { line: failure.error.line, column: failure.error.column };
}

function tellWhere(failure: Failure, what: string, at: WorkflowPlace): ProgramEnd {
  const where = `${what} (${renderPlace(at)})`;
  if (failure.status === 'denied') return { ...failure, decision: `${where}: ${failure.decision}` };
  if (failure.status !== 'failed') return failure;
  const { error } = failure;
  const { kind, line, column, stack, path } = error;
  const isOwn = error.code === 'PREDICATE_NOT_BOOLEAN';
  const title = error.kind === 'refused' ? error.message : `${error.name}: ${error.message}`;
  return {
    status: 'failed',
    error: {
      ...refusal(isOwn ? 'PREDICATE_NOT_BOOLEAN' : 'AGENT_FAILED', `${where}: ${title}`, error.hint),
      kind,
      ...(path === undefined ? {} : { path }),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
      stack,
      ...(isOwn ? {} : { cause: causeOf(error) }),
      ...('thrown' in error ? { thrown: error.thrown } : {}),
      ...(error.thrownLossy === undefined ? {} : { thrownLossy: error.thrownLossy }),
    },
  };
}

function causeOf({ name, message, code, stack, cause }: ProgramError) {
  return {
    name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(stack === '' ? {} : { stack }),
    ...(cause === undefined ? {} : { cause }),
  };
}

function describeLimit({ limit, ceiling }: Extract<Failure, { status: 'limited' }>): string {
  const name = reportedLimits[limit];
  return `it was ended at its limit of ${ceiling} ${limitTable[name].unit} (${name})`;
}
