import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { AuditEvent } from '../contract/audit-event.ts';
import { transpileSources } from '../fs/testing/transpiled-sources.ts';
import { createWorld } from '../fs/testing/world.ts';

const kills = process.env['PORTHOLE_LONG'] === '1' ? 100 : 10;
const folders = ['contract', 'text', 'fs', 'cores', 'policy', 'audit', 'calls', 'staging'];
const writerFolders = [...folders, 'calls/testing', 'staging/testing'];
const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const bytes = 60_000;
// A replacement takes a few milliseconds: over this span, from its intent on, every step of it is hit.
const longestWaitMs = 4;

it('a write-back that is killed leaves every file old or new, whole, and the log names what it left open', {
  timeout: 600_000,
}, async () => {
  await using world = createWorld();
  using sources = transpileSources(undefined, writerFolders);
  const log = join(world.base, 'audit.jsonl');
  const args = [world.root, log, sources.urlOf('staging/testing/write-back-world.ts')];
  await world.furnish(names.map((file) => ({ file, text: 'o'.repeat(bytes) })));
  const found = { open: 0, openLanded: 0, mixed: 0, temporaries: 0 };
  for (let kill = 0; kill < kills; kill++) {
    rmSync(log, { force: true });
    const moment = { file: 1 + (kill % names.length), afterMs: (kill / kills) * longestWaitMs };
    await killWriter(args, moment);
    const files = names.map((name) => readWhole(join(world.root, name)));
    const told = readLog(log);
    // What the log holds an outcome for is there, unless a later intent for the same file was carried out.
    for (const { name, digest } of files) {
      const wanted = told.intents.get(name);
      if (wanted === undefined) continue;
      const possible = wanted.isOpen ? [wanted.planned, wanted.before] : [wanted.planned];
      expect(possible).toContain(digest);
      if (wanted.isOpen && digest === wanted.planned) found.openLanded++;
    }
    const open = [...told.intents.values()].filter(({ isOpen }) => isOpen).length;
    // Files land one after the other: at most one was on its way.
    expect(open).toBeLessThanOrEqual(1);
    found.open += open;
    if (new Set(files.map(({ digest }) => digest)).size > 1) found.mixed++;
    for (const name of readdirSync(world.root).filter((name) => !names.includes(name))) {
      expect(name).toMatch(/^\.porthole-[0-9a-f]{16}\.tmp$/);
      found.temporaries++;
      rmSync(join(world.root, name));
    }
  }
  console.log(`write-back crash: ${kills} kills, ${JSON.stringify(found)}`);
  // Not vacuous: writers were hit within a file, and between two.
  expect(found.open).toBeGreaterThan(0);
});

interface Moment {
  /** The how manieth intent it is. */
  readonly file: number;
  readonly afterMs: number;
}

async function killWriter(args: readonly string[], { file, afterMs }: Moment): Promise<void> {
  const script = fileURLToPath(new URL('./testing/write-back-writer.mjs', import.meta.url));
  const child = fork(script, args, { execArgv: [] });
  for (let intents = 0; intents < file; intents++) await once(child, 'message');
  await sleep(afterMs);
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function readWhole(path: string): { readonly name: string; readonly digest: string } {
  const content = readFileSync(path);
  expect(content.length).toBe(bytes);
  expect(new Set(content).size).toBe(1);
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    digest: `sha256:${createHash('sha256').update(content).digest('hex')}`,
  };
}

interface Intent {
  readonly before: string | null;
  readonly planned: string;
  readonly isOpen: boolean;
}

// The last intent for each file, and whether an outcome followed it.
function readLog(path: string): { readonly intents: ReadonlyMap<string, Intent> } {
  const intents = new Map<string, Intent>();
  const lines = readFileSync(path, 'utf8').split('\n');
  // What stands behind the last line feed is the line the writer was killed in.
  for (const line of lines.slice(0, -1)) {
    const { kind, details }: AuditEvent = JSON.parse(line);
    const name = String(details['path']);
    if (kind === 'file.write.intent') {
      intents.set(name, {
        before: asText(details['digestBefore']),
        planned: String(details['digestPlanned']),
        isOpen: true,
      });
    }
    const known = intents.get(name);
    if (kind === 'writeback.file' && known !== undefined) intents.set(name, { ...known, isOpen: false });
  }
  return { intents };
}

function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
