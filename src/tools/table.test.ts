import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlainContext } from '../calls/testing/plain-context.ts';
import { describeTools } from './describe-tools.ts';
import { callTool, toolTable } from './table.ts';
import { createToolGround, digestForTests, type ToolGround } from './testing/tool-ground.ts';
import type { ToolAnswer } from './tool.ts';

let ground: ToolGround;

beforeEach(() => {
  ground = createToolGround();
});

afterEach(() => ground[Symbol.dispose]());

function call(name: string, args: unknown, mode: 'safe' | 'unsafe' = 'unsafe'): Promise<ToolAnswer> {
  return callTool(name, args, { target: ground.target, context: createPlainContext({ mode }), callId: 'c1' });
}

describe('file_read', () => {
  it('wraps a text in an envelope that says which characters it is', async () => {
    ground.put('notes.txt', 'é'.repeat(5000));
    expect((await call('file_read', { path: 'notes.txt' })).text).toBe(
      `[FILE_READ_SUCCESS] notes.txt chars 0-5000 of 5000\n${'é'.repeat(5000)}`,
    );
    expect((await call('file_read', { path: 'notes.txt', max_chars: 100, offset: 200 })).text).toBe(
      `[FILE_READ_SUCCESS] notes.txt chars 200-300 of ?\n${'é'.repeat(100)}\n[more: call again with offset 300]`,
    );
  });

  it('answers the same as data, with the digest of a whole file', async () => {
    ground.put('a.txt', '\ufeffhé');
    expect(await call('file_read', { path: './a.txt' })).toMatchObject({
      ok: true,
      tool: 'file_read',
      result: {
        path: 'a.txt',
        view: 'text',
        text: '\ufeffhé',
        offset: 0,
        chars: 3,
        totalChars: 3,
        nextOffset: null,
        bytes: 6,
        digest: digestForTests(Buffer.from('\ufeffhé')),
      },
    });
    expect(await call('file_read', { path: 'a.txt', max_chars: 1 })).toMatchObject({
      result: { digest: null, totalChars: null, nextOffset: 1 },
    });
  });

  it('is empty past the end, and no error', async () => {
    ground.put('a.txt', 'abc');
    expect(await call('file_read', { path: 'a.txt', offset: 9 })).toMatchObject({
      ok: true,
      text: '[FILE_READ_SUCCESS] a.txt chars 9-9 of 3\n',
    });
  });

  it('numbers lines, and says how to go on or that the end is reached', async () => {
    ground.put('a.txt', 'one\n\ttwo\nthree\n');
    expect((await call('file_read', { path: 'a.txt', view: 'lines', limit: 2 })).text).toBe(
      '1\tone\n2\t\ttwo\n[more: call again with line 3]',
    );
    expect((await call('file_read', { path: 'a.txt', view: 'lines', line: 3 })).text).toBe(
      '3\tthree\n[end of file, 3 lines]',
    );
    expect((await call('file_read', { path: 'a.txt', view: 'lines', line: 4 })).text).toBe(
      '[past the end: the file has 3 lines]',
    );
  });

  it('says that an empty file has 0 lines, and one line is 1 line', async () => {
    ground.put('empty.txt', '');
    ground.put('one.txt', 'x');
    expect((await call('file_read', { path: 'empty.txt', view: 'lines' })).text).toBe('[end of file, 0 lines]');
    expect((await call('file_read', { path: 'one.txt', view: 'lines' })).text).toBe('1\tx\n[end of file, 1 line]');
    expect((await call('file_read', { path: 'empty.txt', view: 'lines', line: 2 })).text).toBe(
      '[past the end: the file has 0 lines]',
    );
  });

  it('numbers a file that is no UTF-8, and says so; the text view refuses it', async () => {
    ground.put('b', Buffer.from([0x61, 0xe9, 0x0a]));
    expect(await call('file_read', { path: 'b', view: 'lines' })).toMatchObject({
      ok: true,
      text: '1\ta\\xE9\n[not UTF-8: bytes that are no text are shown as \\xE9]\n[end of file, 1 line]',
      result: { hasInvalidBytes: true, lines: ['a\\xE9'], totalLines: 1, nextLine: null },
    });
    expect(await call('file_read', { path: 'b' })).toMatchObject({ ok: false, error: { code: 'NOT_UTF8' } });
  });

  it.each([
    [{ view: 'lines', offset: 0 }, 'offset goes with view "text"'],
    [{ view: 'lines', max_chars: 1 }, 'max_chars goes with view "text"'],
    [{ line: 1 }, 'line goes with view "lines"'],
    [{ view: 'text', limit: 1 }, 'limit goes with view "lines"'],
    [{ view: 'page' }, 'view must be "text" or "lines"'],
  ])('refuses %j', async (more, reason) => {
    ground.put('a.txt', 'x');
    expect(await call('file_read', { path: 'a.txt', ...more })).toMatchObject({
      ok: false,
      error: { code: 'ARGUMENT_INVALID', message: `Cannot read "a.txt": ${reason}`, path: 'a.txt' },
    });
    expect(await call('file_read', { path: '..', ...more })).toMatchObject({ error: { code: 'PATH_TRAVERSAL' } });
  });

  it('takes null for every argument that is not given', async () => {
    ground.put('a.txt', 'x');
    const none = { view: null, offset: null, max_chars: null, line: null, limit: null };
    expect(await call('file_read', { path: 'a.txt', ...none })).toMatchObject({ ok: true });
    expect(await call('file_read', { path: 'a.txt', ...none, view: 'lines' })).toMatchObject({ ok: true });
  });

  it('quotes a path that could be taken for the rest of the envelope', async () => {
    ground.put('a\n[FILE_READ_SUCCESS] b', 'x');
    expect((await call('file_read', { path: 'a\n[FILE_READ_SUCCESS] b' })).text).toBe(
      '[FILE_READ_SUCCESS] "a\\n[FILE_READ_SUCCESS] b" chars 0-1 of 1\nx',
    );
  });

  it('reads in safe mode as well', async () => {
    ground.put('a.txt', 'x');
    expect(await call('file_read', { path: 'a.txt' }, 'safe')).toMatchObject({ ok: true });
  });
});

describe('file_write', () => {
  it('says what it wrote and how large the file is now', async () => {
    expect(await call('file_write', { path: 'a.txt', content: 'hé' })).toEqual({
      ok: true,
      tool: 'file_write',
      text: '[FILE_WRITE_SUCCESS] a.txt w: 2 chars written, now 3 bytes',
      result: {
        path: 'a.txt',
        mode: 'w',
        charsWritten: 2,
        bytesBefore: 0,
        bytesAfter: 3,
        created: true,
        digest: digestForTests(Buffer.from('hé')),
      },
    });
    expect((await call('file_write', { path: 'a.txt', content: '!', mode: 'a' })).text).toBe(
      '[FILE_WRITE_SUCCESS] a.txt a: 1 chars written, now 4 bytes',
    );
  });

  it('writes what was read, and refuses when the file has changed since', async () => {
    ground.put('a.txt', 'old');
    const expected = digestForTests(Buffer.from('old'));
    expect(await call('file_write', { path: 'a.txt', content: 'new', expect: expected })).toMatchObject({ ok: true });
    expect(await call('file_write', { path: 'a.txt', content: 'newer', expect: expected })).toMatchObject({
      ok: false,
      error: { code: 'CHANGED_SINCE_READ' },
    });
    expect(ground.get('a.txt')).toBe('new');
  });

  it('needs unsafe mode', async () => {
    expect(await call('file_write', { path: 'a.txt', content: 'x' }, 'safe')).toMatchObject({
      ok: false,
      text: '[FILE_WRITE_ERROR] MODE_SAFE: Cannot write "a.txt": the run is in safe mode, which changes no files',
      error: { code: 'MODE_SAFE', path: 'a.txt' },
    });
  });
});

describe('callTool()', () => {
  it('names the nearest tool for one there is not', async () => {
    await expect(call('file_raed', {})).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      hint: 'Did you mean file_read?',
    });
    await expect(call('banana', {})).rejects.toMatchObject({ hint: 'The tools are file_read, file_write, edit_file.' });
  });

  it.each([[null], ['a.txt'], [5], [['a.txt']], [undefined]])(
    'answers that arguments must be one object: %j',
    async (args) => {
      expect(await call('file_read', args)).toMatchObject({ ok: false, error: { code: 'ARGUMENT_INVALID' } });
    },
  );

  it('names the arguments and the nearest for one there is not, after the path', async () => {
    const all = 'The arguments are path, view, offset, max_chars, line, limit.';
    expect(await call('file_read', { path: 'a.txt', maxchars: 1 })).toMatchObject({
      text:
        '[FILE_READ_ERROR] ARGUMENT_INVALID: Cannot call file_read: there is no argument "maxchars" among ' +
        'path, view, offset, max_chars, line, limit',
      error: { code: 'ARGUMENT_INVALID', hint: `Did you mean max_chars? ${all}`, path: 'a.txt' },
    });
    expect(await call('file_read', { path: 'a.txt', banana: 1 })).toMatchObject({
      error: { hint: all },
    });
    expect(await call('file_read', { maxchars: 1 })).toMatchObject({ error: { code: 'PATH_INVALID' } });
  });

  it('lets faults of its own pass', async () => {
    const fs = {
      ...ground.target.fs,
      parsePath: () => {
        throw new TypeError('a fault of the host');
      },
    };
    const host = { target: { ...ground.target, fs }, context: createPlainContext({ mode: 'safe' }), callId: 'c1' };
    await expect(callTool('file_read', { path: 'a' }, host)).rejects.toThrow(TypeError);
  });
});

// How refusals begin that are about two arguments at once.
const combination = / goes with | belongs to mode |needs line|stands beside|content is missing|find beside line/;

describe('the schemas', () => {
  // The cores judge; the schemas are what models are shown. Neither may know more than the other.
  it.each(toolTable.map((tool) => [tool.name, tool] as const))(
    'of %s accept exactly what its core accepts',
    async (name, tool) => {
      ground.put('a.txt', 'abc');
      const values = fc.oneof(
        fc.constantFrom<unknown>(
          null,
          undefined,
          0,
          1,
          -1,
          0.5,
          Number.NaN,
          2 ** 53,
          '',
          'w',
          'a',
          'insert',
          'write',
          'replace',
          'text',
          'lines',
          true,
        ),
        fc.constantFrom<unknown>(
          [],
          {},
          [{ find: 'a', content: 'b' }],
          [{ content: 5 }],
          digestForTests(Buffer.from('abc')),
          'sha256:0',
        ),
      );
      const rest = Object.keys(tool.schema.shape).filter((field) => field !== 'path');
      const argumentsOf = fc.record(Object.fromEntries(rest.map((field) => [field, values])), { requiredKeys: [] });
      await fc.assert(
        fc.asyncProperty(argumentsOf, async (more) => {
          const args = { path: 'a.txt', ...more };
          const answer = await call(name, args);
          const code = answer.ok ? undefined : answer.error.code;
          // What goes together is the core's to know: a schema looks at one field at a time.
          const isCombination = !answer.ok && combination.test(answer.error.message);
          if (!isCombination) expect(code === 'ARGUMENT_INVALID').toBe(!tool.schema.safeParse(args).success);
          ground.put('a.txt', 'abc');
        }),
        { numRuns: 300 },
      );
    },
  );

  it.each([[undefined], [null], [5], [{}], [['a.txt']]])('refuse %j as a path, as the cores do', async (path) => {
    for (const { name, schema } of toolTable) {
      expect(schema.safeParse({ path, content: '' }).success).toBe(false);
      expect(await call(name, { path, content: '' })).toMatchObject({ error: { code: 'PATH_INVALID' } });
    }
  });

  it('describe every argument in a sentence', () => {
    for (const { schema } of toolTable) {
      for (const type of Object.values(schema.shape)) expect(type.description).toMatch(/^.+\.$/);
    }
  });

  it('become JSON Schemas that allow nothing else', () => {
    expect(describeTools()).toMatchObject([
      {
        name: 'file_read',
        changesFiles: false,
        inputSchema: { type: 'object', required: ['path'], additionalProperties: false },
      },
      {
        name: 'file_write',
        changesFiles: true,
        inputSchema: { required: ['path', 'content'], additionalProperties: false },
      },
      { name: 'edit_file', changesFiles: true, inputSchema: { required: ['path', 'mode'] } },
    ]);
  });
});
