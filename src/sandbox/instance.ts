import { isAscii, transcode } from 'node:buffer';
import { defaultLimits } from '../contract/limits.ts';
import { createEngine, type Engine, initialPages, pageBytes } from './engine.ts';
import { expressionFile, expressionParameters, wrapExpression } from './expression.ts';
import { type Image, restoreImage } from './image.ts';
import type { BatchMessage, BatchTask, HelperReply, Latch, ProgramMessage, WorkerEnd } from './messages.ts';
import { callHelperFunction, consoleRoomFunction, printFunction } from './native-functions.ts';
import { type WrappedProgram, wrapProgram } from './program.ts';
import { serialVersion, tags } from './serial-form.ts';
import { holdsOnlyPlain, readSerial } from './serial-reader.ts';
import { writeSerial } from './serial-writer.ts';
import type { CrossingValue } from './value-codec.ts';

/** What an instance asks of its worker while a program runs. */
export interface InstanceHost {
  /** The reason to end the guest now, if there is one. */
  readonly stopReason: () => Latch | undefined;
  readonly print: (level: string, text: string) => void;
  /** How many bytes of console output are left; below 0 when it was cut. */
  readonly consoleRoom: () => number;
  /** Blocks until the host has answered. */
  readonly callHelper: (helper: number, args: readonly unknown[]) => HelperReply;
}

/** How a program ended, with what the engine alone knows. */
export interface InstanceResult {
  readonly end: WorkerEnd;
  /** Jobs were still queued when the body had returned. */
  readonly pendingWork: boolean;
  readonly memoryBytes: number;
}

/** One engine with its memory, good for many programs one after the other. */
export interface Instance {
  run(program: ProgramMessage): InstanceResult;
  /** Evaluates one expression: no helper, no console, no jobs. */
  evaluate(source: string, batch: BatchMessage): WorkerEnd;
  /** Compiles a text without running any of it. */
  check(text: Exclude<BatchTask, { kind: 'bridge' }>, batch: BatchMessage): WorkerEnd;
  /** Makes the memory pristine; false when this instance must be replaced instead (it grew, or it trapped). */
  reset(): boolean;
  /** Whether programs with that much memory fit. */
  holds(memoryBytes: number, resultBytes: number): boolean;
}

// JS_EVAL_FLAG_COMPILE_ONLY
const compileOnly = 1 << 5;
const promisePending = 0;
const promiseFulfilled = 1;

// Writing a result in the serial form takes up to four times its size for a moment; that is the host's doing and does
// not count as the guest's memory.
const resultHeadroom = (resultBytes: number): number => resultBytes * 4 + 1024 * 1024;
// The build asks for a memory of at most 2 GiB; what does not fit beside a guest of that size, it does without.
const mostLinearMemory = 2 ** 31;
const linearMemory = (memoryBytes: number, resultBytes: number): number =>
  Math.min(mostLinearMemory, memoryBytes + resultHeadroom(resultBytes));

/** Makes an instance from the compiled engine and the image. Takes about a millisecond. */
export function createInstance(
  module: WebAssembly.Module,
  image: Image,
  host: InstanceHost,
  ceilings: { readonly memoryBytes: number; readonly resultBytes: number },
): Instance {
  return new EngineInstance(module, image, host, ceilings);
}

class EngineInstance implements Instance {
  readonly #engine: Engine;
  readonly #image: Image;
  readonly #host: InstanceHost;
  readonly #maximumBytes: number;
  #latch: Latch | undefined;
  #memoryCeiling = 0;
  #now: number | undefined;
  #broken = false;

  constructor(
    module: WebAssembly.Module,
    image: Image,
    host: InstanceHost,
    { memoryBytes, resultBytes }: { readonly memoryBytes: number; readonly resultBytes: number },
  ) {
    this.#image = image;
    this.#host = host;
    this.#maximumBytes = linearMemory(memoryBytes, resultBytes);
    this.#engine = createEngine(module, this.#maximumBytes, {
      now: () => this.#now ?? Date.now(),
      shouldInterrupt: () => this.#shouldInterrupt(),
      callFunction: (id, count, pointer) => this.#callFunction(id, count, pointer),
      memoryCeiling: () => this.#memoryCeiling,
      onRefusedGrowth: () => {
        this.#latch ??= 'memory';
      },
    });
    restoreImage(this.#engine, image);
  }

  holds(memoryBytes: number, resultBytes: number): boolean {
    return linearMemory(memoryBytes, resultBytes) <= this.#maximumBytes;
  }

  run(program: ProgramMessage): InstanceResult {
    const state = { pendingWork: false };
    const end = this.#guarded(program, () => this.#runProgram(program, state));
    return { end, pendingWork: state.pendingWork, memoryBytes: this.#engine.heap().byteLength };
  }

  evaluate(source: string, batch: BatchMessage): WorkerEnd {
    return this.#guarded(batch, () => this.#evaluateExpression(source, batch));
  }

  check(text: Exclude<BatchTask, { kind: 'bridge' }>, batch: BatchMessage): WorkerEnd {
    const [wrapped, file] =
      text.kind === 'program'
        ? [wrapProgram(text.source, this.#parameters(text.helpers)), text.file]
        : [wrapExpression(text.source), expressionFile];
    return this.#guarded(batch, () => {
      for (const form of [wrapped.check, wrapped.runnable]) {
        const error = form === undefined ? 0 : this.#exceptionOf(this.#evaluate(form, file, compileOnly));
        if (error !== 0) return this.#describe(error, true);
      }
      return { kind: 'primitive', value: true };
    });
  }

  // The engine's own view of the end comes last: whatever the guest made of it, a latch decides.
  #guarded({ memoryBytes, now }: Pick<ProgramMessage, 'memoryBytes' | 'now'>, act: () => WorkerEnd): WorkerEnd {
    this.#latch = undefined;
    this.#memoryCeiling = memoryBytes;
    this.#now = now;
    let end: WorkerEnd;
    try {
      end = act();
    } catch (trap) {
      this.#broken = true;
      end = { kind: 'trapped', stack: trap instanceof RangeError, message: String(trap) };
    }
    return this.#latch === undefined ? end : { kind: 'latched', latch: this.#latch };
  }

  reset(): boolean {
    if (this.#broken || this.#engine.heap().byteLength > initialPages * pageBytes) return false;
    restoreImage(this.#engine, this.#image);
    return true;
  }

  #runProgram(program: ProgramMessage, state: { pendingWork: boolean }): WorkerEnd {
    const { functions } = this.#engine;
    const { runtime, randomState, helpers } = this.#image.pointers;
    new DataView(this.#engine.heap().buffer).setBigUint64(randomState, program.seed, true);

    const input = this.#givenValue(program.input, functions.getUndefined());
    const context = this.#givenContext(program);
    functions.setMaxStackSize(runtime, program.stackBytes);

    const body = this.#compile(wrapProgram(program.source, this.#parameters(program.helpers)), program.file);
    if ('error' in body) return this.#describe(body.error, true);
    const promise = this.#call(body.value, [input, context, ...program.helpers.map((id) => helpers[id] ?? 0)]);
    const thrown = this.#exceptionOf(promise);
    if (thrown !== 0) return this.#describe(thrown, false);
    return this.#settle(promise, state, program);
  }

  #parameters(helpers: readonly number[]): readonly string[] {
    return [...expressionParameters, ...helpers.map((id) => this.#image.helperNames[id] ?? '')];
  }

  #evaluateExpression(source: string, batch: BatchMessage): WorkerEnd {
    const { functions } = this.#engine;
    const { runtime, randomState, removeConsole } = this.#image.pointers;
    new DataView(this.#engine.heap().buffer).setBigUint64(randomState, batch.seed, true);
    this.#checked(this.#call(removeConsole, []));
    const input = this.#givenValue(batch.input, functions.getUndefined());
    const context = this.#givenContext(batch);
    functions.setMaxStackSize(runtime, defaultLimits.stackBytes);
    const compiled = this.#compile(wrapExpression(source), expressionFile);
    if ('error' in compiled) return this.#describe(compiled.error, true);
    const value = this.#call(compiled.value, [input, context]);
    const thrown = this.#exceptionOf(value);
    if (thrown !== 0) return this.#describe(thrown, false);
    if (this.#latch !== undefined) return latched;
    // What it queued is never run: an expression has its value, or none.
    this.#memoryCeiling = Math.min(this.#maximumBytes, this.#memoryCeiling + resultHeadroom(batch.resultBytes));
    return this.#result(value, batch.resultBytes);
  }

  // The form that is only compiled comes first: were the other evaluated before, a body that closes it would run.
  #compile({ check, runnable }: WrappedProgram, file: string): { readonly error: number } | { readonly value: number } {
    if (check !== undefined) {
      const error = this.#exceptionOf(this.#evaluate(check, file, compileOnly));
      if (error !== 0) return { error };
    }
    const value = this.#evaluate(runnable, file, 0);
    const error = this.#exceptionOf(value);
    return error === 0 ? { value } : { error };
  }

  #givenContext({ context }: Pick<ProgramMessage, 'context'>): number {
    const { deepFreeze, emptyContext } = this.#image.pointers;
    return context === undefined ? emptyContext : this.#checked(this.#call(deepFreeze, [this.#givenValue(context, 0)]));
  }

  #givenValue(value: CrossingValue | undefined, fallback: number): number {
    return value === undefined ? fallback : this.#checked(this.#putValue(value));
  }

  // What the host makes in the guest fails only where there is no room for it.
  #checked(value: number): number {
    if (this.#exceptionOf(value) !== 0) throw new Error('a value of the host could not be made in the guest');
    return value;
  }

  // Runs jobs until none is left; the result is read after the last one.
  #settle(promise: number, state: { pendingWork: boolean }, { resultBytes, stackBytes }: ProgramMessage): WorkerEnd {
    const { functions } = this.#engine;
    const { runtime, context, argumentBlock } = this.#image.pointers;
    while (functions.isJobPending(runtime) !== 0) {
      if (!state.pendingWork) state.pendingWork = functions.promiseState(context, promise) !== promisePending;
      const ran = functions.executePendingJob(runtime, 1, argumentBlock);
      if (this.#latch !== undefined) return latched;
      functions.freeValue(context, ran);
    }
    if (this.#latch !== undefined) return latched;
    const promiseState = functions.promiseState(context, promise);
    if (promiseState === promisePending) return { kind: 'never_settles' };
    const value = functions.promiseResult(context, promise);
    // What reads the result needs a stack, however little the program was given.
    functions.setMaxStackSize(runtime, Math.max(stackBytes, defaultLimits.stackBytes));
    this.#memoryCeiling = Math.min(this.#maximumBytes, this.#memoryCeiling + resultHeadroom(resultBytes));
    return promiseState === promiseFulfilled ? this.#result(value, resultBytes) : this.#describe(value, false);
  }

  // The engine's own form where it is exact; what it cannot tell apart or hold goes through the packer in the guest.
  #result(value: number, resultBytes: number): WorkerEnd {
    const bytes = this.#take(value);
    if (bytes !== undefined && (isPrimitive(bytes) || this.#isExact(bytes, value))) {
      if (bytes.byteLength > resultBytes) return { kind: 'result_too_large', used: bytes.byteLength };
      const isSmall = isPrimitive(bytes) && bytes.byteLength < smallValueBytes;
      return isSmall
        ? { kind: 'primitive', value: readSerial(bytes) }
        : { kind: 'value', value: { bytes, packed: false } };
    }
    this.#latch = this.#latch === 'memory' ? undefined : this.#latch; // the copy did not fit, not the guest
    return this.#packedResult(value, resultBytes);
  }

  #packedResult(value: number, resultBytes: number): WorkerEnd {
    const { functions } = this.#engine;
    const { context, pack } = this.#image.pointers;
    const packed = this.#call(pack, [value, functions.newFloat64(context, resultBytes)]);
    const thrown = this.#exceptionOf(packed);
    if (thrown !== 0) return this.#describe(thrown, false);
    const verdict = this.#takeData(functions.getPropNumber(context, packed, 0));
    const content = functions.getPropNumber(context, packed, 1);
    if (verdict === 'size') return { kind: 'result_too_large', used: Number(this.#takeData(content)) };
    if (verdict === 'problem') return { kind: 'problem', text: String(this.#takeData(content)) };
    const bytes = this.#take(content);
    if (bytes === undefined) return { kind: 'problem', text: 'result cannot be written out' };
    if (bytes.byteLength > resultBytes) return { kind: 'result_too_large', used: bytes.byteLength };
    return { kind: 'value', value: { bytes, packed: true } };
  }

  #isExact(bytes: Uint8Array, value: number): boolean {
    if (!holdsOnlyPlain(bytes)) return false;
    const verdict = this.#call(this.#image.pointers.isPlain, [value]);
    return this.#exceptionOf(verdict) === 0 && this.#takeData(verdict) === true;
  }

  #describe(thrown: number, syntax: boolean): WorkerEnd {
    if (this.#latch !== undefined) return latched;
    const { functions } = this.#engine;
    const { context, describeThrown } = this.#image.pointers;
    const described = this.#call(describeThrown, [thrown, functions.newFloat64(context, maxThrownBytes)]);
    const bytes = this.#exceptionOf(described) === 0 ? this.#take(described) : undefined;
    return { kind: 'thrown', syntax, described: bytes ?? writeSerial(['thrownLossy', 'an error that cannot be read']) };
  }

  #evaluate(source: string, file: string, flags: number): number {
    const { functions } = this.#engine;
    const text = Buffer.from(`${file}\0${source}\0`);
    const pointer = this.#allocate(text.byteLength);
    this.#engine.heap().set(text, pointer);
    const code = pointer + Buffer.byteLength(file) + 1;
    return functions.evaluate(
      this.#image.pointers.context,
      code,
      pointer + text.byteLength - 1 - code,
      pointer,
      0,
      flags,
    );
  }

  #call(target: number, args: readonly number[]): number {
    const { functions, heap } = this.#engine;
    const { context, argumentBlock } = this.#image.pointers;
    new Uint32Array(heap().buffer, argumentBlock, args.length).set(args);
    return functions.call(context, target, functions.getUndefined(), args.length, argumentBlock);
  }

  // The error behind an exception, or 0; asking takes the exception away from the engine.
  #exceptionOf(value: number): number {
    return this.#engine.functions.resolveException(this.#image.pointers.context, value);
  }

  // The bytes of a value in the serial form; undefined for what the form lacks. No guest code runs: the engine's writer
  // refuses accessors and proxies, and takes holes for undefined.
  #take(value: number): Uint8Array | undefined {
    const { functions } = this.#engine;
    const { context } = this.#image.pointers;
    const buffer = functions.encode(context, value);
    if (this.#exceptionOf(buffer) !== 0) return undefined;
    const start = functions.getArrayBuffer(context, buffer); // a copy; 0 where there was no room for it
    if (start === 0) return undefined;
    const length = functions.getArrayBufferLength(context, buffer);
    const bytes = this.#engine.heap().slice(start, start + length);
    functions.free(start);
    functions.freeValue(context, buffer);
    return bytes;
  }

  #takeData(value: number): unknown {
    const bytes = this.#take(value);
    return bytes === undefined ? undefined : readSerial(bytes);
  }

  #putValue({ bytes, packed }: CrossingValue): number {
    const value = this.#putBytes(bytes);
    return packed ? this.#call(this.#image.pointers.revive, [value]) : value;
  }

  #putBytes(bytes: Uint8Array): number {
    const pointer = this.#allocate(bytes.byteLength);
    this.#engine.heap().set(bytes, pointer);
    return this.#decode(pointer, bytes.byteLength);
  }

  // UTF-8 becomes a string of the engine's: Latin-1 where every character fits, UTF-16 otherwise.
  #putText(utf8: Uint8Array): number {
    const wide = !fitsLatin1(utf8);
    const content = wide
      ? transcode(utf8, 'utf8', 'utf16le')
      : isAscii(utf8)
        ? utf8
        : transcode(utf8, 'utf8', 'latin1');
    const head = textHead(content.byteLength, wide);
    const length = head.byteLength + content.byteLength;
    const pointer = this.#allocate(length);
    this.#engine.heap().set(head, pointer);
    this.#engine.heap().set(content, pointer + head.byteLength);
    return this.#decode(pointer, length);
  }

  // Takes over the memory at the pointer.
  #decode(pointer: number, length: number): number {
    const { functions } = this.#engine;
    const { context } = this.#image.pointers;
    const buffer = functions.newArrayBuffer(context, pointer, length);
    const value = functions.decode(context, buffer);
    functions.freeValue(context, buffer);
    return value;
  }

  #allocate(bytes: number): number {
    const pointer = this.#engine.functions.malloc(bytes);
    if (pointer === 0) throw new Error('no room left in linear memory');
    return pointer;
  }

  #shouldInterrupt(): boolean {
    this.#latch ??= this.#host.stopReason();
    return this.#latch !== undefined;
  }

  // Called by the engine for the prelude's native functions; gives back an owned value.
  #callFunction(id: number, count: number, pointer: number): number {
    const { functions } = this.#engine;
    const data = (index: number): unknown => this.#takeData(functions.getArgument(pointer, index));
    if (id === consoleRoomFunction) return functions.newFloat64(this.#image.pointers.context, this.#host.consoleRoom());
    if (id === printFunction && count === 2) this.#print(data(0), data(1));
    if (id === callHelperFunction && count === 2) {
      const { context } = this.#image.pointers;
      return this.#callHelper(functions.getFloat64(context, functions.getArgument(pointer, 0)), data(1));
    }
    return functions.getUndefined();
  }

  // Where there was no room to write the text, the run is at its memory ceiling anyway.
  #print(level: unknown, text: unknown): void {
    if (typeof level === 'string' && typeof text === 'string') this.#host.print(level, text);
  }

  #callHelper(helper: number, args: unknown): number {
    if (this.#latch !== undefined) return this.#engine.functions.getUndefined();
    const reply = this.#host.callHelper(helper, Array.isArray(args) ? args : []);
    switch (reply.kind) {
      case 'text':
        return this.#putText(reply.utf8);
      case 'value':
        return this.#putBytes(reply.bytes);
      case 'refused':
        return this.#putBytes(writeSerial(['refused', reply.name, reply.message, reply.code, reply.path]));
      case 'stop':
        this.#latch ??= 'stopped';
        return this.#engine.functions.getUndefined();
    }
  }
}

const latched: WorkerEnd = { kind: 'latched', latch: 'stopped' };

// Below this, a message holds a primitive value for less than it holds bytes.
const smallValueBytes = 256;

// Version, no names, and a tag that is neither array nor object nor beyond.
function isPrimitive(bytes: Uint8Array): boolean {
  const tag = bytes[2] ?? 0;
  return bytes[1] === 0 && tag <= tags.bigint && tag !== tags.array && tag !== tags.object;
}

// A thrown value is shown to people: more than this is described instead.
const maxThrownBytes = 64 * 1024;

// In UTF-8, U+0080 to U+00FF begin with C2 or C3 and everything above with a larger byte.
function fitsLatin1(utf8: Uint8Array): boolean {
  if (isAscii(utf8)) return true;
  for (let index = 0; index < utf8.byteLength; index++) if ((utf8[index] ?? 0) > 0xc3) return false;
  return true;
}

// Version, no names, the tag, the length in characters with the width in its lowest bit.
function textHead(bytes: number, wide: boolean): Uint8Array {
  const head = [serialVersion, 0, tags.string];
  let rest = wide ? bytes + 1 : bytes * 2;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) head.push((rest % 0x80) | 0x80);
  head.push(rest);
  return Uint8Array.from(head);
}
