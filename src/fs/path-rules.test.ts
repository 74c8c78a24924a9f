import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPortholeError } from '../contract/errors.ts';
import { parseRootPath, showRootPath } from './path-rules.ts';

const root = { spellings: ['/srv/root', '/mnt/real/'] };

function parse(input: unknown) {
  return parseRootPath(input, 'read', root);
}

function codeOf(input: unknown): string {
  try {
    parse(input);
    return 'accepted';
  } catch (error) {
    return isPortholeError(error) ? error.code : String(error);
  }
}

describe('parseRootPath() refuses', () => {
  it.each([
    ['PATH_INVALID', undefined],
    ['PATH_INVALID', null],
    ['PATH_INVALID', 7],
    ['PATH_INVALID', ['a']],
    ['PATH_INVALID', Object('a')],
    ['PATH_INVALID', ''],
    ['PATH_INVALID', '../a\0'],
    ['PATH_INVALID', '~\ud800'],
    ['PATH_INVALID', `../${'x'.repeat(256)}`],
    ['PATH_INVALID', `a/${'é'.repeat(128)}`],
    ['PATH_INVALID', 'a/'.repeat(2048)],
    ['PATH_TRAVERSAL', '..'],
    ['PATH_TRAVERSAL', 'a/..'],
    ['PATH_TRAVERSAL', '~/..'],
    ['PATH_TRAVERSAL', '/etc/../srv/root/a'],
    ['PATH_TRAVERSAL', 'a\\..'],
    ['PATH_TRAVERSAL', '..\\a/b'],
    ['PATH_HOME', '~'],
    ['PATH_HOME', '~a'],
    ['PATH_OUTSIDE_ROOT', '/'],
    ['PATH_OUTSIDE_ROOT', '/srv/root-evil/a'],
    ['PATH_OUTSIDE_ROOT', '/srv'],
    ['PATH_OUTSIDE_ROOT', '//srv/root/a'],
    ['PATH_OUTSIDE_ROOT', '/srv//root/a'],
    ['PATH_OUTSIDE_ROOT', 'c:\\a'],
    ['PATH_OUTSIDE_ROOT', 'Z:/a'],
    ['PATH_OUTSIDE_ROOT', '\\a'],
    ['PATH_OUTSIDE_ROOT', 'FILE:a'],
  ])('with %s: %j', (code, input) => {
    expect(codeOf(input)).toBe(code);
  });
});

describe('parseRootPath() accepts', () => {
  it.each([
    ['a', ['a'], false],
    ['./a//b/.', ['a', 'b'], true],
    ['a/', ['a'], true],
    ['.', [], true],
    ['a..b/..c/d../...', ['a..b', '..c', 'd..', '...'], false],
    ['a~/~b', ['a~', '~b'], false],
    [' a \n/ü👍', [' a \n', 'ü👍'], false],
    ['C:', ['C:'], false],
    ['/srv/root', [], true],
    ['/srv/root/a', ['a'], false],
    ['/mnt/real/a/', ['a'], true],
    ['x'.repeat(255), ['x'.repeat(255)], false],
    ['é'.repeat(127), ['é'.repeat(127)], false],
  ])('%j', (input, segments, mustBeDirectory) => {
    expect(parse(input)).toMatchObject({ written: input, segments, mustBeDirectory });
  });

  it('every absolute path under a root that is the root of the disk', () => {
    const path = parseRootPath('/etc/hostname', 'read', { spellings: ['/'] });
    expect(path.segments).toEqual(['etc', 'hostname']);
  });

  it('only names that no step of a walk can misread', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('.', '..', '/', '\\', '~', 'a', '\0', 'srv', 'é')), (parts) => {
        const input = parts.join('');
        if (codeOf(input) !== 'accepted') return;
        for (const segment of parse(input).segments) {
          expect(segment).not.toMatch(/^$|^\.\.?$|[/\0]/);
        }
      }),
    );
  });
});

describe('what parseRootPath() says', () => {
  it('names the path as written and the rule, with the verb of the call', () => {
    expect(() => parseRootPath('../x', 'write', root)).toThrow('Cannot write "../x": path contains ".."');
  });

  it('keeps the rule apart for surfaces that begin the sentence themselves', () => {
    try {
      parse('~x');
    } catch (error) {
      expect(error).toMatchObject({ path: '~x', details: { reason: 'path starts with "~", which is not expanded' } });
    }
  });

  it('shortens a path nobody would read to the end', () => {
    expect(() => parse('x'.repeat(5000))).toThrow(/^.{200,400}$/);
  });

  it('does not run code of what it was given', () => {
    const trap = { toString: () => expect.unreachable() };
    expect(codeOf(trap)).toBe('PATH_INVALID');
  });
});

describe('showRootPath()', () => {
  it('shows names with slashes, and the root as a dot', () => {
    expect(showRootPath(parse('./a//b'))).toBe('a/b');
    expect(showRootPath(parse('/srv/root'))).toBe('.');
  });
});
