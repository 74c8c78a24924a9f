import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Effect } from '../contract/outcome.ts';
import { createWindowCursors } from '../cores/window-cursors.ts';
import { createDiskRoot, type DiskRoot } from '../fs/disk-root.ts';
import type { Answer } from '../policy/approver.ts';
import { judgedReadFile, judgedReadLines, judgedWriteFile } from './file-calls.ts';
import type { JudgedCaller, JudgedTarget } from './judged-target.ts';
import { type CallWorld, createCallWorld, type WorldOptions } from './testing/call-world.ts';

const yes: Answer = { decision: 'yes', scope: 'once', by: 'test' };

let directory: string;
let root: DiskRoot;
let target: JudgedTarget;
let effects: Effect[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'porthole-judged-'));
  root = createDiskRoot({ root: directory, protectedPaths: [join(directory, 'own.txt')] });
  const cursors = createWindowCursors();
  const digest = (bytes: Uint8Array) => `digest of ${Buffer.from(bytes).toString()}`;
  const powers = { digest, maxReadBytes: 100, maxWriteBytes: 100, cursors, lineCursors: cursors };
  target = { fs: root, powers };
  effects = [];
});

afterEach(() => {
  root.close();
  rmSync(directory, { recursive: true, force: true });
});

const put = (name: string, text: string) => writeFileSync(join(directory, name), text);
const textOf = (name: string) => readFileSync(join(directory, name), 'utf8');

function enter(options: WorldOptions = {}): { world: CallWorld; caller: JudgedCaller } {
  const world = createCallWorld(options);
  const recordEffect = (effect: Effect) => void effects.push(effect);
  return { world, caller: { name: 'write_file', callId: 'c1', context: world.context, recordEffect } };
}

describe('judgedWriteFile()', () => {
  it('writes what a rule allows: intent and outcome in the log, the effect when it is settled', async () => {
    put('a.txt', 'old');
    const { world, caller } = enter({ rules: [['allow', 'write(a.txt)']] });
    const { result, settle } = await judgedWriteFile(target, caller, { path: 'a.txt', content: 'new' });
    expect(textOf('a.txt')).toBe('new');
    expect(world.details.map(({ kind }) => kind)).toEqual(['policy.decision', 'file.write.intent', 'file.write']);
    expect(world.details[1]?.details).toEqual({
      path: 'a.txt',
      mode: 'w',
      digestBefore: 'digest of old',
      digestPlanned: 'digest of new',
    });
    expect(world.details[2]?.details).toMatchObject({ created: false, bytesBefore: 3, digestAfter: 'digest of new' });
    expect(effects).toEqual([]);
    settle();
    expect(effects).toEqual([
      { helper: 'write_file', path: 'a.txt', bytes: 3, digest: 'digest of new', created: false },
    ]);
    expect(result.created).toBe(false);
  });

  it('judges a linked file by where it is, whichever name is used', async () => {
    mkdirSync(join(directory, 'secret'));
    put('secret/a.txt', 'old');
    symlinkSync('secret', join(directory, 'link'));
    const denying = enter({
      rules: [
        ['deny', 'write(secret/**)'],
        ['allow', 'write(**)'],
      ],
    });
    const write = { path: 'link/a.txt', content: 'new' };
    await expect(judgedWriteFile(target, denying.caller, write)).rejects.toMatchObject({
      code: 'POLICY_DENIED',
      path: 'link/a.txt',
    });
    expect(textOf('secret/a.txt')).toBe('old');
    const allowing = enter({
      rules: [
        ['deny', 'write(other/**)'],
        ['allow', 'write(secret/**)'],
      ],
    });
    await judgedWriteFile(target, allowing.caller, write);
    expect(textOf('secret/a.txt')).toBe('new');
  });

  it('asks with the diff, and says that a file is executable', async () => {
    put('run.sh', 'old');
    chmodSync(join(directory, 'run.sh'), 0o755);
    const { world, caller } = enter({ answer: () => yes });
    await judgedWriteFile(target, caller, { path: './run.sh', content: '!', mode: 'a' });
    expect(world.questions).toMatchObject([
      {
        action: 'file_write a run.sh',
        files: [{ path: 'run.sh', executable: true, diff: expect.stringContaining('+old!'), bytesAfter: 4 }],
      },
    ]);
    expect(textOf('run.sh')).toBe('old!');
  });

  it.each<[string, () => void]>([
    ['changed', () => put('a.txt', 'theirs')],
    ['was removed', () => rmSync(join(directory, 'a.txt'))],
    [
      'became a directory',
      () => {
        rmSync(join(directory, 'a.txt'));
        mkdirSync(join(directory, 'a.txt'));
      },
    ],
  ])('writes nothing when the file %s while the question was open', async (_how, change) => {
    put('a.txt', 'old');
    const { world, caller } = enter({
      answer: () => {
        change();
        return yes;
      },
    });
    const writing = judgedWriteFile(target, caller, { path: 'a.txt', content: 'new' });
    await expect(writing).rejects.toMatchObject({ code: 'CHANGED_SINCE_READ' });
    expect(world.happened).not.toContain('file.write.intent');
  });

  it('writes nothing when a file appeared where one was to be created', async () => {
    const { caller } = enter({
      answer: () => {
        put('a.txt', 'theirs');
        return yes;
      },
    });
    const writing = judgedWriteFile(target, caller, { path: 'a.txt', content: 'new' });
    await expect(writing).rejects.toMatchObject({ code: 'CHANGED_SINCE_READ' });
    expect(textOf('a.txt')).toBe('theirs');
  });

  it('lets two appends at once both land, asked or not', async () => {
    put('a.txt', '');
    const { caller } = enter({ answer: () => yes });
    const append = (content: string) => judgedWriteFile(target, caller, { path: 'a.txt', content, mode: 'a' });
    await Promise.all([append('1'), append('2'), append('3')]);
    expect([...textOf('a.txt')].sort()).toEqual(['1', '2', '3']);
  });

  it('replaces a file too large to be shown by bytes, and notices when it changes', async () => {
    put('big.txt', 'x'.repeat(500));
    const { caller } = enter({ answer: () => yes });
    await judgedWriteFile(target, caller, { path: 'big.txt', content: 'small' });
    expect(textOf('big.txt')).toBe('small');
  });

  it.each([
    [{ path: '../a', content: 'x' }, 'PATH_TRAVERSAL'],
    [{ path: 'own.txt', content: 'x' }, 'PATH_PROTECTED'],
    [{ path: 'a', content: 5 }, 'ARGUMENT_INVALID'],
  ])('records what is refused before the gate: %j', async (input, code) => {
    const { world, caller } = enter({ rules: [['allow', 'write(**)']] });
    await expect(judgedWriteFile(target, caller, input)).rejects.toMatchObject({ code });
    expect(world.details).toMatchObject([{ kind: 'file.refused', details: { path: input.path, code } }]);
  });
});

describe('judgedReadFile() and judgedReadLines()', () => {
  it('read, and record when settled', async () => {
    put('a.txt', 'hé\n');
    const { world, caller } = enter({ mode: 'safe' });
    const read = await judgedReadFile(target, { ...caller, name: 'read_file' }, { path: 'a.txt' });
    expect(Buffer.from(read.result.bytes).toString()).toBe('hé\n');
    expect(world.details).toEqual([]);
    read.settle();
    expect(effects).toEqual([{ helper: 'read_file', path: 'a.txt', bytes: 4, digest: 'digest of hé\n' }]);
    const lines = await judgedReadLines(target, caller, { path: 'a.txt' });
    lines.settle();
    expect(lines.result.lines).toHaveLength(1);
    expect(world.details.map(({ kind, details }) => [kind, details['path']])).toEqual([
      ['file.read', 'a.txt'],
      ['file.read', 'a.txt'],
    ]);
  });

  it('ask for a credential behind an innocent name before they read it', async () => {
    put('.env', 'KEY=1');
    symlinkSync('.env', join(directory, 'notes.txt'));
    const { world, caller } = enter({ answer: () => ({ decision: 'no' }) });
    for (const read of [judgedReadFile, judgedReadLines]) {
      await expect(read(target, caller, { path: 'notes.txt' })).rejects.toMatchObject({ code: 'APPROVAL_DENIED' });
    }
    expect(world.questions.map(({ action }) => action)).toEqual(['file_read .env', 'file_read .env']);
    const allowed = enter({ answer: () => yes });
    expect((await judgedReadFile(target, allowed.caller, { path: 'notes.txt' })).result.bytes).toHaveLength(5);
  });
});
