import { randomUUID } from 'node:crypto';
import { closeSync, linkSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { isErrno } from './errno.ts';

/** A lock that this process holds until it releases it or dies. */
export interface LockFile {
  readonly path: string;
  readonly release: () => void;
}

/** Takes the lock, or tells who has it. Whoever died with it is no hindrance. */
export function takeLock(path: string): LockFile | { readonly heldBy: string } {
  const mine = describeThisProcess();
  if (createWith(path, mine)) return heldLock(path, mine);
  const holder = readHolder(path);
  if (holder !== undefined && !isGone(holder)) return { heldBy: `process ${holder.pid} on ${holder.host}` };
  if (removeAbandoned(path) && createWith(path, mine)) return heldLock(path, mine);
  return { heldBy: 'another process that took it just now' };
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in the kernel's words: a number used again is told apart. Empty where unknown. */
  readonly started: string;
  readonly token: string;
}

function describeThisProcess(): Holder {
  return { pid: process.pid, host: hostname(), started: startOf(process.pid), token: randomUUID() };
}

// A link appears whole or not at all, so nobody reads a lock that is half written.
function createWith(path: string, holder: Holder): boolean {
  const draft = `${path}.${holder.token}`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeSync(descriptor, JSON.stringify(holder));
    closeSync(descriptor);
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

function heldLock(path: string, mine: Holder): LockFile {
  return {
    path,
    release: () => {
      // Only one's own lock: it may have been taken away by hand and given to someone else.
      if (readHolder(path)?.token === mine.token) unlinkSync(path);
    },
  };
}

function readHolder(path: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isHolder(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, host, started, token } = value as Partial<Record<keyof Holder, unknown>>; // checked in the next line
  return Number.isSafeInteger(pid) && [host, started, token].every((text) => typeof text === 'string');
}

// Of another host nothing can be known, so its locks hold.
function isGone(holder: Holder): boolean {
  if (holder.host !== hostname()) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return isErrno(error, 'ESRCH');
  }
  return holder.started !== '' && startOf(holder.pid) !== holder.started;
}

function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything; the start time is the 20th field behind it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

// Two that find the same abandoned lock must not remove each other's new one: whoever removes holds a second lock.
function removeAbandoned(path: string): boolean {
  const guard = `${path}.takeover`;
  try {
    closeSync(openSync(guard, 'wx', 0o600));
  } catch (error) {
    if (isErrno(error, 'EEXIST')) removeOld(guard);
    return false;
  }
  try {
    const holder = readHolder(path);
    if (holder !== undefined && !isGone(holder)) return false;
    unlinkSync(path);
    return true;
  } catch (error) {
    return isErrno(error, 'ENOENT');
  } finally {
    unlinkSync(guard);
  }
}

// A takeover lasts less than a millisecond; one this old belongs to a process that died within it.
const oldTakeoverMs = 30_000;

function removeOld(guard: string): void {
  try {
    if (Date.now() - statSync(guard).mtimeMs > oldTakeoverMs) unlinkSync(guard);
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}
