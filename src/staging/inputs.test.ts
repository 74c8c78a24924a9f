import { describe, expect, it } from 'vitest';
import type { StagedCopy, StagedOptions } from '../contract/staged-options.ts';
import { flagLabels, optionLabels, parseInputs } from './inputs.ts';

function parse(copy: StagedCopy): { given: string; place: unknown } {
  const [input] = parseInputs({ copy: [copy] }, flagLabels).inputs;
  return { given: input?.given ?? '', place: input?.place };
}

function refusalOf(options: StagedOptions, labels = flagLabels): unknown {
  try {
    parseInputs(options, labels);
    return null;
  } catch (error) {
    return error;
  }
}

describe('parseInputs()', () => {
  it.each([
    ['src', 'src', undefined],
    ['src=/', 'src', { path: '', mustBeDirectory: true }],
    ['src=/a/b', 'src', { path: 'a/b', mustBeDirectory: false }],
    ['a=/b=/c', 'a=/b', { path: 'c', mustBeDirectory: false }],
    ['a=b/c', 'a=b/c', undefined],
    ['./src/=/a//./b/', './src/', { path: 'a/b', mustBeDirectory: true }],
    ['src=/~x', 'src', { path: '~x', mustBeDirectory: false }],
  ])('splits %j at the last "=/"', (written, given, place) => {
    expect(parse(written)).toEqual({ given, place });
  });

  it('takes host path and place apart from each other', () => {
    expect(parse({ from: 'a=/b' })).toEqual({ given: 'a=/b', place: undefined });
    expect(parse({ from: 'a', to: '/c' })).toEqual({ given: 'a', place: { path: 'c', mustBeDirectory: false } });
  });

  it('keeps the order and which may be written back', () => {
    const { inputs } = parseInputs({ copyRw: ['b'], copy: ['a', 'c'] }, flagLabels);
    expect(inputs.map(({ given, isWritable }) => [given, isWritable])).toEqual([
      ['a', false],
      ['c', false],
      ['b', true],
    ]);
    expect(parseInputs({}, flagLabels).inputs).toEqual([]);
  });

  it.each<[StagedCopy, string]>([
    ['', '--copy "": it names no host path'],
    ['=/a', '--copy "=/a": it names no host path'],
    [{ from: 'a\0b' }, '--copy "a\\u0000b": its host path contains NUL'],
    [{ from: 'a', to: '' }, '--copy "a": its place "" does not begin with "/"'],
    [{ from: 'a', to: 'lib' }, '--copy "a": its place "lib" does not begin with "/"'],
    ['a=/../b', '--copy "a=/../b": its place cannot be used: path contains ".."'],
    ['a=/b/..', '--copy "a=/b/..": its place cannot be used: path contains ".."'],
  ])('refuses %j', (copy, message) => {
    expect(refusalOf({ copy: [copy] })).toMatchObject({ code: 'ARGUMENT_INVALID', message: `Cannot use ${message}` });
  });

  it('names the option as the surface does', () => {
    expect(refusalOf({ copyRw: [''] }, optionLabels)).toMatchObject({
      message: expect.stringContaining('staged.copyRw ""'),
    });
    expect(refusalOf({ exclude: ['['] })).toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: 'Cannot use --exclude "[": a "[" is not closed within its segment',
    });
  });

  it('excludes by path, or by name where the pattern has no slash', () => {
    const { isExcluded } = parseInputs({ exclude: ['node_modules', 'lib/*.js', '**/*.log'] }, flagLabels);
    const excluded = (path: string) => isExcluded(path, path.slice(path.lastIndexOf('/') + 1));
    expect(['node_modules', 'a/node_modules', 'lib/a.js', 'a/b.log', 'b.log'].every(excluded)).toBe(true);
    expect(['lib', 'a/lib/a.js', 'lib/a/b.js', 'node_modules2'].some(excluded)).toBe(false);
  });
});
