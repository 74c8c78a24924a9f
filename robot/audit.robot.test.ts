import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, porthole, runToEnd, startPorthole } from './support/command.ts';
import { createFolder, type TempFolder } from './support/temp-folder.ts';
import { waitFor } from './support/wait-for.ts';

const writing = ['--unsafe', '--allow-write'];

/** A run that writes two files, and its log. */
async function createLog(): Promise<{ folder: TempFolder; log: string; run: string }> {
  const folder = createFolder();
  const log = join(folder.path, 'log.jsonl');
  const source = 'write_file("a.txt", "one"); write_file("b.txt", "two"); return read_file("a.txt")';
  const ended = await porthole(['run', '-e', source, '--root', folder.root, ...writing, '--audit', log, '--json']);
  return { folder, log, run: JSON.parse(ended.stdout).runId };
}

const changeLines = (folder: TempFolder, change: (lines: string[]) => string[]) => {
  const lines = folder.read('log.jsonl').trimEnd().split('\n');
  folder.write('log.jsonl', `${change(lines).join('\n')}\n`);
};

describe('porthole audit verify', () => {
  it('says that an untouched log is intact, and what it ends with', async () => {
    const { folder, log } = await createLog();
    const ended = await porthole(['audit', 'verify', '--audit', log]);
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    const { hash } = JSON.parse(folder.read('log.jsonl').trimEnd().split('\n').at(-1) ?? '');
    expect(ended.stdout).toBe(`${log}: intact, 10 events, head ${hash}\n`);
    expect((await porthole(['audit', 'verify', '--audit', log, '--expect-head', hash])).exitCode).toBe(0);
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  it('names the line that was altered', async () => {
    const { folder, log } = await createLog();
    changeLines(folder, (lines) => lines.with(6, (lines[6] ?? '').replace('b.txt', 'c.txt')));
    const ended = await porthole(['audit', 'verify', '--audit', log]);
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toContain(`${log}:7: altered: event 7: `);
    const json = JSON.parse((await porthole(['audit', 'verify', '--audit', log, '--json'])).stdout);
    expect(json).toMatchObject({ ok: false, logs: [{ ok: false, problems: [{ kind: 'altered', line: 7 }] }] });
  });

  it('names the place where lines were removed or moved', async () => {
    const { folder, log } = await createLog();
    const whole = folder.read('log.jsonl');
    changeLines(folder, (lines) => lines.toSpliced(2, 2));
    expect((await porthole(['audit', 'verify', '--audit', log])).stderr).toContain(
      `${log}:3: removed: 2 events are missing before this line, between events 2 and 5`,
    );
    folder.write('log.jsonl', whole);
    changeLines(folder, ([first = '', second = '', ...others]) => [second, first, ...others]);
    const moved = await porthole(['audit', 'verify', '--audit', log]);
    expect(moved.exitCode).toBe(1);
    expect(moved.stderr).toContain(': reordered: event ');
  });

  it('reports a torn last line apart, and a cut end only against the head', async () => {
    const { folder, log } = await createLog();
    const lines = folder.read('log.jsonl').trimEnd().split('\n');
    const head = JSON.parse(lines.at(-1) ?? '').hash;
    folder.write('log.jsonl', folder.read('log.jsonl').slice(0, -20));
    const torn = await porthole(['audit', 'verify', '--audit', log]);
    expect(torn.exitCode).toBe(0);
    expect(torn.stderr).toContain(`${log}:10: torn: `);
    expect((await porthole(['audit', 'verify', '--audit', log, '--expect-head', head])).exitCode).toBe(1);
  });
});

describe('porthole audit show', () => {
  it('prints the events for people, by run, kind and path', async () => {
    const { log, run } = await createLog();
    const show = async (...flags: string[]) => (await porthole(['audit', 'show', '--audit', log, ...flags])).stdout;
    const all = await show();
    expect(all.trimEnd().split('\n')).toHaveLength(10);
    expect(await show('--run', run)).toBe(all);
    expect(await show('--run', 'another')).toBe('');
    expect((await show('--kind', 'file.write')).match(/file\.write/g)).toHaveLength(2);
    expect(await show('--path', 'b.*')).not.toContain('path=a.txt');
    expect((await show('--path', 'b.*')).match(/path=b\.txt/g)).toHaveLength(2);
  });

  it('prints them as JSON, exactly as they are in the log', async () => {
    const { folder, log } = await createLog();
    const shown = JSON.parse((await porthole(['audit', 'show', '--audit', log, '--json'])).stdout);
    const lines = folder.read('log.jsonl').trimEnd().split('\n');
    expect(shown).toEqual(lines.map((line) => JSON.parse(line)));
  });

  it('shows kinds that nobody knows, and nothing in an event steers the terminal', async () => {
    const { folder, log } = await createLog();
    const args = JSON.stringify({ path: 'x\u001b[2J', mode: 'write', content: 'x' });
    await porthole(['tool', 'edit_file', '--args', args, '--root', folder.root, ...writing, '--audit', log]);
    const shown = (await porthole(['audit', 'show', '--audit', log])).stdout;
    expect(shown).not.toContain('\u001b');
    expect(shown).toContain('[2J');
  });
});

describe('porthole audit receipt', () => {
  it('is the receipt of the outcome', async () => {
    const folder = createFolder();
    const log = join(folder.path, 'log.jsonl');
    const source = 'write_file("a.txt", "one"); throw new Error("no")';
    const ended = await porthole(['run', '-e', source, '--root', folder.root, ...writing, '--audit', log, '--json']);
    const outcome = JSON.parse(ended.stdout);
    expect(outcome.receipt).toMatchObject({ outcome: 'failed', files: [{ path: 'a.txt', created: true, bytes: 3 }] });
    const receipt = await porthole(['audit', 'receipt', outcome.runId, '--audit', log, '--json']);
    expect(JSON.parse(receipt.stdout)).toEqual(outcome.receipt);
    const people = (await porthole(['audit', 'receipt', outcome.runId, '--audit', log])).stdout;
    expect(people).toContain(`run ${outcome.runId}, mode unsafe: failed\n`);
    expect(people).toContain('a.txt created, 3 bytes\n');
  });

  it('of an interrupted run tells what had landed', async () => {
    const folder = createFolder();
    const log = join(folder.path, 'log.jsonl');
    const source = 'write_file("a.txt", "one"); while (true) {}';
    const flags = ['--root', folder.root, ...writing, '--audit', log, '--timeout', '30s', '--json'];
    const running = startPorthole(['run', '-e', source, ...flags]);
    await waitFor(
      'the outcome of the write',
      () => folder.exists('log.jsonl') && folder.read('log.jsonl').includes('"file.write"'),
    );
    running.kill('SIGINT');
    const { exitCode, stdout } = await running;
    expect(exitCode).toBe(130);
    expect(JSON.parse(String(stdout)).receipt).toMatchObject({ outcome: 'aborted', files: [{ path: 'a.txt' }] });
  });
});

describe('where the log goes', () => {
  it('by default into the state directory, one file per process, private, grouped by root', async () => {
    const folder = createFolder();
    const env = { XDG_STATE_HOME: join(folder.path, 'state') };
    for (const text of ['1', '2']) await porthole(['run', '-e', `return ${text}`, '--root', folder.root], { env });
    const [group = '', ...others] = folder.list('state/porthole/audit');
    expect(others).toEqual([]);
    expect(folder.list(`state/porthole/audit/${group}`)).toHaveLength(2);
    expect(statSync(join(folder.path, 'state/porthole')).mode & 0o777).toBe(0o700);
    const verified = await porthole(['audit', 'verify', '--root', folder.root], { env });
    expect(verified.exitCode).toBe(0);
    expect(verified.stdout.match(/: intact, /g)).toHaveLength(2);
  });

  it('a second writer of one log is refused while the first runs', async () => {
    const folder = createFolder();
    const log = join(folder.path, 'log.jsonl');
    const first = startPorthole(['run', '-e', 'while (true) {}', '--audit', log, '--timeout', '30s']);
    await waitFor(
      'the first event',
      () => folder.exists('log.jsonl') && folder.read('log.jsonl').includes('run.start'),
    );
    const second = await porthole(['run', '-e', 'console.log("ran")', '--audit', log, '--json']);
    first.kill('SIGINT');
    await first;
    expect(second.exitCode).toBe(1);
    expect(JSON.parse(second.stdout)).toMatchObject({ ok: false, error: { code: 'AUDIT_UNAVAILABLE' } });
    expect((await porthole(['run', '-e', 'return 1', '--audit', log])).exitCode).toBe(0);
  });

  it('survives kill -9: intact up to where it came, and the next run goes on', async () => {
    const folder = createFolder();
    const log = join(folder.path, 'log.jsonl');
    const source = 'for (let i = 0; ; i++) write_file("a" + i % 5, "x")';
    const running = startPorthole(['run', '-e', source, '--root', folder.root, ...writing, '--audit', log]);
    await waitFor('some events', () => folder.exists('log.jsonl') && folder.bytes('log.jsonl').length > 20_000);
    running.kill('SIGKILL');
    await running;
    expect((await porthole(['audit', 'verify', '--audit', log])).exitCode).toBe(0);
    expect((await porthole(['run', '-e', 'return 1', '--audit', log])).exitCode).toBe(0);
    expect((await porthole(['audit', 'verify', '--audit', log])).exitCode).toBe(0);
  });
});

// A file system of its own that is soon full; where a user may not have one, nothing is shown here.
const canMount = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

describe.skipIf(!canMount)('on a full disk', () => {
  const onDisk = (folder: TempFolder, size: string, args: readonly string[], fill = '') => {
    const disk = join(folder.path, 'disk');
    mkdirSync(disk);
    const script = `mount -t tmpfs -o size=${size} none "$DISK" && ${fill || 'true'}; "$@"; code=$?; cp "$DISK"/log.jsonl "$DISK"/../log.jsonl; exit $code`;
    const line = ['-Urm', 'sh', '-c', script, 'sh', process.execPath, command, ...args];
    return runToEnd('unshare', line, { env: { DISK: disk } });
  };

  it('a run stops writing where it can no longer record, and all that landed is in the log', async () => {
    const folder = createFolder();
    const log = join(folder.path, 'disk/log.jsonl');
    const source =
      'let i = 0; try { for (; i < 500; i++) write_file(i + ".txt", "x"); } catch (e) { return [i, e.name, e.code]; }';
    const flags = ['--root', folder.root, ...writing, '--audit', log, '--json'];
    const ended = await onDisk(folder, '32k', ['run', '-e', source, ...flags]);
    const outcome = JSON.parse(ended.stdout);
    const [count, name, code] = outcome.value;
    expect([name, code]).toEqual(['Error', 'AUDIT_UNAVAILABLE']);
    expect(count).toBeGreaterThan(0);
    expect(folder.list('root')).toHaveLength(count);
    expect(outcome.warnings).toMatchObject([{ code: 'AUDIT_INCOMPLETE' }]);
    const events = folder
      .read('log.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const intents = events.filter(({ kind }) => kind === 'file.write.intent').map(({ details }) => details.path);
    for (const file of folder.list('root')) expect(intents).toContain(file);
    expect((await porthole(['audit', 'verify', '--audit', join(folder.path, 'log.jsonl')])).exitCode).toBe(0);
  });

  it('nothing starts where not even the start can be recorded', async () => {
    const folder = createFolder();
    const log = join(folder.path, 'disk/log.jsonl');
    const flags = ['--root', folder.root, ...writing, '--audit', log, '--json'];
    const full = 'head -c 1000000 /dev/zero > "$DISK"/filler 2>/dev/null';
    const args = ['run', '-e', 'write_file("a.txt", "x"); return "ran"', ...flags];
    const ended = await onDisk(folder, '16k', args, `{ ${full}; true; }`);
    expect(ended.exitCode).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'AUDIT_UNAVAILABLE' } });
    expect(folder.list('root')).toEqual([]);
  });

  it('with room enough all of it is written', async () => {
    const folder = createFolder();
    const log = join(folder.path, 'disk/log.jsonl');
    const source = 'for (let i = 0; i < 50; i++) write_file(i + ".txt", "x"); return "all"';
    const flags = ['--root', folder.root, ...writing, '--audit', log, '--json'];
    const ended = await onDisk(folder, '1m', ['run', '-e', source, ...flags]);
    expect(JSON.parse(ended.stdout)).toMatchObject({ value: 'all', warnings: [] });
    expect(folder.list('root')).toHaveLength(50);
  });
});
