import { errorCodes } from '../contract/errors.ts';
import type { Limits } from '../contract/limits.ts';
import {
  type ConsoleLine,
  type ConsoleOutput,
  type ProgramEnd,
  type ReportedLimit,
  reportedLimits,
  type Warning,
} from '../contract/outcome.ts';
import { renderSize } from '../contract/render-size.ts';
import { encodeAnswer } from './encode-input.ts';
import { isStackOverflow, type ProgramText, programError } from './guest-errors.ts';
import { argumentBytes, type Helper, type HelperAnswer, parseGuestArguments } from './helper.ts';
import type { HostedWork } from './hosted-work.ts';
import type { HelperReply, WorkerEnd, WorkerMessage } from './messages.ts';
import { decodeValue } from './value-codec.ts';

/** What a finished program leaves, before the runtime adds what it knows. */
export interface SandboxOutcome {
  readonly end: ProgramEnd;
  readonly console: ConsoleOutput;
  readonly warnings: readonly Warning[];
  readonly wallMs: number;
  readonly memoryBytes: number;
  readonly helperCalls: number;
}

/** The host's side of one program: collects what it prints, answers and counts its calls, says how it ended. */
export class SandboxRun implements HostedWork<SandboxOutcome> {
  readonly #limits: Limits;
  readonly #text: ProgramText;
  readonly #helpers: readonly (Helper | undefined)[];
  readonly #lines: ConsoleLine[] = [];
  #truncated = false;
  #calls = 0;
  #bytes = 0;
  /** An end that stands whatever the guest makes of it. */
  #latched: ProgramEnd | undefined;

  /** @param helpers by their numbers in the image; absent where the run has no such helper */
  constructor(limits: Limits, text: ProgramText, helpers: readonly (Helper | undefined)[]) {
    this.#limits = limits;
    this.#text = text;
    this.#helpers = helpers;
  }

  take(
    received: Exclude<WorkerMessage, { kind: 'ready' }>,
    respond: (reply: HelperReply) => void,
  ): SandboxOutcome | undefined {
    switch (received.kind) {
      case 'call':
        this.call(received.helper, received.args, respond);
        return undefined;
      case 'print':
        this.print({ level: received.level, text: received.text });
        return undefined;
      case 'truncated':
        this.truncate();
        return undefined;
      case 'done':
        return this.finish(received);
      case 'batched':
        return this.finishKilled(crashed(new Error('a thread that runs a program has answered a batch')), 0);
    }
  }

  print(line: ConsoleLine): void {
    this.#lines.push(line);
  }

  truncate(): void {
    this.#truncated = true;
  }

  /** Makes that the end of the run, unless it has one already. */
  latch(end: ProgramEnd): void {
    this.#latched ??= end;
  }

  /** Runs one helper call and hands its answer on, at once where the helper answers at once. */
  call(helper: number, packedArguments: readonly unknown[], respond: (reply: HelperReply) => void): void {
    const run = this.#helpers[helper];
    // A guest that is being ended reaches no helper any more.
    if (run === undefined || this.#latched !== undefined) return respond({ kind: 'stop' });
    const args = parseGuestArguments(packedArguments);
    this.#calls += 1;
    this.#bytes += argumentBytes(args);
    if (this.#isOver('helper_calls', this.#calls) || this.#isOver('helper_bytes', this.#bytes)) {
      return respond({ kind: 'stop' });
    }
    try {
      const answer = run(args);
      if (!(answer instanceof Promise)) return this.#respond(answer, respond);
      answer.then(
        (later) => this.#respond(later, respond),
        (error) => this.#fail(error, respond),
      );
    } catch (error) {
      this.#fail(error, respond);
    }
  }

  timedOut(): ProgramEnd {
    return this.limited('time');
  }

  /** The outcome, from what the worker saw. */
  finish({ end, pendingWork, wallMs, memoryBytes }: Extract<WorkerMessage, { kind: 'done' }>): SandboxOutcome {
    return this.#outcome(this.#latched ?? this.#checkedEnd(end), pendingWork, wallMs, memoryBytes);
  }

  /** The outcome of a program whose thread was ended, or died. */
  finishKilled(end: ProgramEnd, wallMs: number): SandboxOutcome {
    return this.#outcome(this.#latched ?? end, false, wallMs, 0);
  }

  /** An end at one of the run's own ceilings. */
  limited(limit: ReportedLimit, used?: number): ProgramEnd {
    const ceiling = this.#limits[reportedLimits[limit]];
    return { status: 'limited', limit, ceiling, ...(used === undefined ? {} : { used }) };
  }

  // Replies exactly once: a second reply would wait on the port and answer a later call.
  #respond(answer: HelperAnswer, respond: (reply: HelperReply) => void): void {
    let reply: HelperReply;
    try {
      reply = toReply(answer);
    } catch (error) {
      return this.#fail(error, respond);
    }
    this.#bytes += crossingBytes(reply);
    const isOver = this.#isOver('helper_bytes', this.#bytes);
    respond(isOver ? { kind: 'stop' } : reply);
    // A text that was not handed over is no effect; whatever else a helper answers tells of something it did.
    const hadEffect = answer.kind === 'value' || (answer.kind === 'text' && !isOver);
    try {
      if (hadEffect) answer.afterReply?.();
    } catch (error) {
      this.latch(crashed(error));
    }
  }

  #isOver(limit: 'helper_calls' | 'helper_bytes', used: number): boolean {
    const over = used > this.#limits[reportedLimits[limit]];
    if (over) this.latch(this.limited(limit, used));
    return over;
  }

  // A helper answers refusals as data; whatever it throws is a fault of the host.
  #fail(error: unknown, respond: (reply: HelperReply) => void): void {
    this.latch(crashed(error));
    respond({ kind: 'stop' });
  }

  // Nothing that comes out of a worker may throw in the host.
  #checkedEnd(end: WorkerEnd): ProgramEnd {
    try {
      return this.#programEnd(end);
    } catch (error) {
      return crashed(error);
    }
  }

  #programEnd(end: WorkerEnd): ProgramEnd {
    switch (end.kind) {
      case 'primitive':
        return { status: 'completed', value: end.value };
      case 'value':
        return { status: 'completed', value: decodeValue(end.value) };
      case 'problem':
        return this.#failure('not_serializable', 'RESULT_NOT_SERIALIZABLE', `Cannot return the result: ${end.text}`);
      case 'never_settles':
        return this.#failure(
          'never_settles',
          'NEVER_SETTLES',
          'Cannot finish: the program waits for a promise that nothing can settle',
        );
      case 'thrown': {
        const error = programError(end.described, end.syntax, this.#text);
        return isStackOverflow(error) ? this.limited('stack') : { status: 'failed', error };
      }
      case 'result_too_large':
        return this.limited('result', end.used);
      case 'latched':
        return this.#latchedEnd(end.latch);
      case 'trapped':
        return end.stack ? this.limited('stack') : crashed(new Error(end.message));
    }
  }

  #latchedEnd(latch: 'time' | 'memory' | 'stopped'): ProgramEnd {
    // The host asks for a stop only after it has latched why.
    return latch === 'stopped' ? crashed(new Error('the program was stopped without a reason')) : this.limited(latch);
  }

  #failure(
    kind: 'not_serializable' | 'never_settles',
    code: 'RESULT_NOT_SERIALIZABLE' | 'NEVER_SETTLES',
    message: string,
  ): ProgramEnd {
    return {
      status: 'failed',
      error: { kind, name: 'PortholeError', code, message, hint: errorCodes[code].next, stack: '' },
    };
  }

  #outcome(end: ProgramEnd, pendingWork: boolean, wallMs: number, memoryBytes: number): SandboxOutcome {
    const warnings: Warning[] = [];
    if (pendingWork) warnings.push({ code: 'PENDING_WORK', message: pendingWorkMessage });
    if (this.#truncated) {
      const message = `Console output was cut at ${renderSize(this.#limits.consoleBytes)}; the limit consoleBytes raises that`;
      warnings.push({ code: 'CONSOLE_TRUNCATED', message });
    }
    return {
      end,
      console: { lines: this.#lines, truncated: this.#truncated },
      warnings,
      wallMs,
      memoryBytes,
      helperCalls: this.#calls,
    };
  }
}

const pendingWorkMessage =
  'Work was still queued when the program returned; it was run to its end. An await may be missing';

/** The outcome for a fault of the runtime's own. */
export function crashed(error: unknown): ProgramEnd {
  const fault = error instanceof Error ? error : new Error(String(error));
  return {
    status: 'crashed',
    error: { message: fault.message, ...(fault.stack === undefined ? {} : { stack: fault.stack }) },
  };
}

function toReply(answer: HelperAnswer): HelperReply {
  if (answer.kind === 'value') return { kind: 'value', bytes: encodeAnswer(answer.value) };
  return answer.kind === 'text' ? { kind: 'text', utf8: answer.utf8 } : answer;
}

function crossingBytes(reply: HelperReply): number {
  if (reply.kind === 'text') return reply.utf8.byteLength;
  return reply.kind === 'value' ? reply.bytes.byteLength : 0;
}
