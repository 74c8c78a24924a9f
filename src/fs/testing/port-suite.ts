import { describe, expect, it } from 'vitest';
import type { FileVerb } from '../path-rules.ts';
import type { FileSystem } from '../port.ts';
import { codeNow } from './code-of.ts';

/** A tree under test, and how to look at it without the port. */
export interface PortGround extends Disposable {
  readonly fs: FileSystem;
  readonly put: (path: string, text: string) => void;
  /** Undefined where there is no such file. */
  readonly look: (path: string) => string | undefined;
}

/** What every tree does, whatever it is made of. */
export function describePort(name: string, createGround: () => PortGround): void {
  describe(`${name}, as a file system`, () => {
    const on = (work: (ground: PortGround) => void) => () => {
      using ground = createGround();
      ground.put('a.txt', 'one');
      ground.put('d/b.txt', 'two');
      work(ground);
    };

    it(
      'reads a file by every spelling of its path',
      on((ground) => {
        for (const path of ['d/b.txt', './d/b.txt', 'd//b.txt', 'd/./b.txt']) expect(readAt(ground, path)).toBe('two');
      }),
    );

    it(
      'reads parts, and nothing behind the end',
      on(({ fs }) => {
        using file = fs.openFile(fs.parsePath('a.txt', 'read'));
        const target = new Uint8Array(2);
        expect([file.size, file.shownPath, file.resolvedPath]).toEqual([3, 'a.txt', 'a.txt']);
        expect(file.read(target, 1)).toBe(2);
        expect(Buffer.from(target).toString()).toBe('ne');
        expect(file.read(target, 3)).toBe(0);
        expect(file.read(target, 99)).toBe(0);
      }),
    );

    it.each([
      ['read', 'missing', 'NOT_FOUND'],
      ['read', 'missing/x', 'NOT_FOUND'],
      ['read', 'd', 'IS_A_DIRECTORY'],
      ['read', '.', 'IS_A_DIRECTORY'],
      ['read', 'a.txt/', 'NOT_A_DIRECTORY'],
      ['read', 'a.txt/x', 'NOT_A_DIRECTORY'],
      ['write', 'd', 'IS_A_DIRECTORY'],
      ['write', 'd/', 'IS_A_DIRECTORY'],
      ['write', './', 'IS_A_DIRECTORY'],
      ['write', 'new/', 'IS_A_DIRECTORY'],
      ['write', 'a.txt/', 'NOT_A_DIRECTORY'],
      ['write', 'a.txt/x', 'NOT_A_DIRECTORY'],
    ] as const)('refuses to %s %j: %s', (verb, path, code) =>
      on(({ fs }) => void expect(openAt(fs, verb, path)).toBe(code))(),
    );

    it.each([
      ['', 'PATH_INVALID'],
      ['a\0', 'PATH_INVALID'],
      ['\ud800', 'PATH_INVALID'],
      ['x'.repeat(256), 'PATH_INVALID'],
      [5, 'PATH_INVALID'],
      ['d/../a.txt', 'PATH_TRAVERSAL'],
      ['~/a', 'PATH_HOME'],
      ['C:\\a', 'PATH_OUTSIDE_ROOT'],
      ['file:a', 'PATH_OUTSIDE_ROOT'],
    ])('refuses the path %j: %s', (path, code) =>
      on(({ fs }) => void expect(codeNow(() => fs.parsePath(path, 'read'))).toBe(code))(),
    );

    it(
      'replaces and creates files whole',
      on((ground) => {
        expect(writeAt(ground, 'a.txt', 'longer than before')).toMatchObject({ created: false, bytesBefore: 3 });
        expect(writeAt(ground, 'd/new.txt', '')).toEqual({
          created: true,
          bytesBefore: 0,
          bytesAfter: 0,
          splitFromLinks: null,
        });
        expect([ground.look('a.txt'), ground.look('d/new.txt')]).toEqual(['longer than before', '']);
        expect(readAt(ground, 'a.txt')).toBe('longer than before');
      }),
    );

    it(
      'tells what is there before it is replaced',
      on(({ fs }) => {
        using target = fs.openForWriting(fs.parsePath('./a.txt', 'write'));
        const { existing } = target;
        expect([target.shownPath, existing?.size, existing?.isExecutable]).toEqual(['a.txt', 3, false]);
        expect(Buffer.from(existing?.readAll(3) ?? []).toString()).toBe('one');
        expect(codeNow(() => existing?.readAll(2))).toBe('FILE_TOO_LARGE');
      }),
    );

    it(
      'gives one lock key for one place, and others for others',
      on(({ fs }) => {
        const keyOf = (path: string) => {
          using target = fs.openForWriting(fs.parsePath(path, 'write'));
          return target.lockKey;
        };
        expect(keyOf('./d//b.txt')).toBe(keyOf('d/b.txt'));
        expect(new Set(['a.txt', 'd/b.txt', 'd/a.txt', 'b.txt'].map(keyOf)).size).toBe(4);
      }),
    );

    it(
      'changes a file’s identity with its content',
      on((ground) => {
        const identity = () => {
          using file = ground.fs.openFile(ground.fs.parsePath('a.txt', 'read'));
          return file.identity();
        };
        const before = identity();
        expect(identity()).toBe(before);
        writeAt(ground, 'a.txt', 'other');
        expect(identity()).not.toBe(before);
      }),
    );

    it.each(['a.txt', 'new.txt'])('does not replace %s if it changed since it was opened', (path) =>
      on((ground) => {
        using target = ground.fs.openForWriting(ground.fs.parsePath(path, 'write'));
        writeAt(ground, path, 'in between');
        expect(codeNow(() => target.replace(Buffer.from('late')))).toBe('CHANGED_SINCE_READ');
        expect(ground.look(path)).toBe('in between');
      })(),
    );
  });
}

function readAt({ fs }: PortGround, path: string): string {
  using file = fs.openFile(fs.parsePath(path, 'read'));
  const target = new Uint8Array(file.size);
  file.read(target, 0);
  return Buffer.from(target).toString();
}

function writeAt({ fs }: PortGround, path: string, text: string) {
  using target = fs.openForWriting(fs.parsePath(path, 'write'));
  return target.replace(Buffer.from(text));
}

function openAt(fs: FileSystem, verb: FileVerb, path: string): unknown {
  return codeNow(() => {
    const parsed = fs.parsePath(path, verb);
    (verb === 'read' ? fs.openFile(parsed) : fs.openForWriting(parsed)).close();
  });
}
