import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { verifyLog } from '../audit/verify.ts';
import { readLogLines } from './audit-files.ts';
import { createRuntime } from './create-runtime.ts';
import { sha256Hex } from './node-judging-powers.ts';
import { type Internals, type Runtime, wireRuntime } from './runtime.ts';
import type { RuntimeOptions } from './runtime-options.ts';

const context = { _unsafe_mode: true };
const startedIn = process.cwd();
let directory: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-settings-')));
  for (const name of ['work', 'work/sub', 'data']) mkdirSync(join(directory, name));
  process.chdir(directory);
});

afterEach(() => {
  process.chdir(startedIn);
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true, force: true });
});

async function open(options: RuntimeOptions = {}, internals: Internals = {}): Promise<Runtime> {
  const runtime = await wireRuntime({ workers: 1, ...options }, internals);
  onTestFinished(runtime.close);
  return runtime;
}

const put = (name: string, text: string) => writeFileSync(join(directory, name), text);
const write = "write_file('a.txt', 'x')";
const eventsOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; run: string; details: Record<string, unknown> }); // our own log

describe('the policy in force', () => {
  it.each(['porthole.policy.yaml', 'porthole.policy.yml', 'porthole.policy.json'])(
    'is %s where nobody names one',
    async (name) => {
      put(name, '{"porthole": 1, "mode": "safe"}');
      await expect(open({ mode: 'unsafe', root: 'work' })).rejects.toMatchObject({
        code: 'ARGUMENT_INVALID',
        message: `Cannot use mode unsafe: the policy ${join(directory, name)} says mode: safe`,
      });
      expect(await (await open()).run({ source: 'return 1' })).toMatchObject({ status: 'completed' });
    },
  );

  it('stops everything where it does not load, be it a link that leads nowhere', async () => {
    put('porthole.policy.yaml', 'porthole: 1\nmoed: safe\n');
    await expect(open()).rejects.toMatchObject({ code: 'POLICY_INVALID', message: expect.stringContaining(':2:1: ') });
    unlinkSync('porthole.policy.yaml');
    symlinkSync('gone', 'porthole.policy.yaml');
    await expect(open()).rejects.toMatchObject({ code: 'POLICY_INVALID' });
  });

  it('is the named one, or an object, instead of the one that lies here', async () => {
    put('porthole.policy.yaml', 'nonsense');
    put('team.yaml', 'porthole: 1\nmode: unsafe\nroot: ./work\npermissions: { allow: ["run(**)", "write(**)"] }\n');
    const named = await open({ policy: 'team.yaml', mode: 'unsafe' });
    expect(await named.run({ source: write, context })).toMatchObject({ status: 'completed' });
    expect(readFileSync('work/a.txt', 'utf8')).toBe('x');
    const given = { porthole: 1, mode: 'unsafe', root: './work/sub', permissions: { allow: ['run(**)'] } } as const;
    const runtime = await open({ policy: given, mode: 'unsafe' });
    expect(await runtime.run({ source: write, context })).toMatchObject({ error: { code: 'APPROVAL_NEEDED' } });
    await expect(open({ policy: { porthole: 1, mode: 'sfae' } as never })).rejects.toMatchObject({
      code: 'POLICY_INVALID',
      message: expect.stringContaining('Cannot use policy given as an object:3:11: mode: expected'),
    });
  });

  it('is narrowed by the limits of runtime and run, and never widened', async () => {
    const policy = { porthole: 1, limits: { timeMs: 500 } } as const;
    await expect(open({ policy, limits: { timeMs: 501 } })).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
    const runtime = await open({ policy });
    expect(await runtime.run({ source: 'for (;;);' })).toMatchObject({ limit: 'time', ceiling: 500 });
    await expect(runtime.run({ source: '', limits: { timeMs: 501 } })).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: expect.stringContaining('says limits.timeMs: 500'),
    });
    expect(await runtime.run({ source: 'return 1', limits: { timeMs: 400 } })).toMatchObject({ value: 1 });
  });

  it('keeps the root below its own, by what the root really is', async () => {
    const policy = { porthole: 1, mode: 'unsafe', root: './work' } as const;
    symlinkSync('../data', 'work/way-out');
    await expect(open({ policy, mode: 'unsafe', root: 'work/way-out' })).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
    });
    await open({ policy, mode: 'unsafe', root: 'work/sub' });
  });

  it('says how files are read and written', async () => {
    put('work/a.txt', 'abcdef');
    const files = { createDirectories: true, maxReadBytes: 5 };
    const policy = { porthole: 1, mode: 'unsafe', permissions: { allow: ['run(**)', 'write(**)'] }, files } as const;
    const runtime = await open({ policy, mode: 'unsafe', root: 'work' });
    const source = "write_file('new/b.txt', ''); try { read_file('a.txt') } catch (error) { return error.code }";
    expect(await runtime.run({ source, context })).toMatchObject({ value: 'FILE_TOO_LARGE' });
    expect(existsSync('work/new/b.txt')).toBe(true);
  });

  it('opens further directories to tools, and not to helpers', async () => {
    const permissions = { allow: ['run(**)', 'write(**)'], deny: ['write(**/data/no/**)'] };
    const policy = { porthole: 1, mode: 'unsafe', writablePaths: ['./data'], permissions } as const;
    mkdirSync('data/no');
    const runtime = await open({ policy, mode: 'unsafe', root: 'work' });
    const path = join(directory, 'data/b.txt');
    const call = { path, mode: 'write', content: 'x' };
    expect(await runtime.callTool('edit_file', call, { context })).toMatchObject({ ok: true, result: { path } });
    expect(readFileSync(path, 'utf8')).toBe('x');
    const denied = { ...call, path: join(directory, 'data/no/b.txt') };
    expect(await runtime.callTool('edit_file', denied, { context })).toMatchObject({
      error: { code: 'POLICY_DENIED' },
    });
    const outside = await runtime.callTool('edit_file', { ...call, path: '/elsewhere/b.txt' }, { context });
    expect(outside.text).toBe('error: cannot write /elsewhere/b.txt: outside the writable directories');
    const source = "try { write_file(input_data, '') } catch (error) { return error.code }";
    expect(await runtime.run({ source, input: path, context })).toMatchObject({ value: 'PATH_OUTSIDE_ROOT' });
  });

  it('is not asked about what a surface does on its own behalf', async () => {
    put('porthole.policy.yaml', 'nonsense');
    const runtime = await open({ root: 'work', mode: 'unsafe' }, { ignoresPolicy: true });
    expect(await runtime.run({ source: 'return typeof read_file' })).toMatchObject({ value: 'function' });
  });
});

describe('the root', () => {
  it('is needed in unsafe mode, unless the policy has one or a command was started', async () => {
    await expect(open({ mode: 'unsafe' })).rejects.toMatchObject({ code: 'ROOT_INVALID' });
    const command = await open({ mode: 'unsafe' }, { isCommand: true });
    expect(await command.run({ source: write, context })).toMatchObject({ status: 'completed' });
    expect(readFileSync('a.txt', 'utf8')).toBe('x');
  });

  it.each(['state/porthole', 'state/porthole/audit', 'link'])(
    'is never a part of the state directory: %s',
    async (root) => {
      vi.stubEnv('XDG_STATE_HOME', join(directory, 'state'));
      mkdirSync('state/porthole/audit', { recursive: true });
      symlinkSync('state/porthole/audit', 'link');
      await expect(open({ root })).rejects.toMatchObject({ code: 'ROOT_INVALID' });
      await open({ root: 'state' });
    },
  );

  it('may hold the state directory, which nobody writes', async () => {
    vi.stubEnv('XDG_STATE_HOME', join(directory, 'work'));
    const runtime = await open({ root: 'work', mode: 'unsafe' });
    const source = "try { write_file('porthole', '') } catch (error) { return error.code }";
    expect(await runtime.run({ source, context })).toMatchObject({ value: 'PATH_PROTECTED' });
  });
});

describe('the audit log', () => {
  it('is memory for a library and grows by nothing', async () => {
    const runtime = await open({ root: 'work', mode: 'unsafe' });
    expect(runtime.auditLog).toBe('memory');
    expect(await runtime.run({ source: write, context })).toMatchObject({ receipt: { auditHead: 'memory' } });
    expect(readdirSync(directory).sort()).toEqual(['data', 'work']);
  });

  it('is a file of its own for a command, below the state directory', async () => {
    vi.stubEnv('XDG_STATE_HOME', join(directory, 'state'));
    const runtime = await open({ root: 'work' }, { isCommand: true });
    expect(runtime.auditLog).toMatch(new RegExp(`^${directory}/state/porthole/audit/work-[0-9a-f]{16}/.+\\.jsonl$`));
  });

  it('tells a run from its start to its end, with everything in between, in one chain', async () => {
    const runtime = await open({ root: 'work', mode: 'unsafe', audit: { path: 'log.jsonl' } });
    const source = "write_file('a.txt', 'x'); read_file('a.txt'); try { read_file('no') } catch {}";
    const outcome = await runtime.run({ source, context });
    await runtime.callTool('file_read', { path: 'a.txt' });
    await runtime.close();
    const events = eventsOf('log.jsonl');
    expect(events.map(({ kind }) => kind)).toEqual([
      'run.start',
      'policy.decision',
      'policy.decision',
      'file.write.intent',
      'file.write',
      'file.read',
      'file.refused',
      'run.end',
      'run.start',
      'tool.call',
      'file.read',
      'tool.result',
      'run.end',
    ]);
    expect(events.slice(0, 8).every(({ run }) => run === outcome.runId)).toBe(true);
    const head = outcome.receipt.auditHead;
    expect(verifyLog(readLogLines('log.jsonl'), { sha256Hex })).toMatchObject({ ok: true, events: 13 });
    expect(readFileSync('log.jsonl', 'utf8').split('\n')[7]).toContain(`"hash":"${head}"`);
  });

  it('has one writer, and cannot be written by what it records', async () => {
    const runtime = await open({ root: '.', mode: 'unsafe', audit: { path: 'log.jsonl' } });
    await expect(open({ root: '.', audit: { path: 'log.jsonl' } })).rejects.toMatchObject({
      code: 'AUDIT_UNAVAILABLE',
    });
    const source = `return ['log.jsonl', 'log.jsonl.1', 'log.jsonl.lock'].map((name) => {
      try { write_file(name, '') } catch (error) { return error.code }
    }).join()`;
    const codes = 'PATH_PROTECTED,PATH_PROTECTED,PATH_PROTECTED';
    expect(await runtime.run({ source, context })).toMatchObject({ value: codes });
  });

  it('that is gone refuses writes, programs and tools, and reads are counted as lost', async () => {
    const runtime = await open({ root: 'work', mode: 'unsafe', audit: { path: 'log.jsonl' } });
    put('work/a.txt', 'old');
    const gone = `read_file('a.txt'); ${write}`;
    let outcome = await runtime.run({ source: gone, context });
    expect(outcome).toMatchObject({ status: 'completed', warnings: [] });
    unlinkSync('log.jsonl');
    outcome = await runtime.run({ source: gone, context });
    expect(outcome).toMatchObject({ status: 'denied', code: 'AUDIT_UNAVAILABLE' });
    expect(await runtime.callTool('file_read', { path: 'a.txt' })).toMatchObject({
      ok: false,
      error: { code: 'AUDIT_UNAVAILABLE' },
    });
  });

  it('that goes while a run is on refuses its next write, and the outcome says what is missing', async () => {
    put('work/a.txt', 'old');
    const audit = { path: 'log.jsonl' };
    const approve = () => {
      renameSync('log.jsonl', 'moved');
      unlinkSync('moved');
      return Promise.resolve(true);
    };
    const policy = { porthole: 1, mode: 'unsafe' } as const;
    const runtime = await open({ root: 'work', mode: 'unsafe', audit, approve, policy });
    const outcome = await runtime.run({ source: 'return 1', context });
    expect(outcome).toMatchObject({ status: 'denied', code: 'AUDIT_UNAVAILABLE' });
    expect(outcome.warnings.map(({ code }) => code)).toEqual(['AUDIT_INCOMPLETE']);
  });

  it('that goes while a question is open refuses the write, whatever the answer is', async () => {
    put('work/a.txt', 'old');
    let isGone = true;
    const approve = () => {
      if (isGone) unlinkSync('log.jsonl');
      return Promise.resolve(true);
    };
    const policy = { porthole: 1, mode: 'unsafe', permissions: { allow: ['run(**)'] } } as const;
    const options = { root: 'work', mode: 'unsafe', approve, policy } as const;
    const source = `try { ${write}; return 'written' } catch (error) { return [error.name, error.code].join() }`;
    const failing = await open({ ...options, audit: { path: 'log.jsonl' } });
    const outcome = await failing.run({ source, context });
    expect(outcome).toMatchObject({ value: 'Error,AUDIT_UNAVAILABLE', warnings: [{ code: 'AUDIT_INCOMPLETE' }] });
    expect(readFileSync('work/a.txt', 'utf8')).toBe('old');
    isGone = false;
    const sound = await open({ ...options, audit: { path: 'other.jsonl' } });
    expect(await sound.run({ source, context })).toMatchObject({ value: 'written', warnings: [] });
  });

  it('keeps contents only where that was asked for, and the policy does not forbid it', async () => {
    const secret = { path: 'a.txt', content: 'the secret' };
    for (const content of [false, true]) {
      const path = `${content}.jsonl`;
      const runtime = await open({ root: 'work', mode: 'unsafe', audit: { path, content } });
      await runtime.callTool('file_write', secret, { context });
      await runtime.close();
      expect(readFileSync(path, 'utf8').includes('the secret')).toBe(content);
    }
    const policy = { porthole: 1 } as const;
    await expect(open({ policy, audit: { content: true } })).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
  });

  it('is where the policy says, and only a policy can switch it off', async () => {
    const named = { porthole: 1, audit: { path: './policy.jsonl' } } as const;
    expect((await open({ policy: named })).auditLog).toBe(join(directory, 'policy.jsonl'));
    await expect(open({ policy: named, audit: 'memory' })).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
    await expect(open({ policy: named, audit: { path: 'x' } })).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
    const off = await open({ policy: { porthole: 1, audit: { enabled: false } } }, { isCommand: true });
    expect(off.auditLog).toBe('off');
    expect(await off.run({ source: 'return 1' })).toMatchObject({
      receipt: { auditHead: 'off', outcome: 'completed' },
    });
  });
});

describe('createRuntime()', () => {
  it.each<readonly [RuntimeOptions, string]>([
    [{ policy: 5 as never }, 'expected a path, or a policy as an object'],
    [{ approve: true as never }, 'expected a function'],
    [{ classify: 'no' as never }, 'expected a function'],
    [{ audit: 'file' as never }, 'expected an object'],
    [{ audit: { paht: 'x' } as never }, 'there is no option "paht"'],
    [{ audit: { content: 1 } as never }, 'expected true or false'],
    [{ mode: 'none' as never }, 'expected one of safe, staged, unsafe'],
  ])('refuses %j', async (options, says) => {
    await expect(createRuntime(options)).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: expect.stringContaining(says),
    });
  });
});
