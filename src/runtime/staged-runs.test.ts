import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunOutcome } from '../contract/outcome.ts';
import type { StagedOptions } from '../contract/staged-options.ts';
import { createRuntime } from './create-runtime.ts';
import type { Runtime } from './runtime.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { readAuditLog } from './testing/read-audit-log.ts';

let base: string;
let src: string;
let runtime: Runtime | undefined;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-staged-')));
  src = join(base, 'src');
  mkdirSync(join(src, 'lib'), { recursive: true });
  writeFileSync(join(src, 'a.txt'), 'one\n');
  writeFileSync(join(src, 'lib/b.txt'), 'two\n');
});

afterEach(async () => {
  await runtime?.close();
  runtime = undefined;
  rmSync(base, { recursive: true });
});

async function start(options: RuntimeOptions): Promise<Runtime> {
  runtime = await createRuntime({ workers: 1, ...options });
  return runtime;
}

async function run(source: string, staged: StagedOptions, more: Partial<RuntimeOptions> = {}): Promise<RunOutcome> {
  return (await start({ staged, ...more })).run({ source });
}

function resultOf(outcome: RunOutcome): unknown {
  return outcome.status === 'completed' ? outcome.value : outcome;
}

const rewrite = "for (const path of list_files()) write_file(path, read_file(path).toUpperCase()); return 'done'";

describe('a staged run', () => {
  it('works on copies, and lists and removes files', async () => {
    const source = `
      const before = list_files();
      write_file('/src/new/deep.txt', 'new');
      write_file('src/a.txt', 'more', 'a');
      remove_file('src/lib/b.txt');
      return [before, list_files(), list_files('src', { recursive: false }), read_file('src/a.txt')]`;
    const outcome = await run(source, { copy: [src] });
    expect(resultOf(outcome)).toEqual([
      ['src/a.txt', 'src/lib/b.txt'],
      ['src/a.txt', 'src/new/deep.txt'],
      ['src/a.txt'],
      'one\nmore',
    ]);
    expect(outcome.mode).toBe('staged');
    expect(readFileSync(join(src, 'a.txt'), 'utf8')).toBe('one\n');
    expect(outcome.changes?.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'modify src/a.txt',
      'delete src/lib/b.txt',
      'create src/new/deep.txt',
    ]);
    expect(outcome.effects.map(({ helper, path, bytes }) => `${helper} ${path} ${bytes}`)).toEqual([
      'list_files . 23',
      'write_file src/new/deep.txt 3',
      'write_file src/a.txt 8',
      'remove_file src/lib/b.txt 4',
      'list_files . 26',
      'list_files src 9',
      'read_file src/a.txt 8',
    ]);
  });

  it('has no changes where every byte is as it was', async () => {
    const outcome = await run('for (const path of list_files()) write_file(path, read_file(path))', { copy: [src] });
    expect(outcome.changes).toEqual([]);
    expect(await runtime?.renderDiff(outcome)).toBe('');
  });

  it('renders what is no text as a binary patch', async () => {
    writeFileSync(join(src, 'a.txt'), new Uint8Array([0, 1, 2]));
    const outcome = await run("remove_file('src/a.txt')", { copy: [src] });
    expect(await runtime?.renderDiff(outcome)).toContain('GIT binary patch');
  });

  it('starts empty without inputs, and a run may name its own', async () => {
    const staged = await start({ mode: 'staged' });
    expect(resultOf(await staged.run({ source: 'return list_files()' }))).toEqual([]);
    const inputs = { copy: [{ from: src, to: '/x' }], exclude: ['lib'] };
    expect(resultOf(await staged.run({ source: 'return list_files()', staged: inputs }))).toEqual(['x/a.txt']);
    expect(resultOf(await staged.run({ source: 'return list_files()' }))).toEqual([]);
  });

  it('needs no second gate to write, and nothing else exists', async () => {
    const source = 'return [typeof list_files, typeof globalThis.list_files, write_file("a", "é")]';
    expect(resultOf(await run(source, {}))).toEqual(['function', 'undefined', 1]);
  });

  it.each([
    ["write_file('../x', '')", 'ValueError', 'PATH_TRAVERSAL', 'write_file("../x"): path contains ".."'],
    ["read_file('nope')", 'Error', 'NOT_FOUND', 'read_file("nope"): there is no such file'],
    ["list_files('nope')", 'Error', 'NOT_FOUND', 'list_files("nope"): there is no such directory'],
    ['list_files(7)', 'ValueError', 'PATH_INVALID', 'list_files(): path must be a string, not a value of type number'],
    [
      "list_files('.', { recursive: 1 })",
      'ValueError',
      'ARGUMENT_INVALID',
      'list_files("."): recursive must be true or false, not 1',
    ],
    ["list_files('.', { deep: 1 })", 'ValueError', 'ARGUMENT_INVALID', 'list_files("."): there is no option "deep"'],
    ["list_files('.', {}, 1)", 'ValueError', 'ARGUMENT_INVALID', 'list_files("."): it takes 2 arguments, not 3'],
    ['remove_file()', 'ValueError', 'PATH_INVALID', 'remove_file(): path is missing'],
    ["remove_file('a', 'b')", 'ValueError', 'ARGUMENT_INVALID', 'remove_file("a"): it takes 1 argument, not 2'],
    ["remove_file('src')", 'Error', 'IS_A_DIRECTORY', 'remove_file("src"): it is a directory'],
    [
      "remove_file('porthole.policy.yaml')",
      'Error',
      'NOT_FOUND',
      'remove_file("porthole.policy.yaml"): there is no such file',
    ],
    ["write_file('porthole.policy.yaml', '')", 'ValueError', 'PATH_PROTECTED', /belongs to|protected/],
    [
      "write_file('big', 'x'.repeat(2000))",
      'ValueError',
      'TREE_FULL',
      /the tree would have 2008 bytes, and 1000 is the most/,
    ],
  ])('refuses %s', async (call, name, code, message) => {
    const source = `try { ${call} } catch (error) { return [error.name, error.code, error.message] }`;
    const outcome = await run(source, { copy: [src] }, { limits: { treeBytes: 1000 } });
    const said = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(resultOf(outcome)).toEqual([name, code, said]);
  });

  it('shows what a run had changed that failed or was ended', async () => {
    const staged = { copyRw: [src] };
    const failed = await run("write_file('src/a.txt', 'x'); throw new Error('no')", staged);
    expect([failed.status, failed.changes?.length]).toEqual(['failed', 1]);
    expect(await runtime?.renderDiff(failed)).toContain('+x');
    expect(await runtime?.writeBack(failed)).toBeNull();
    await runtime?.close();
    const limited = await run("write_file('b', 'x'); for (;;) {}", staged, { limits: { timeMs: 200 } });
    expect([limited.status, limited.changes?.map(({ path }) => path)]).toEqual(['limited', ['b']]);
    expect(readFileSync(join(src, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it('rejects for inputs that cannot be copied, before the program starts', async () => {
    symlinkSync('a.txt', join(src, 'link'));
    await expect(run('return 1', { copy: [src] })).rejects.toMatchObject({ code: 'NOT_A_REGULAR_FILE' });
    await runtime?.close();
    await expect(run('return 1', { copy: [join(base, 'none')] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await runtime?.close();
    const twice = run('return 1', { copy: ['/etc/hostname=/x', '/etc/passwd=/x'] });
    await expect(twice).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: expect.stringContaining('staged.copy "/etc/passwd=/x"'),
    });
  });

  it('ends aborted where that is asked for while it copies, and has no changes', async () => {
    for (let index = 0; index < 200; index++) writeFileSync(join(src, `f${index}`), '');
    const staged = await start({ staged: { copy: [src] } });
    const abort = new AbortController();
    const running = staged.run({ source: 'return 1', signal: abort.signal });
    abort.abort('enough');
    const outcome = await running;
    expect(outcome).toMatchObject({ status: 'aborted', reason: 'enough', changes: [] });
    expect(await staged.renderDiff(outcome)).toBe('');
    expect(await staged.writeBack(outcome)).toBeNull();
  });

  it('gives equal changes for equal seeds and clocks', async () => {
    const staged = await start({ staged: { copy: [src] } });
    const source = "write_file('r', String(Math.random()) + Date.now())";
    const all = [1, 2].map(() => staged.run({ source, seed: 1, now: 0 }));
    const [one, other] = await Promise.all(all);
    expect(one?.changes).toEqual(other?.changes);
  });
});

describe('options of staged runs', () => {
  it.each<[unknown, string]>([
    [
      { staged: { copy: 'src' } },
      'Cannot use copy of createRuntime() staged: expected a list of host paths, or of { from, to }, not "src"',
    ],
    [
      { staged: { copy: [7] } },
      'Cannot use copy[0] of createRuntime() staged: expected a host path, or { from, to }, not 7',
    ],
    [
      { staged: { copyRw: [{ to: '/' }] } },
      'Cannot use from of createRuntime() staged copyRw[0]: expected a host path, not nothing',
    ],
    [
      { staged: { copyRw: [{ from: 'a', to: 1 }] } },
      'Cannot use to of createRuntime() staged copyRw[0]: expected a path of the tree, not 1',
    ],
    [
      { staged: { copy: [{ from: 'a', too: '/' }] } },
      'Cannot use the options of createRuntime() staged copy[0]: there is no option "too"',
    ],
    [
      { staged: { exclude: [1] } },
      'Cannot use exclude of createRuntime() staged: expected a list of patterns, not an array',
    ],
    [
      { staged: {}, mode: 'unsafe', root: '.' },
      'Cannot use mode of createRuntime(): expected "staged", since the option staged is given, not "unsafe"',
    ],
  ])('refuses %j', async (options, message) => {
    await expect(createRuntime(options as RuntimeOptions)).rejects.toMatchObject({ code: 'ARGUMENT_INVALID', message });
  });

  it('belong to runtimes of staged mode, and outcomes to the runtime that gave them', async () => {
    const safe = await start({});
    await expect(safe.run({ source: '1', staged: {} })).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
    const outcome = await safe.run({ source: 'return 1' });
    expect(outcome).not.toHaveProperty('changes');
    await expect(safe.writeBack(outcome)).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
    await expect(safe.renderDiff(outcome)).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
    await expect(safe.writeBack(outcome, { dry: true } as object)).rejects.toThrow('there is no option "dry"');
    await safe.close();
    await expect(safe.writeBack(outcome)).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
  });
});

describe('writing back', () => {
  it('lands what was copied to be written back, once the run has completed', async () => {
    const outcome = await run(`${rewrite.replace("return 'done'", "write_file('src/new/c.txt', 'c')")}`, {
      copyRw: [src],
    });
    expect(readFileSync(join(src, 'a.txt'), 'utf8')).toBe('one\n');
    const dry = await runtime?.writeBack(outcome, { dryRun: true });
    expect(dry?.files.map(({ end }) => end.kind)).toEqual(['planned', 'planned', 'planned']);
    const report = await runtime?.writeBack(outcome);
    expect(report?.files.map(({ hostPath, end }) => `${hostPath} ${end.kind}`)).toEqual([
      `${src}/a.txt written`,
      `${src}/lib/b.txt written`,
      `${src}/new/c.txt written`,
    ]);
    expect(readFileSync(join(src, 'a.txt'), 'utf8')).toBe('ONE\n');
    expect(readFileSync(join(src, 'new/c.txt'), 'utf8')).toBe('c');
    // The files are others now: nothing can be written back twice.
    const again = await runtime?.writeBack(outcome);
    expect(again?.files[0]?.end.kind).toBe('replaced');
  });

  it('is recorded as part of the run', async () => {
    const log = join(base, 'audit.jsonl');
    const outcome = await run(rewrite, { copyRw: [src] }, { audit: { path: log } });
    await runtime?.writeBack(outcome);
    await runtime?.close();
    const events = readAuditLog(log).filter((event) => event.run === outcome.runId);
    const kinds = events.map(({ kind }) => kind);
    const [end] = [kinds.indexOf('run.end')];
    expect(kinds.slice(end)).toEqual([
      'run.end',
      'writeback.plan',
      'policy.decision',
      'file.write.intent',
      'writeback.file',
      'file.write.intent',
      'writeback.file',
    ]);
  });

  it('is asked about once where a policy is in force, with every diff', async () => {
    const asked: number[] = [];
    const outcome = await run(
      rewrite,
      { copyRw: [src] },
      {
        policy: { porthole: 1, mode: 'staged' },
        approve: (question) => {
          asked.push(question.files.length);
          return Promise.resolve(false);
        },
      },
    );
    const report = await runtime?.writeBack(outcome);
    expect(asked).toEqual([2]);
    expect(report?.refusal).toMatchObject({ code: 'APPROVAL_DENIED' });
    expect(readFileSync(join(src, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it('never writes what belongs to Porthole, wherever it lies', async () => {
    const outcome = await run(
      "write_file('src/audit.jsonl', '')",
      { copyRw: [src] },
      { audit: { path: join(src, 'audit.jsonl') } },
    );
    // The log is in the copied directory; it grew since it was copied, and is not for runs to write in any case.
    const report = await runtime?.writeBack(outcome);
    expect(report?.files[0]?.end.kind).not.toBe('written');
    expect(statSync(join(src, 'audit.jsonl')).size).toBeGreaterThan(0);
  });
});

describe('a policy and a tool beside a staged run', () => {
  it('refuses a mode above the ceiling', async () => {
    await expect(start({ staged: {}, policy: { porthole: 1, mode: 'safe' } })).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: expect.stringContaining('Cannot use mode staged'),
    });
  });

  it('has no helper whose tool a policy leaves out', async () => {
    const outcome = await run(
      'return [typeof list_files, typeof remove_file, typeof write_file]',
      {},
      {
        policy: { porthole: 1, mode: 'staged', tools: ['file_read'] },
      },
    );
    expect(resultOf(outcome)).toEqual(['function', 'undefined', 'undefined']);
  });

  it('lets a tool that is called by itself read the root, and never write it', async () => {
    const staged = await start({ root: src, mode: 'staged' });
    expect(await staged.callTool('file_read', { path: 'a.txt' })).toMatchObject({ ok: true });
    const context = { _unsafe_mode: true };
    expect(await staged.callTool('file_write', { path: 'a.txt', content: 'x' }, { context })).toMatchObject({
      ok: false,
      error: { code: 'MODE_SAFE' },
    });
    expect(readFileSync(join(src, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it('adds the inputs of a policy, relative to its file, to those of the run', async () => {
    const file = join(base, 'team.yaml');
    writeFileSync(file, 'porthole: 1\nmode: staged\nstaged: { copyRw: [src=/s], exclude: [lib] }\n');
    const staged = await start({ mode: 'staged', policy: file });
    const outcome = await staged.run({ source: 'return list_files()' });
    expect(resultOf(outcome)).toEqual(['s/a.txt']);
    const more = await staged.run({ source: 'return list_files()', staged: { copy: [{ from: join(src, 'a.txt') }] } });
    expect(resultOf(more)).toEqual(['a.txt', 's/a.txt']);
  });

  it.each([
    ['copy: [5]', 'staged.copy.0: expected a host path, or a mapping of from and to'],
    ['copy: [{ from: a, to: b }]', 'cannot use staged.copy "'],
    ['copyRw: ["a=/../b"]', 'path contains ".."'],
    ['exclude: ["["]', 'cannot use staged.exclude "["'],
    ['copies: []', 'there is no key "copies" in staged'],
  ])('refuses a policy that says %s', async (line, message) => {
    const file = join(base, 'team.yaml');
    writeFileSync(file, `porthole: 1\nmode: staged\nstaged: { ${line} }\n`);
    const problem = { code: 'POLICY_INVALID', message: expect.stringContaining(message) };
    await expect(start({ policy: file })).rejects.toMatchObject(problem);
  });

  it('asks about a removal where a rule says so, with what goes', async () => {
    const diffs: (string | undefined)[] = [];
    const staged = await start({
      staged: { copy: [src] },
      policy: { porthole: 1, mode: 'staged', permissions: { ask: ['write(src/**)'] } },
      approve: ({ files }) => {
        diffs.push(files[0]?.diff);
        return Promise.resolve(true);
      },
    });
    const outcome = await staged.run({ source: "remove_file('src/a.txt'); return list_files()" });
    expect(resultOf(outcome)).toEqual(['src/lib/b.txt']);
    expect(diffs).toEqual([expect.stringContaining('-one')]);
  });

  it('refuses a removal where a rule says so, as a write', async () => {
    const outcome = await run(
      "remove_file('src/a.txt')",
      { copy: [src] },
      {
        policy: { porthole: 1, mode: 'staged', permissions: { deny: ['write(src/**)'] } },
      },
    );
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'POLICY_DENIED' } });
    expect(outcome.changes).toEqual([]);
  });
});
