import { describe, expect, it } from 'vitest';
import { isPortholeError } from '../contract/errors.ts';
import { parseEditArguments } from './edit-arguments.ts';

const digest = `sha256:${'0'.repeat(64)}`;

function refusal(input: unknown): string {
  try {
    parseEditArguments(input);
    return 'accepted';
  } catch (error) {
    return isPortholeError(error) ? `${error.code}: ${error.message}` : 'another error';
  }
}

const line = { path: 'f', mode: 'replace', line: 1, content: '' };

describe('parseEditArguments()', () => {
  it('takes null for absent', () => {
    const nulls = { line: null, find: null, edits: null, expect: null, dry_run: null };
    expect(parseEditArguments({ path: 'f', mode: 'write', content: '', ...nulls })).toEqual({
      path: 'f',
      mode: 'write',
      content: '',
      dryRun: false,
    });
    expect(parseEditArguments({ path: 'f', mode: 'replace', edits: [{ line: 1, find: null, content: 'a' }] })).toEqual({
      path: 'f',
      mode: 'replace',
      dryRun: false,
      isList: true,
      edits: [{ line: 1, find: '', content: 'a' }],
    });
  });

  it('keeps how a line was written', () => {
    expect(parseEditArguments({ ...line, line: '12', dry_run: true, expect: digest })).toEqual({
      path: 'f',
      mode: 'replace',
      dryRun: true,
      expect: digest,
      isList: false,
      edits: [{ line: 12, lineAsText: '12', find: '', content: '' }],
    });
    expect(refusal({ ...line, line: '9'.repeat(400) })).toBe('accepted');
  });

  it.each<[unknown, string]>([
    [undefined, 'ARGUMENT_INVALID: expected an object'],
    [[], 'ARGUMENT_INVALID: expected an object'],
    [{ mode: 'write', content: '' }, 'PATH_INVALID: path must be a string'],
    [{ path: 7, mode: 'write', content: '' }, 'PATH_INVALID: path must be a string'],
    [{ ...line, colour: 1 }, 'ARGUMENT_INVALID: unknown field "colour"'],
    [
      JSON.parse('{"path":"f","mode":"write","content":"","__proto__":{}}'),
      'ARGUMENT_INVALID: unknown field "__proto__"',
    ],
    [{ path: 'f', content: '' }, 'ARGUMENT_INVALID: mode must be "write", "append" or "replace", not nothing'],
    [{ ...line, mode: 'Replace' }, 'ARGUMENT_INVALID: mode must be "write", "append" or "replace", not "Replace"'],
    [{ ...line, mode: 'toString' }, 'ARGUMENT_INVALID: mode must'],
    [{ path: 'f', mode: 'write', content: '', line: 1 }, 'ARGUMENT_INVALID: line belongs to mode "replace"'],
    [{ path: 'f', mode: 'append', content: '', find: 'x' }, 'ARGUMENT_INVALID: find belongs to mode "replace"'],
    [{ path: 'f', mode: 'write', content: '', edits: [] }, 'ARGUMENT_INVALID: edits belongs to mode "replace"'],
    [{ path: 'f', mode: 'write' }, 'ARGUMENT_INVALID: content is missing'],
    [{ path: 'f', mode: 'write', content: 7 }, 'ARGUMENT_INVALID: content must be a string, not 7'],
    [{ path: 'f', mode: 'write', content: '\ud800' }, 'CONTENT_NOT_WELL_FORMED: content holds a lone surrogate'],
    [{ path: 'f', mode: 'replace', find: '\ud800', content: '' }, 'ARGUMENT_INVALID: find holds a lone surrogate'],
    [{ path: 'f', mode: 'replace', content: '' }, 'ARGUMENT_INVALID: mode "replace" needs line, find or edits'],
    [{ path: 'f', mode: 'replace', line: 1 }, 'ARGUMENT_INVALID: content is missing'],
    [{ path: 'f', mode: 'replace', edits: [] }, 'ARGUMENT_INVALID: edits must be a list of at least one edit'],
    [{ path: 'f', mode: 'replace', edits: {} }, 'ARGUMENT_INVALID: edits must be a list'],
    [
      { path: 'f', mode: 'replace', edits: Array(1001).fill({ line: 1, content: '' }) },
      'ARGUMENT_INVALID: edits has 1001',
    ],
    [{ ...line, edits: [{ line: 1, content: '' }] }, 'ARGUMENT_INVALID: line stands beside edits'],
    [
      { path: 'f', mode: 'replace', content: '', edits: [{ line: 1, content: '' }] },
      'ARGUMENT_INVALID: content stands',
    ],
    [
      { path: 'f', mode: 'replace', edits: [{ line: 1, content: '' }, { content: '' }] },
      'ARGUMENT_INVALID: mode "replace" needs line, find or edits (edit 2)',
    ],
    [
      { path: 'f', mode: 'replace', edits: ['x'] },
      'ARGUMENT_INVALID: expected an object with line, find, content (edit 1)',
    ],
    [
      { path: 'f', mode: 'replace', edits: [{ line: 1, content: '', path: 'g' }] },
      'ARGUMENT_INVALID: unknown field "path"',
    ],
    [{ ...line, find: 'a\nb' }, 'ARGUMENT_INVALID: find beside line must be one line'],
    [{ ...line, find: 'a\n' }, 'accepted'],
    [{ ...line, expect: 'abc' }, 'ARGUMENT_INVALID: expect must be a digest'],
    [{ ...line, dry_run: 'yes' }, 'ARGUMENT_INVALID: dry_run must be true or false, not "yes"'],
    ...[2.5, 0, -1, '3a', '0', '01', '+1', ' 1', '1\n', '', Number.NaN, 2 ** 53, true, {}].map(
      (value): [unknown, string] => [
        { ...line, line: value },
        'ARGUMENT_INVALID: line must be a whole number from 1, not',
      ],
    ),
  ])('answers %j with %s', (input, answer) => {
    expect(refusal(input)).toContain(answer);
  });
});
