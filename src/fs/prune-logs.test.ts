import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from './lock-file.ts';
import { pruneLogs } from './prune-logs.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'porthole-prune-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

// Logs 1.jsonl, 2.jsonl, …, last written at so many seconds.
function put(...seconds: readonly number[]): void {
  for (const [index, second] of seconds.entries()) {
    const path = join(directory, `${index + 1}.jsonl`);
    writeFileSync(path, '{}\n');
    utimesSync(path, second, second);
  }
}

const names = () => readdirSync(directory).sort();
const prune = (newest: number, afterSeconds: number, mostRemoved = 9) =>
  pruneLogs(directory, { newest, writtenAfterMs: afterSeconds * 1000, mostRemoved });

describe('pruneLogs()', () => {
  it('removes what is neither among the newest nor young', () => {
    put(10, 20, 30, 40);
    prune(2, 15);
    expect(names()).toEqual(['2.jsonl', '3.jsonl', '4.jsonl']);
    prune(2, 50);
    expect(names()).toEqual(['3.jsonl', '4.jsonl']);
    prune(2, 50);
    expect(names()).toEqual(['3.jsonl', '4.jsonl']);
  });

  it('takes the files a log was rotated into and the lock of a dead writer along, and nothing else', () => {
    put(10, 20);
    const dead = { pid: 2 ** 22 + 1, host: 'elsewhere', started: '', token: 't' };
    for (const [name, text] of [
      ['1.jsonl.1', ''],
      ['1.jsonl.4', ''],
      ['10.txt', ''],
      ['1.jsonl.lock', '{'],
      ['2.jsonl.lock', JSON.stringify(dead)],
    ] as const) {
      writeFileSync(join(directory, name), text);
    }
    prune(1, 50);
    expect(names()).toEqual(['10.txt', '2.jsonl', '2.jsonl.lock']);
  });

  it('never removes one that is being written', () => {
    put(10, 20, 30);
    const lock = takeLock(join(directory, '1.jsonl.lock'));
    if ('heldBy' in lock) throw new Error('nobody else is here');
    prune(1, 50);
    expect(names()).toEqual(['1.jsonl', '1.jsonl.lock', '3.jsonl']);
    lock.release();
    prune(1, 50);
    expect(names()).toEqual(['3.jsonl']);
  });

  it('removes so many at once, and leaves what it cannot remove', () => {
    put(10, 20, 30);
    prune(0, 50, 1);
    expect(names()).toEqual(['2.jsonl', '3.jsonl']);
    rmSync(join(directory, '2.jsonl'));
    writeFileSync(join(directory, '2.jsonl.lock'), '{');
    pruneLogs(join(directory, 'none'), { newest: 0, writtenAfterMs: 0, mostRemoved: 1 });
    prune(0, 50, 1);
    expect(names()).toEqual(['2.jsonl.lock']);
  });
});
