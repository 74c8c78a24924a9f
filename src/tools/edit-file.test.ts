import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlainContext } from '../calls/testing/plain-context.ts';
import { createWindowCursors } from '../cores/window-cursors.ts';
import { createDiskRoot, type DiskRoot } from '../fs/disk-root.ts';
import { callTool } from './table.ts';

let root: string;
let disk: DiskRoot;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'edit-file-tool-'));
  disk = createDiskRoot({ root });
  writeFileSync(join(root, 'f.txt'), 'a\n  b\n');
});

afterEach(() => {
  disk.close();
  rmSync(root, { recursive: true, force: true });
});

function call(
  args: unknown,
  mode: 'safe' | 'unsafe' = 'unsafe',
  context: Readonly<Record<string, unknown>> = { _unsafe_mode: true },
) {
  const powers = {
    digest: (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    maxReadBytes: 1e7,
    maxWriteBytes: 1e7,
    cursors: createWindowCursors(),
    lineCursors: createWindowCursors(),
  };
  const host = { target: { fs: disk, powers }, context: createPlainContext({ mode, context }), callId: 'c1' };
  return callTool('edit_file', args, host);
}

describe('edit_file', () => {
  it('edits, and tells the same as text and as data', async () => {
    expect(await call({ path: 'f.txt', mode: 'replace', line: 2, content: 'B' })).toMatchObject({
      ok: true,
      text: `replaced at line 2 of f.txt, keeping the line's indentation (2 spaces); now 6 bytes; line 2 now: "  B"`,
      result: {
        path: 'f.txt',
        mode: 'replace',
        bytesBefore: 6,
        bytesAfter: 6,
        edits: [{ line: 2, keptIndentation: '  ' }],
      },
    });
    expect(readFileSync(join(root, 'f.txt'), 'utf8')).toBe('a\n  B\n');
  });

  it.each([
    [
      { path: 'f.txt', mode: 'replace', find: 'x', content: '' },
      'FIND_NOT_FOUND',
      'error: text to replace not found: "x"',
    ],
    [{ path: '../f', mode: 'write', content: '' }, 'PATH_TRAVERSAL', 'error: Cannot edit "../f": path contains ".."'],
    [{ path: 7, mode: 'write', content: '' }, 'PATH_INVALID', 'error: path must be a string'],
    [
      { path: 'f.txt', mode: 'write', content: '', lines: 1 },
      'ARGUMENT_INVALID',
      'error: Cannot call edit_file: there is no argument "lines" among path, mode, content, line, find, edits, expect, dry_run',
    ],
    [null, 'ARGUMENT_INVALID', 'error: Cannot call edit_file: its arguments must be one object'],
    [{ path: 'no/f', mode: 'write', content: '' }, 'PARENT_NOT_FOUND', 'error: Cannot edit "no/f"'],
  ])('refuses %j with %s', async (args, code, text) => {
    const answer = await call(args);
    expect(answer).toMatchObject({ ok: false, error: { code } });
    expect(answer.text).toContain(text);
    expect(readFileSync(join(root, 'f.txt'), 'utf8')).toBe('a\n  b\n');
  });

  it('needs unsafe mode and the flag, after the arguments and before the content', async () => {
    const args = { path: 'f.txt', mode: 'replace', find: 'x', content: '' };
    expect(await call(args, 'safe')).toMatchObject({ error: { code: 'MODE_SAFE' } });
    expect(await call(args, 'unsafe', {})).toMatchObject({ error: { code: 'UNSAFE_FLAG_MISSING' } });
    expect(await call({ ...args, content: 7 }, 'safe')).toMatchObject({ error: { code: 'ARGUMENT_INVALID' } });
    expect(await call({ ...args, dry_run: true }, 'safe')).toMatchObject({ error: { code: 'MODE_SAFE' } });
  });
});
