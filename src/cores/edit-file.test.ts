import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isPortholeError, PortholeError } from '../contract/errors.ts';
import { createDiskRoot, type DiskRoot, type DiskRootOptions } from '../fs/disk-root.ts';
import { editFile, planFileEdit } from './edit-file.ts';
import { renderEditError, renderEditResult } from './edit-text.ts';
import { bytesOfCase, callsOfCase, layOutCase, readEditCases } from './testing/edit-cases.ts';
import { digest } from './testing/edit-in-memory.ts';

let root: string;
let disk: DiskRoot;
const options = { digest, maxWriteBytes: 16 * 1024 * 1024 };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'edit-file-'));
  open();
});

afterEach(() => {
  disk.close();
  rmSync(root, { recursive: true, force: true });
});

function open(more: Partial<DiskRootOptions> = {}): void {
  disk?.close();
  disk = createDiskRoot({ root, ...more });
}

interface Answer {
  readonly text: string;
  readonly code?: string;
}

function edit(call: Readonly<Record<string, unknown>>): Answer {
  const given = { path: 'f.txt', ...call };
  try {
    return { text: renderEditResult(editFile(disk, given, options)) };
  } catch (error) {
    if (!isPortholeError(error)) throw error;
    return { text: renderEditError(error, String(given.path)), code: error.code };
  }
}

describe('every case of cases/edits.json, on the disk', () => {
  it.each(readEditCases())('$id: $title', (row) => {
    const { file, want, says, wantMode } = row;
    layOutCase(root, row);
    const path = join(root, 'f.txt');
    const before = existsSync(path) ? statSync(path, { bigint: true }) : undefined;
    const answer = callsOfCase(root, row).map(edit).at(-1) ?? { text: '' };
    expect(answer.code).toBe(want.refused);
    expect(answer.text).toContain(says ?? want.says ?? '');
    if (want.file === 'unchanged') {
      expect(readFileSync(path).equals(bytesOfCase(file ?? {}) ?? new Uint8Array())).toBe(true);
      const { ino, mtimeNs } = statSync(path, { bigint: true });
      expect({ ino, mtimeNs }).toEqual({ ino: before?.ino, mtimeNs: before?.mtimeNs });
    } else {
      const bytes = bytesOfCase(want.file ?? want);
      if (bytes === undefined) expect(existsSync(path)).toBe(false);
      else expect(readFileSync(path).equals(bytes)).toBe(true);
    }
    if (wantMode !== undefined) expect((statSync(path).mode & 0o777).toString(8)).toBe(wantMode.slice(1));
    if (file?.linkedAs !== undefined) expect(lstatSync(join(root, file.linkedAs)).isSymbolicLink()).toBe(true);
    expect(readdirSync(root).filter((name) => !['f.txt', 'link', 'twin'].includes(name))).toEqual([]);
  });
});

describe('planFileEdit()', () => {
  it('changes nothing before commit(), and nothing at all in a dry run', () => {
    writeFileSync(join(root, 'f.txt'), 'a\n');
    const plan = planFileEdit(disk, { path: 'f.txt', mode: 'replace', line: 1, content: 'b' }, options);
    expect(readFileSync(join(root, 'f.txt'), 'utf8')).toBe('a\n');
    expect(plan.commit()).toBe(plan.result);
    plan.close();
    expect(readFileSync(join(root, 'f.txt'), 'utf8')).toBe('b\n');
    expect(edit({ mode: 'replace', line: 1, content: 'c', dry_run: true }).text).toBe(
      'dry run: would have replaced at line 1 of f.txt; now 2 bytes; line 1 now: "c"',
    );
    expect(readFileSync(join(root, 'f.txt'), 'utf8')).toBe('b\n');
  });

  it('refuses to commit to a file that changed since it was planned', () => {
    writeFileSync(join(root, 'f.txt'), 'a\n');
    using plan = planFileEdit(disk, { path: 'f.txt', mode: 'append', content: 'b' }, options);
    writeFileSync(join(root, 'f.txt'), 'z\n');
    expect(() => plan.commit()).toThrow(expect.objectContaining({ code: 'CHANGED_SINCE_READ' }));
    expect(readFileSync(join(root, 'f.txt'), 'utf8')).toBe('z\n');
  });

  it('asks for admission after the path and before the content', () => {
    writeFileSync(join(root, 'f.txt'), 'a\0');
    const refuse = () => {
      throw new PortholeError('MODE_SAFE', 'not in this mode');
    };
    const plan = (path: string, content: unknown) => () =>
      planFileEdit(disk, { path, mode: 'replace', line: 1, content }, options, refuse);
    expect(plan('f.txt', 'b')).toThrow('not in this mode');
    expect(plan('f.txt', 7)).toThrow('content must be a string');
    expect(plan('../f.txt', 'b')).toThrow(expect.objectContaining({ code: 'PATH_TRAVERSAL' }));
  });

  it('replaces a file it need not read, and refuses to search a large one', () => {
    const size = 16 * 1024 * 1024 + 1;
    writeFileSync(join(root, 'f.txt'), Buffer.alloc(size, 'a'));
    expect(edit({ mode: 'replace', line: 1, content: 'b' })).toEqual({
      code: 'FILE_TOO_LARGE',
      text: `error: the file has ${size} bytes; mode "replace" takes files of at most 1048576`,
    });
    expect(edit({ mode: 'append', content: 'b' }).code).toBe('FILE_TOO_LARGE');
    expect(edit({ mode: 'replace', line: 1, content: 'b', expect: digest(new Uint8Array()) }).code).toBe(
      'FILE_TOO_LARGE',
    );
    const result = editFile(disk, { path: 'f.txt', mode: 'write', content: 'b' }, options);
    expect(result).toMatchObject({ created: false, bytesBefore: size, digestBefore: null });
    expect(result.diff).toBe(`binary or large file, ${size} bytes -> 1 byte`);
    expect(readFileSync(join(root, 'f.txt'), 'utf8')).toBe('b');
  });

  it('says when it split a file from its hard links', () => {
    open({ hardLinks: 'split' });
    layOutCase(root, { file: { text: 'a\n', hardLinkedAs: 'twin' } });
    expect(edit({ mode: 'replace', line: 1, content: 'b' }).text).toBe(
      'replaced at line 1 of f.txt; now 2 bytes; no longer one of 2 hard links; line 1 now: "b"',
    );
    expect(readFileSync(join(root, 'twin'), 'utf8')).toBe('a\n');
  });

  it('has fixed words for what is outside', () => {
    expect(edit({ path: '/etc/hosts', mode: 'write', content: '' })).toEqual({
      code: 'PATH_OUTSIDE_ROOT',
      text: 'error: cannot write /etc/hosts: outside the writable directories',
    });
  });
});
