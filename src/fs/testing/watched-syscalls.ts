import { nodeSyscalls, type Syscalls } from '../syscalls.ts';

/** One call of the file layer to the operating system. */
export interface WatchedCall {
  /** Counted from 1, after {@link WatchedSyscalls.start}. */
  readonly index: number;
  readonly name: keyof Syscalls;
  readonly args: readonly unknown[];
}

/** The real system calls, counted, with something that happens before each. */
export interface WatchedSyscalls {
  readonly syscalls: Syscalls;
  /** Begins to count and to tell; what was opened before does not matter. */
  readonly start: () => void;
  /** Names in order. */
  readonly names: () => readonly (keyof Syscalls)[];
  /** How many descriptors were opened since the start and not closed. */
  readonly openDescriptors: () => number;
}

/** What a watcher may say: nothing, or an answer instead of the call's own. It may also throw. */
export type Watcher = (call: WatchedCall, real: () => unknown) => { readonly answer: unknown } | undefined;

/** Wraps the real system calls. */
export function watchSyscalls(watcher: Watcher = () => undefined): WatchedSyscalls {
  let isStarted = false;
  const names: (keyof Syscalls)[] = [];
  const open = new Set<number>();
  const watch = (name: keyof Syscalls, args: readonly unknown[], real: () => unknown): unknown => {
    if (!isStarted) return real();
    names.push(name);
    // A descriptor is released even when closing it reports an error.
    if (name === 'close') open.delete(Number(args[0]));
    const said = watcher({ index: names.length, name, args }, real);
    const answer = said === undefined ? real() : said.answer;
    if (name === 'open') open.add(Number(answer));
    return answer;
  };
  const wrapped = Object.entries(nodeSyscalls).map(([name, real]) => [
    name,
    (...args: readonly unknown[]) =>
      watch(name as keyof Syscalls, args, () => (real as (...args: readonly unknown[]) => unknown)(...args)), // its own entries
  ]);
  return {
    syscalls: Object.fromEntries(wrapped) as Syscalls, // every entry of the real ones, wrapped
    start: () => {
      isStarted = true;
    },
    names: () => names,
    openDescriptors: () => open.size,
  };
}

/** An error as a failed system call throws it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

/** The answer of a disk that confirms at once: where durability is not the question, tests need not wait for it. */
export function skipSync(call: WatchedCall): { readonly answer: undefined } | undefined {
  return call.name === 'fsync' ? { answer: undefined } : undefined;
}
