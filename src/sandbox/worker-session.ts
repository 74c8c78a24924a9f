import { WorkerControl } from './control-block.ts';
import { batchMs } from './expression.ts';
import { parseImage } from './image.ts';
import { createInstance, type Instance, type InstanceHost } from './instance.ts';
import type {
  BatchMessage,
  BatchResult,
  BatchTask,
  HelperReply,
  Latch,
  ProgramMessage,
  WorkerEnd,
  WorkerMessage,
  WorkerSettings,
  WorkMessage,
} from './messages.ts';

/** What a session needs of its thread. */
export interface SessionPowers {
  readonly post: (message: WorkerMessage, transfer: readonly ArrayBuffer[]) => void;
  /** The message that is already waiting on the port. */
  readonly receive: () => HelperReply;
  /** Monotonic milliseconds. */
  readonly monotonicMs: () => number;
}

/** Runs programs one after the other on a thread that can do nothing else: no files, no network, no policy. */
export function createSession(
  engine: WebAssembly.Module,
  settings: WorkerSettings,
  powers: SessionPowers,
): (work: WorkMessage) => void {
  const control = new WorkerControl(settings.control);
  // A copy of its own: out of memory that threads share, every restore would be copied byte by byte.
  const image = parseImage(new Uint8Array(settings.image));
  let deadline = Number.POSITIVE_INFINITY;
  let consoleLeft = 0;
  let truncated = false;

  const host: InstanceHost = {
    stopReason: (): Latch | undefined => {
      if (control.isAskedToStop()) return 'stopped';
      return powers.monotonicMs() >= deadline + control.pausedMs() ? 'time' : undefined;
    },
    print: (level, text) => print(level as 'log', text), // the prelude prints with its five levels only
    consoleRoom: () => (truncated ? -1 : consoleLeft),
    callHelper: (helper, args) => {
      powers.post({ kind: 'call', helper, args }, []);
      return control.waitForReply(powers.receive);
    },
  };
  const create = (memoryBytes: number, resultBytes: number): Instance =>
    createInstance(engine, image, host, { memoryBytes, resultBytes });

  let instance = create(settings.memoryBytes, settings.resultBytes);
  warmUp();

  return (work) => (work.kind === 'run' ? runProgram(work) : runBatch(work));

  function runProgram(program: ProgramMessage): void {
    const startedAt = powers.monotonicMs();
    deadline = startedAt + program.timeMs;
    consoleLeft = program.consoleBytes;
    truncated = false;
    makeRoom(program);
    const { end, pendingWork, memoryBytes } = instance.run(program);
    const wallMs = powers.monotonicMs() - startedAt;
    powers.post({ kind: 'done', end, pendingWork, memoryBytes, wallMs }, transferable(end));
    // The caller has its answer; the memory is made pristine behind its back.
    makePristine();
  }

  function runBatch(batch: BatchMessage): void {
    const startedAt = powers.monotonicMs();
    truncated = true; // nothing is printed
    makeRoom(batch);
    const results: BatchResult[] = [];
    for (const [index, task] of batch.tasks.entries()) {
      results.push(doTask(task, { ...batch, seed: nextSeed(batch.seed, index) }));
      const isLast = index === batch.tasks.length - 1;
      // The host must know soon what a message came to: it kills a thread that does not answer.
      if (isLast || control.isAskedToStop() || powers.monotonicMs() - startedAt > batchMs) break;
      makePristine();
    }
    powers.post(
      { kind: 'batched', results },
      results.flatMap(({ end }) => transferable(end)),
    );
    makePristine();
  }

  function doTask(task: BatchTask, batch: BatchMessage): BatchResult {
    const begin = (): void => {
      deadline = powers.monotonicMs() + batch.timeMs;
    };
    begin();
    if (task.kind !== 'bridge') return { part: 'text', end: instance.check(task, batch) };
    if (task.when !== undefined) {
      const end = instance.evaluate(task.when, batch);
      if (task.transform === undefined || !isTrue(end)) return { part: 'when', end };
      makePristine();
      begin();
    }
    return { part: 'transform', end: instance.evaluate(task.transform ?? 'input_data', batch) };
  }

  function makeRoom({ memoryBytes, resultBytes }: WorkMessage): void {
    if (!instance.holds(memoryBytes, resultBytes)) instance = create(memoryBytes, resultBytes);
  }

  function makePristine(): void {
    if (!instance.reset()) instance = create(settings.memoryBytes, settings.resultBytes);
  }

  function print(level: Extract<WorkerMessage, { kind: 'print' }>['level'], text: string): void {
    if (truncated) return;
    const size = Buffer.byteLength(text) + 1;
    if (size <= consoleLeft) powers.post({ kind: 'print', level, text }, []);
    else {
      truncated = true;
      if (consoleLeft > 1) powers.post({ kind: 'print', level, text: cut(text, consoleLeft - 1) }, []);
      powers.post({ kind: 'truncated' }, []);
    }
    consoleLeft -= size;
  }

  // The first program of a process costs 8 to 14 ms of lazy compilation, which no deadline should see.
  function warmUp(): void {
    instance.run(warmUpProgram);
    instance.reset();
  }
}

function isTrue(end: WorkerEnd): boolean {
  return end.kind === 'primitive' && end.value === true;
}

// The generator of Math.random cannot leave the state 0.
function nextSeed(seed: bigint, index: number): bigint {
  return BigInt.asUintN(64, seed + BigInt(index)) || 1n;
}

const warmUpProgram: ProgramMessage = {
  kind: 'run',
  source: 'return { sum: [1, 2].map((n) => n + 1) }',
  file: 'program.js',
  helpers: [],
  input: undefined,
  context: undefined,
  timeMs: 1000,
  memoryBytes: 16 * 1024 * 1024,
  stackBytes: 256 * 1024,
  resultBytes: 1024,
  consoleBytes: 1,
  seed: 1n,
  now: undefined,
};

// At a character border, at most that many bytes of UTF-8.
function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

function transferable(end: Extract<WorkerMessage, { kind: 'done' }>['end']): readonly ArrayBuffer[] {
  if (end.kind !== 'value' || end.value.bytes.byteLength < worthTransferring) return [];
  return [end.value.bytes.buffer as ArrayBuffer]; // a fresh copy out of linear memory, never shared
}

// Below this, copying is cheaper than moving ownership.
const worthTransferring = 16 * 1024;
