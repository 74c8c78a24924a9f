import type { HelperReply } from './messages.ts';

// Memory that a worker and its host share: a few words, a number, and room for one small reply. A message costs both
// sides more than a small helper call does; bytes in shared memory cost a copy.

const words = { reply: 0, stop: 1, replyBytes: 2 } as const;
// What the word `reply` says.
const noReply = 0;
const replyOnPort = 1;
const textReply = 2;
const valueReply = 3;

// A Float64 behind the words: milliseconds of this run that do not count. Written while the guest waits for a reply.
const pausedMsOffset = 16;
const headBytes = 24;
// Beyond this the copies out of shared memory, which go byte by byte, cost more than a message.
const roomBytes = 8 * 1024;

/** Makes the block of one worker. */
export function createControlBlock(): SharedArrayBuffer {
  return new SharedArrayBuffer(headBytes + roomBytes);
}

/** The host's view: asks for a stop, and answers the call that the guest waits in. */
export class HostControl {
  readonly #words: Int32Array;
  readonly #pausedMs: Float64Array;
  readonly #room: Uint8Array;

  constructor(block: SharedArrayBuffer) {
    this.#words = new Int32Array(block, 0, pausedMsOffset / 4);
    this.#pausedMs = new Float64Array(block, pausedMsOffset, 1);
    this.#room = new Uint8Array(block, headBytes);
  }

  askToStop(): void {
    Atomics.store(this.#words, words.stop, 1);
  }

  /** Before a program starts: nothing is asked of it yet, and all of its time counts. */
  begin(): void {
    Atomics.store(this.#words, words.stop, 0);
    this.#pausedMs[0] = 0;
  }

  /** How much of the program's time does not count; to be said before the call that took it is answered. */
  setPaused(ms: number): void {
    this.#pausedMs[0] = ms;
  }

  /** Hands the reply over and wakes the worker; `post` is used for what does not fit. */
  reply(reply: HelperReply, post: (reply: HelperReply) => void): void {
    const kind = this.#put(reply);
    if (kind === replyOnPort) post(reply);
    Atomics.store(this.#words, words.reply, kind);
    Atomics.notify(this.#words, words.reply);
  }

  #put(reply: HelperReply): number {
    if (reply.kind !== 'text' && reply.kind !== 'value') return replyOnPort;
    const bytes = reply.kind === 'text' ? reply.utf8 : reply.bytes;
    if (bytes.byteLength > roomBytes) return replyOnPort;
    this.#room.set(bytes);
    this.#words[words.replyBytes] = bytes.byteLength;
    return reply.kind === 'text' ? textReply : valueReply;
  }
}

/** The worker's view. */
export class WorkerControl {
  readonly #words: Int32Array;
  readonly #pausedMs: Float64Array;
  readonly #room: Uint8Array;

  constructor(block: SharedArrayBuffer) {
    this.#words = new Int32Array(block, 0, pausedMsOffset / 4);
    this.#pausedMs = new Float64Array(block, pausedMsOffset, 1);
    this.#room = new Uint8Array(block, headBytes);
  }

  isAskedToStop(): boolean {
    return Atomics.load(this.#words, words.stop) === 1;
  }

  pausedMs(): number {
    return this.#pausedMs[0] ?? 0;
  }

  /** Blocks until the host has replied; `receive` takes a reply that came as a message. */
  waitForReply(receive: () => HelperReply): HelperReply {
    // The host may wake this wait late, when the reply before was taken already: only the word itself counts.
    while (Atomics.load(this.#words, words.reply) === noReply) Atomics.wait(this.#words, words.reply, noReply);
    const kind = Atomics.exchange(this.#words, words.reply, noReply);
    if (kind === replyOnPort) return receive();
    const bytes = this.#room.slice(0, this.#words[words.replyBytes]);
    return kind === textReply ? { kind: 'text', utf8: bytes } : { kind: 'value', bytes };
  }
}
