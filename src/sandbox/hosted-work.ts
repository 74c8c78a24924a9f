import type { ProgramEnd } from '../contract/outcome.ts';
import type { HelperReply, WorkerMessage } from './messages.ts';

/** The host's side of what a thread works on: makes an outcome of its messages. */
export interface HostedWork<Outcome> {
  /** Takes a message; the outcome once it is the last one. */
  take(received: Exclude<WorkerMessage, { kind: 'ready' }>, respond: (reply: HelperReply) => void): Outcome | undefined;
  /** Makes that the end, unless there is one already. */
  latch(end: ProgramEnd): void;
  /** The end at the time limit. */
  timedOut(): ProgramEnd;
  /** The outcome where the thread was ended, or died. */
  finishKilled(end: ProgramEnd, wallMs: number): Outcome;
}
