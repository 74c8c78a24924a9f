import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WriteBackReport } from '../contract/write-back.ts';
import { createDiskRoot } from '../fs/disk-root.ts';
import { nodeSyscalls, type Syscalls } from '../fs/syscalls.ts';
import { createWorld, type World } from '../fs/testing/world.ts';
import { exitCodeOfReport, renderReport } from './render-report.ts';
import {
  copyIn,
  createWriteBackCalls,
  type Edits,
  type WriteBackChoices,
  writeBackEdits,
} from './testing/write-back-world.ts';

let world: World;
beforeEach(async () => {
  world = createWorld();
  await world.furnish([
    { file: 'src/a.ts', text: 'a\n' },
    { file: 'src/b.ts', text: 'b\n', mode: '755' },
    { file: 'src/c.ts', text: 'c\n' },
    { file: 'src/deep/d.ts', text: 'd\n' },
    { outsideFile: 'secret', text: 'secret' },
  ]);
});
afterEach(() => world[Symbol.asyncDispose]());

const at = (path: string) => join(world.root, path);
const read = (path: string) => readFileSync(at(path), 'utf8');
const copySource = () => copyIn({ from: at('src'), place: 'src', given: 'src' });

interface Told {
  readonly lines: readonly string[];
  readonly exit: number;
  readonly report: WriteBackReport;
}

function tell(report: WriteBackReport | null, failOnSkip = false): Told {
  if (report === null) throw new Error('there is no report');
  const lines = renderReport(report).map((line) => line.replace(/^write-back: /, ''));
  return { lines, exit: exitCodeOfReport(report, { failOnSkip }), report };
}

async function write(edits: Edits, choices: WriteBackChoices = {}): Promise<Told> {
  return tell(await writeBackEdits(copySource(), edits, choices));
}

// Does something to the host between the checks and the landing of the n-th file.
function whenLanding(file: number, act: () => void): WriteBackChoices {
  const calls = createWriteBackCalls();
  let intents = 0;
  const record: typeof calls.context.log.record = (kind, details, call) => {
    if (kind === 'file.write.intent' && ++intents === file) act();
    calls.context.log.record(kind, details, call);
  };
  return { calls: { ...calls, context: { ...calls.context, log: { ...calls.context.log, record } } } };
}

describe('writeBack() after a run that did not complete', () => {
  it.each(['failed', 'limited', 'denied', 'aborted', 'crashed'] as const)('writes nothing: %s', async (status) => {
    expect(await writeBackEdits(copySource(), { 'src/a.ts': 'new' }, { status })).toBeNull();
    expect(read('src/a.ts')).toBe('a\n');
  });
});

describe('writeBack() writes', () => {
  it('changed files and new ones, in the order of their paths, and says so', async () => {
    const { lines, exit } = await write({ 'src/c.ts': 'C\n', 'src/a.ts': 'A\n', 'src/new/deep/n.ts': 'n\n' });
    expect(lines).toEqual(['src/a.ts', 'src/c.ts', 'src/new/deep/n.ts', '3 files written, 0 skipped']);
    expect(exit).toBe(0);
    expect([read('src/a.ts'), read('src/c.ts'), read('src/new/deep/n.ts')]).toEqual(['A\n', 'C\n', 'n\n']);
  });

  it('nothing where nothing changed, without a question or an event', async () => {
    const calls = createWriteBackCalls({ rules: [] });
    const { lines, exit } = await write({ 'src/a.ts': 'a\n' }, { calls });
    expect({ lines, exit }).toEqual({ lines: ['0 files written, 0 skipped'], exit: 0 });
    expect(calls.happened).toEqual([]);
  });

  it('an existing file in its own mode, and a new one in the default mode', async () => {
    const before = process.umask(0o022);
    try {
      await write({ 'src/b.ts': 'B\n', 'src/n.ts': 'n\n' });
    } finally {
      process.umask(before);
    }
    expect((statSync(at('src/b.ts')).mode & 0o777).toString(8)).toBe('755');
    expect((statSync(at('src/n.ts')).mode & 0o777).toString(8)).toBe('644');
  });

  it('a single file to that file alone, under its own name', async () => {
    const baseline = copyIn({ from: at('src/a.ts'), place: 'lib/renamed.ts', given: './src/a.ts' });
    const { lines, exit } = tell(await writeBackEdits(baseline, { 'lib/renamed.ts': 'A\n', 'lib/other.ts': 'o' }));
    expect(lines).toEqual([
      './src/a.ts',
      '/lib/other.ts was not copied from the host, skipped',
      '1 file written, 1 skipped',
    ]);
    expect(exit).toBe(0);
    expect(read('src/a.ts')).toBe('A\n');
    expect(world.snapshot(world.root)).not.toHaveProperty('src/other.ts');
  });

  it('through the longest input that holds a new file', async () => {
    await world.furnish([{ file: 'gen/g.ts', text: 'g' }]);
    const baseline = copyIn(
      { from: at('src'), place: '', given: 'src/' },
      { from: at('gen'), place: 'deep/gen', given: 'gen' },
    );
    const { lines } = tell(
      await writeBackEdits(baseline, { 'deep/gen/x.ts': 'x', 'deep/y.ts': 'y', 'deep/genes.ts': 'z' }),
    );
    expect(lines).toEqual(['gen/x.ts', 'src/deep/genes.ts', 'src/deep/y.ts', '3 files written, 0 skipped']);
    expect([read('gen/x.ts'), read('src/deep/y.ts'), read('src/deep/genes.ts')]).toEqual(['x', 'y', 'z']);
  });

  it('nothing through a read-only input inside a writable one', async () => {
    await world.furnish([{ file: 'notes/x.md', text: 'x' }]);
    const baseline = copyIn(
      { from: at('src'), place: 'src' },
      { from: at('notes'), place: 'src/notes', isWritable: false },
    );
    const { lines, exit } = tell(await writeBackEdits(baseline, { 'src/notes/x.md': 'y', 'src/notes/n.md': 'n' }));
    const hint = 'was copied read-only, skipped (use --copy-rw to write it back)';
    expect(lines).toEqual([`/src/notes/n.md ${hint}`, `/src/notes/x.md ${hint}`, '0 files written, 2 skipped']);
    expect(exit).toBe(0);
    expect(read('notes/x.md')).toBe('x');
  });

  it('nothing where overlapping inputs let two places of the tree change one host file', async () => {
    const baseline = copyIn(
      { from: at('src'), place: 'src', given: 'src' },
      { from: at('src/a.ts'), place: 'x.ts', given: 'src/a.ts' },
      { from: at('src/deep'), place: 'deep', given: 'src/deep' },
    );
    const edits = { 'src/a.ts': 'A', 'x.ts': 'X', 'src/deep/n.ts': '1', 'deep/n.ts': '2', 'src/b.ts': 'B' };
    const { lines, exit } = tell(await writeBackEdits(baseline, edits));
    const twice = 'the run changed it in two places of the tree, here and at';
    expect(lines).toEqual([
      `src/deep/n.ts: ${twice} /src/deep/n.ts`,
      `src/a.ts: ${twice} /x.ts`,
      `src/deep/n.ts: ${twice} /deep/n.ts`,
      `src/a.ts: ${twice} /src/a.ts`,
      '0 files written, 0 skipped, 5 not written',
    ]);
    expect(exit).toBe(1);
    expect([read('src/a.ts'), read('src/b.ts')]).toEqual(['a\n', 'b\n']);
    expect(world.snapshot(world.root)).not.toHaveProperty('src/deep/n.ts');
    expect(tell(await writeBackEdits(baseline, { 'x.ts': 'X' })).exit).toBe(0);
    expect(read('src/a.ts')).toBe('X');
  });

  it('no deletion, and says that it did not', async () => {
    const { lines, exit } = await write({ 'src/a.ts': null });
    expect(lines).toEqual([
      '/src/a.ts was deleted in the run, skipped (deletions are never written back)',
      '0 files written, 1 skipped',
    ]);
    expect(exit).toBe(0);
    expect(read('src/a.ts')).toBe('a\n');
  });

  it('names that look like a home directory, a drive or an option', async () => {
    const { exit } = await write({ 'src/~x': '1', 'src/C:/y': '2', 'src/-r': '3' });
    expect(exit).toBe(0);
    expect([read('src/~x'), read('src/C:/y'), read('src/-r')]).toEqual(['1', '2', '3']);
  });

  it('names so that none can forge a line of the report', async () => {
    const { lines } = await write({ 'src/x\nwrite-back: src/y': '1' });
    expect(lines).toEqual(['src/x\\nwrite-back: src/y', '1 file written, 0 skipped']);
  });
});

describe('writeBack() keeps to the pins: one that is broken, and nothing is written', () => {
  const broken: readonly (readonly [string, string, () => void])[] = [
    ['other bytes in place', 'src/c.ts', () => writeFileSync(at('src/c.ts'), 'X\n')],
    ['more bytes in place', 'src/c.ts', () => writeFileSync(at('src/c.ts'), 'c\nmore')],
    [
      'another file with the same bytes',
      'src/c.ts',
      () => {
        writeFileSync(at('src/next'), 'c\n');
        renameSync(at('src/next'), at('src/c.ts'));
      },
    ],
    ['no file any more', 'src/c.ts', () => rmSync(at('src/c.ts'))],
    [
      'a directory in its place',
      'src/c.ts',
      () => {
        rmSync(at('src/c.ts'));
        mkdirSync(at('src/c.ts'));
      },
    ],
    [
      'a file where its directory was',
      'src/deep/d.ts',
      () => {
        renameSync(at('src/deep'), at('parked'));
        writeFileSync(at('src/deep'), '');
      },
    ],
    ['a file where one is to be created', 'src/n.ts', () => writeFileSync(at('src/n.ts'), '')],
    ['a directory where one is to be created', 'src/n.ts', () => mkdirSync(at('src/n.ts'))],
    ['a file where a directory is to be created', 'src/new/n.ts', () => writeFileSync(at('src/new'), '')],
    [
      'another input directory with the same files',
      'src/n.ts',
      () => {
        renameSync(at('src'), at('parked'));
        mkdirSync(at('src'));
      },
    ],
    ['no input directory any more', 'src/n.ts', () => renameSync(at('src'), at('parked'))],
  ];

  it.each(broken)('%s', async (_, path, act) => {
    const baseline = copySource();
    act();
    const before = world.snapshot();
    const edits = { [path]: 'new', ...(path === 'src/n.ts' ? {} : { 'src/a.ts': 'A\n' }) };
    const calls = createWriteBackCalls();
    const { lines, exit } = tell(await writeBackEdits(baseline, edits, { calls }));
    const count = Object.keys(edits).length;
    expect(lines).toEqual([
      `${path} was replaced during the run; nothing written`,
      `0 files written, 0 skipped, ${count} not written`,
    ]);
    expect(exit).toBe(5);
    expect(world.snapshot()).toEqual(before);
    expect(calls.happened).toEqual(['file.refused']);
  });

  it('names every file that changed', async () => {
    const baseline = copySource();
    for (const path of ['src/a.ts', 'src/c.ts']) writeFileSync(at(path), 'X');
    const { lines } = tell(await writeBackEdits(baseline, { 'src/a.ts': 'A', 'src/b.ts': 'B', 'src/c.ts': 'C' }));
    expect(lines).toEqual([
      'src/a.ts was replaced during the run; nothing written',
      'src/c.ts was replaced during the run; nothing written',
      '0 files written, 0 skipped, 3 not written',
    ]);
  });

  it('does not look at files outside the plan', async () => {
    const baseline = copySource();
    writeFileSync(at('src/b.ts'), 'somebody else');
    const { exit } = tell(await writeBackEdits(baseline, { 'src/a.ts': 'A' }));
    expect(exit).toBe(0);
    expect([read('src/a.ts'), read('src/b.ts')]).toEqual(['A', 'somebody else']);
  });

  it('leaves what landed before when a pin breaks on the way', async () => {
    const choices = whenLanding(2, () => writeFileSync(at('src/b.ts'), 'X\n'));
    const { lines, exit } = await write({ 'src/a.ts': 'A', 'src/b.ts': 'B', 'src/c.ts': 'C' }, choices);
    expect(lines).toEqual([
      'src/a.ts',
      'src/b.ts was replaced during the run; nothing more written',
      '1 file written, 0 skipped, 2 not written',
    ]);
    expect(exit).toBe(5);
    expect([read('src/a.ts'), read('src/b.ts'), read('src/c.ts')]).toEqual(['A', 'X\n', 'c\n']);
  });

  it('compares what stands there with what a person was shown', async () => {
    const answer = () => {
      writeFileSync(at('src/a.ts'), 'X');
      return { decision: 'yes', scope: 'once' } as const;
    };
    const { lines, exit } = await write({ 'src/a.ts': 'A' }, { calls: createWriteBackCalls({ rules: [], answer }) });
    expect(lines[0]).toBe('src/a.ts was replaced during the run; nothing written');
    expect(exit).toBe(5);
    expect(read('src/a.ts')).toBe('X');
  });

  it('writes nothing of a set of which one file changed while a person was asked', async () => {
    const calls = createWriteBackCalls({
      rules: [['ask', 'writeback(**)']],
      answer: () => {
        writeFileSync(at('src/b.ts'), 'X\n');
        return { decision: 'yes', scope: 'once' } as const;
      },
    });
    const { lines, exit } = await write({ 'src/a.ts': 'A', 'src/b.ts': 'B', 'src/c.ts': 'C' }, { calls });
    expect(lines).toEqual([
      'src/b.ts was replaced during the run; nothing written',
      '0 files written, 0 skipped, 3 not written',
    ]);
    expect(exit).toBe(5);
    expect([read('src/a.ts'), read('src/b.ts'), read('src/c.ts')]).toEqual(['a\n', 'X\n', 'c\n']);
    expect(calls.happened.filter((kind) => kind.includes('intent'))).toEqual([]);
  });

  it('looks again at a file that was to be created while a person was asked', async () => {
    const answer = () => {
      writeFileSync(at('src/n.ts'), 'X');
      return { decision: 'yes', scope: 'once' } as const;
    };
    const { exit } = await write({ 'src/n.ts': 'N' }, { calls: createWriteBackCalls({ rules: [], answer }) });
    expect(exit).toBe(5);
    expect(read('src/n.ts')).toBe('X');
  });
});

describe('writeBack() follows no link', () => {
  const linked: readonly (readonly [string, string, () => void])[] = [
    [
      'in the place of a file, to the outside',
      'src/c.ts',
      () => {
        rmSync(at('src/c.ts'));
        symlinkSync(join(world.outside, 'secret'), at('src/c.ts'));
      },
    ],
    [
      'in the place of a file, to another inside',
      'src/c.ts',
      () => {
        rmSync(at('src/c.ts'));
        symlinkSync('b.ts', at('src/c.ts'));
      },
    ],
    [
      'in the place of a file, to the very file',
      'src/c.ts',
      () => {
        renameSync(at('src/c.ts'), at('src/real.ts'));
        symlinkSync('real.ts', at('src/c.ts'));
      },
    ],
    ['in the place of a new file, to nothing', 'src/n.ts', () => symlinkSync('nothing', at('src/n.ts'))],
    ['in the place of a new file, to itself', 'src/n.ts', () => symlinkSync('n.ts', at('src/n.ts'))],
    [
      'in the place of a directory, to the outside',
      'src/deep/d.ts',
      () => {
        renameSync(at('src/deep'), at('parked'));
        symlinkSync(world.outside, at('src/deep'));
      },
    ],
    [
      'in the place of a directory, to the moved one',
      'src/deep/d.ts',
      () => {
        renameSync(at('src/deep'), at('src/parked'));
        symlinkSync('parked', at('src/deep'));
      },
    ],
    ['in the place of a new directory', 'src/new/n.ts', () => symlinkSync(world.outside, at('src/new'))],
    [
      'in the place of the input',
      'src/n.ts',
      () => {
        renameSync(at('src'), at('parked'));
        symlinkSync(at('parked'), at('src'));
      },
    ],
    [
      'above the input',
      'src/n.ts',
      () => {
        renameSync(world.root, join(world.base, 'parked'));
        symlinkSync(join(world.base, 'parked'), world.root);
      },
    ],
  ];

  it.each(linked)('%s', async (_, path, act) => {
    const baseline = copySource();
    act();
    const before = world.snapshot();
    const { lines, exit } = tell(await writeBackEdits(baseline, { [path]: 'new' }));
    expect(lines).toEqual([
      `${path} is a symlink or resolves outside its input; nothing written`,
      '0 files written, 0 skipped, 1 not written',
    ]);
    expect(exit).toBe(1);
    expect(world.snapshot()).toEqual(before);
  });

  it.each(linked)('%s, while files land', async (_, path, act) => {
    const outside = world.snapshot(world.outside);
    const { lines, exit } = await write({ 'src/a.ts': 'A', [path]: 'new' }, whenLanding(2, act));
    expect(lines).toEqual([
      'src/a.ts',
      `${path} is a symlink or resolves outside its input; nothing more written`,
      '1 file written, 0 skipped, 1 not written',
    ]);
    expect(exit).toBe(1);
    expect(world.snapshot(world.outside)).toEqual(outside);
  });

  it('refuses a link above a single file', async () => {
    const baseline = copyIn({ from: at('src/a.ts'), place: 'a.ts', given: 'src/a.ts' });
    renameSync(at('src'), at('parked'));
    symlinkSync('parked', at('src'));
    const { exit } = tell(await writeBackEdits(baseline, { 'a.ts': 'A' }));
    expect(exit).toBe(1);
    expect(read('parked/a.ts')).toBe('a\n');
  });
});

describe('writeBack() of a name that became the other kind', () => {
  it('fails on a directory that the host still has, without calling it replaced', async () => {
    const { lines, exit } = await write({ 'src/deep/d.ts': null, 'src/deep': 'a file now' });
    expect(lines).toEqual([
      'src/deep: it is a directory',
      '/src/deep/d.ts was deleted in the run, skipped (deletions are never written back)',
      '0 files written, 1 skipped, 1 not written',
    ]);
    expect(exit).toBe(1);
  });

  it('fails on a file that the host still has', async () => {
    const { lines, exit } = await write({ 'src/a.ts': null, 'src/a.ts/index.ts': 'x' });
    expect(lines[0]).toBe('src/a.ts/index.ts: a component of the path is not a directory');
    expect(exit).toBe(1);
    expect(read('src/a.ts')).toBe('a\n');
  });
});

describe('writeBack() of files that cannot be written', () => {
  it('finds out before the first one is', async () => {
    chmodSync(at('src/c.ts'), 0o444);
    const { lines, exit } = await write({ 'src/a.ts': 'A', 'src/c.ts': 'C' });
    expect(lines).toEqual(['src/c.ts: the file is read-only', '0 files written, 0 skipped, 2 not written']);
    expect(exit).toBe(1);
    expect(read('src/a.ts')).toBe('a\n');
  });

  it('leaves what landed when the disk is full, and says how many did', async () => {
    let syncs = 0;
    const full: Syscalls = {
      ...nodeSyscalls,
      write: (fd, source, offset, length) => {
        if (++syncs > 1) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        return nodeSyscalls.write(fd, source, offset, length);
      },
    };
    const openRoot = (root: string) => createDiskRoot({ root, createDirectories: true, syscalls: full });
    const { lines, exit } = await write({ 'src/a.ts': 'A', 'src/b.ts': 'B', 'src/c.ts': 'C' }, { openRoot });
    expect(lines).toEqual([
      'src/a.ts',
      'src/b.ts: no space left on device',
      '1 file written, 0 skipped, 2 not written',
    ]);
    expect(exit).toBe(1);
    expect([read('src/a.ts'), read('src/b.ts'), read('src/c.ts')]).toEqual(['A', 'b\n', 'c\n']);
  });

  it.each([1, 2, 3])('throws on what is no refusal, whenever it comes: at opening number %i', async (number) => {
    let opened = 0;
    const openRoot = (root: string) => {
      if (++opened === number) throw new TypeError('a fault of the program');
      const disk = createDiskRoot({ root, createDirectories: true });
      // Opened anew each time.
      return { ...disk, isInPlace: () => false };
    };
    const answer = () => ({ decision: 'yes', scope: 'once' }) as const;
    const calls = createWriteBackCalls({ rules: [], answer });
    await expect(write({ 'src/a.ts': 'A' }, { openRoot, calls })).rejects.toThrow(TypeError);
    expect(read('src/a.ts')).toBe('a\n');
  });
});

describe('writeBack() before the gate', () => {
  it('asks once for the set, with every diff', async () => {
    const calls = createWriteBackCalls({ rules: [], answer: () => ({ decision: 'yes', scope: 'once' }) });
    const { exit } = await write({ 'src/a.ts': 'A\n', 'src/b.ts': 'B\n', 'src/n.ts': '' }, { calls, root: world.root });
    expect(exit).toBe(0);
    expect(calls.questions).toHaveLength(1);
    expect(calls.questions[0]).toMatchObject({ name: 'writeback', action: 'writeback of 3 files' });
    expect(calls.questions[0]?.files.map(({ path, change, executable }) => ({ path, change, executable }))).toEqual([
      { path: 'src/a.ts', change: 'modify', executable: false },
      { path: 'src/b.ts', change: 'modify', executable: true },
      { path: 'src/n.ts', change: 'create', executable: false },
    ]);
    expect(calls.questions[0]?.files[0]?.diff).toContain('-a\n+A\n');
  });

  it('names files outside the root by their absolute path', async () => {
    const calls = createWriteBackCalls({ rules: [], answer: () => ({ decision: 'no' }) });
    await write({ 'src/a.ts': 'A\n' }, { calls, root: join(world.root, 'elsewhere') });
    expect(calls.questions[0]?.files[0]?.path).toBe(at('src/a.ts'));
  });

  it('writes nothing on a no', async () => {
    const calls = createWriteBackCalls({ rules: [], answer: () => ({ decision: 'no' }) });
    const { lines, exit } = await write({ 'src/a.ts': 'A', 'src/c.ts': 'C' }, { calls });
    expect(exit).toBe(4);
    expect(lines.at(-1)).toBe('0 files written, 0 skipped, 2 not written');
    expect(lines.at(-2)).toMatch(/; nothing written$/);
    expect(lines).toHaveLength(2);
    expect(read('src/a.ts')).toBe('a\n');
    expect(calls.happened.at(-1)).toBe('file.refused');
  });

  it('writes nothing when a rule denies one of the files, and looks at none', async () => {
    const calls = createWriteBackCalls({
      rules: [
        ['deny', 'write(**/c.ts)'],
        ['allow', 'write(**)'],
      ],
    });
    const openRoot = () => {
      throw new Error('looked');
    };
    const { exit } = await write({ 'src/a.ts': 'A', 'src/c.ts': 'C' }, { calls, openRoot });
    expect(exit).toBe(3);
    expect(read('src/a.ts')).toBe('a\n');
  });

  it('writes nothing that the log cannot record', async () => {
    for (const kind of ['writeback.plan', 'file.write.intent']) {
      const calls = createWriteBackCalls();
      calls.failing.add(kind);
      const { lines, exit } = await write({ 'src/a.ts': 'A' }, { calls });
      expect(exit).toBe(1);
      expect(lines.at(-1)).toBe('0 files written, 0 skipped, 1 not written');
      expect(read('src/a.ts')).toBe('a\n');
    }
  });

  it('records the plan, and before each file its intent', async () => {
    const calls = createWriteBackCalls();
    await write({ 'src/a.ts': 'A', 'src/b.ts': null, 'src/n.ts': 'n' }, { calls, root: world.root });
    expect(calls.happened.filter((kind) => kind !== 'policy.decision')).toEqual([
      'writeback.plan',
      'file.write.intent',
      'writeback.file',
      'file.write.intent',
      'writeback.file',
    ]);
    const plan = calls.details.find(({ kind }) => kind === 'writeback.plan');
    expect(plan?.details).toEqual({ files: 2, skipped: 1, paths: ['src/a.ts', 'src/n.ts'] });
    const files = calls.details.filter(({ kind }) => kind === 'writeback.file');
    expect(files.map(({ details }) => details)).toMatchObject([
      { path: 'src/a.ts', mode: 'w', created: false, bytesBefore: 2, bytesAfter: 1 },
      { path: 'src/n.ts', mode: 'w', created: true, bytesBefore: 0, bytesAfter: 1 },
    ]);
    expect(new Set(calls.details.map(({ call }) => call))).toEqual(new Set(['call-1']));
  });

  it('keeps the content where the log keeps it', async () => {
    const calls = createWriteBackCalls({ content: true });
    await write({ 'src/a.ts': 'A' }, { calls });
    expect(calls.details.find(({ kind }) => kind === 'file.write.intent')?.details).toMatchObject({ content: 'A' });
  });

  it('names files below a root that is the root of the file system', async () => {
    const calls = createWriteBackCalls({ rules: [], answer: () => ({ decision: 'no' }) });
    await write({ 'src/a.ts': 'A\n' }, { calls, root: '/' });
    expect(calls.questions[0]?.files[0]?.path).toBe(at('src/a.ts').slice(1));
  });

  it('ends where its own life ends', async () => {
    const calls = createWriteBackCalls();
    const life = { ...calls.context.life, isOver: () => true };
    const { exit } = await write({ 'src/a.ts': 'A' }, { calls: { ...calls, context: { ...calls.context, life } } });
    expect(exit).toBe(4);
    expect(read('src/a.ts')).toBe('a\n');
  });
});

describe('writeBack() as a dry run', () => {
  it('plans and reports, asks nobody, records and writes nothing', async () => {
    const before = world.snapshot();
    const calls = createWriteBackCalls({ rules: [] });
    const { lines, exit } = await write({ 'src/a.ts': 'A', 'src/n.ts': 'n', other: 'o' }, { calls, dryRun: true });
    expect(lines).toEqual([
      'would write src/a.ts',
      'would write src/n.ts',
      '/other was not copied from the host, skipped',
      'would write 2 files, 1 skipped',
    ]);
    expect(exit).toBe(0);
    expect(world.snapshot()).toEqual(before);
    expect(calls.happened).toEqual([]);
    expect(calls.questions).toEqual([]);
  });

  it('exits as the real one would: broken pin, link, denial', async () => {
    const deny = createWriteBackCalls({ rules: [['deny', 'write(**)']] });
    expect((await write({ 'src/a.ts': 'A' }, { dryRun: true, calls: deny })).exit).toBe(3);
    const baseline = copySource();
    writeFileSync(at('src/a.ts'), 'X');
    rmSync(at('src/c.ts'));
    symlinkSync('b.ts', at('src/c.ts'));
    const broken = tell(await writeBackEdits(baseline, { 'src/a.ts': 'A', 'src/b.ts': 'B' }, { dryRun: true }));
    expect(broken.exit).toBe(5);
    expect(broken.lines).toEqual([
      'src/a.ts was replaced during the run; nothing written',
      '0 files written, 0 skipped, 2 not written',
    ]);
    expect(tell(await writeBackEdits(baseline, { 'src/c.ts': 'C' }, { dryRun: true })).exit).toBe(1);
  });
});

describe('renderReport()', () => {
  it('fits a file that failed, skipped ones and both kinds of stops into the lines of one report', () => {
    const report: WriteBackReport = {
      dryRun: false,
      files: [
        { path: 'a', hostPath: 'src/a.ts', end: { kind: 'written' } },
        {
          path: 'b',
          hostPath: 'src/b.ts',
          end: { kind: 'failed', code: 'NO_SPACE', reason: 'the disk or quota is full' },
        },
        { path: 'c', hostPath: 'src/c.ts', end: { kind: 'planned' } },
      ],
      skipped: [
        { path: 'notes/x.md', reason: 'read-only' },
        { path: 'scratch.txt', reason: 'not-from-host' },
      ],
      refusal: null,
    };
    expect(renderReport(report)).toEqual([
      'write-back: src/a.ts',
      'write-back: src/b.ts: no space left on device',
      'write-back: /notes/x.md was copied read-only, skipped (use --copy-rw to write it back)',
      'write-back: /scratch.txt was not copied from the host, skipped',
      'write-back: 1 file written, 2 skipped, 2 not written',
    ]);
  });
});

describe('exitCodeOfReport()', () => {
  it('makes skips count only when asked to', async () => {
    const report = await writeBackEdits(copySource(), { 'src/a.ts': null });
    expect(tell(report).exit).toBe(0);
    expect(tell(report, true).exit).toBe(1);
    expect(tell(await writeBackEdits(copySource(), { 'src/b.ts': 'B' }), true).exit).toBe(0);
  });

  it('prefers the broken pin to the link', async () => {
    const baseline = copySource();
    writeFileSync(at('src/a.ts'), 'X');
    rmSync(at('src/c.ts'));
    symlinkSync('b.ts', at('src/c.ts'));
    expect(tell(await writeBackEdits(baseline, { 'src/a.ts': 'A', 'src/c.ts': 'C' })).exit).toBe(5);
  });
});
