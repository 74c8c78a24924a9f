import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlainContext } from '../calls/testing/plain-context.ts';
import { PortholeError } from '../contract/errors.ts';
import type { FileMode } from '../contract/mode.ts';
import type { Effect } from '../contract/outcome.ts';
import { createGuestHelpers, type GuestAnswer } from './guest-helpers.ts';
import { createToolGround, digestForTests, type ToolGround } from './testing/tool-ground.ts';

let ground: ToolGround;
let effects: Effect[];
let counted: Record<'read' | 'written', number>;

beforeEach(() => {
  ground = createToolGround();
  effects = [];
  counted = { read: 0, written: 0 };
});

afterEach(() => ground[Symbol.dispose]());

function helpers(mode: FileMode = 'unsafe', context: Readonly<Record<string, unknown>> = { _unsafe_mode: true }) {
  const recordEffect = (effect: Effect) => void effects.push(effect);
  const caller = { context: createPlainContext({ mode, context }), recordEffect };
  const count = (kind: 'read' | 'written', bytes: number) => {
    counted[kind] += bytes;
  };
  return createGuestHelpers(mode, { target: ground.target, caller, count });
}

async function call(name: 'read_file' | 'write_file', ...args: readonly unknown[]): Promise<GuestAnswer> {
  const helper = helpers().get(name);
  if (helper === undefined) throw new Error(`there is no ${name}`);
  const answer = await helper(args);
  if (answer.kind !== 'refused') answer.afterReply();
  return answer;
}

function options(fields: Readonly<Record<string, unknown>>): unknown {
  return { kind: 'options', fields: new Map(Object.entries(fields)) };
}

function textOf(answer: GuestAnswer): string {
  return answer.kind === 'text' ? Buffer.from(answer.utf8).toString() : JSON.stringify(answer);
}

describe('createGuestHelpers()', () => {
  it('has none in safe mode, exactly two in unsafe mode', () => {
    expect([...helpers('safe').keys()]).toEqual([]);
    expect([...helpers('unsafe').keys()]).toEqual(['read_file', 'write_file']);
  });

  it('reads whole files and windows, positional or by an options object', async () => {
    ground.put('a.txt', '👍bc');
    expect(textOf(await call('read_file', 'a.txt'))).toBe('👍bc');
    expect(textOf(await call('read_file', 'a.txt', 1, 1))).toBe('b');
    expect(textOf(await call('read_file', 'a.txt', options({ max_chars: 1, offset: 1 })))).toBe('b');
    expect(textOf(await call('read_file', 'a.txt', options({})))).toBe('👍bc');
    expect(textOf(await call('read_file', 'a.txt', null, null))).toBe('👍bc');
  });

  it('writes, appends and inserts, and answers the number of characters', async () => {
    expect(await call('write_file', 'a.txt', '👍c')).toMatchObject({ kind: 'value', value: 2 });
    expect(await call('write_file', 'a.txt', 'd', 'a')).toMatchObject({ value: 1 });
    expect(await call('write_file', 'a.txt', 'b', 'insert', 1)).toMatchObject({ value: 1 });
    expect(await call('write_file', 'a.txt', '!', options({ mode: 'a' }))).toMatchObject({ value: 1 });
    expect(ground.get('a.txt')).toBe('👍bcd!');
  });

  it('counts bytes and records effects in order', async () => {
    await call('write_file', 'a.txt', 'hé');
    await call('write_file', 'a.txt', 'é', 'a');
    await call('read_file', 'a.txt', 1);
    expect(counted).toEqual({ read: 1, written: 5 });
    expect(effects).toEqual([
      { helper: 'write_file', path: 'a.txt', bytes: 3, digest: digestForTests(Buffer.from('hé')), created: true },
      { helper: 'write_file', path: 'a.txt', bytes: 5, digest: digestForTests(Buffer.from('héé')), created: false },
      { helper: 'read_file', path: 'a.txt', bytes: 1, digest: digestForTests(Buffer.from('h')) },
    ]);
  });

  it('refuses with the name a guest sees, the code, the path as written and a message that begins with the call', async () => {
    expect(await call('write_file', '../x', 'y')).toEqual({
      kind: 'refused',
      name: 'ValueError',
      code: 'PATH_TRAVERSAL',
      path: '../x',
      message: 'write_file("../x"): path contains ".."',
    });
    expect(await call('read_file', 'none.txt')).toMatchObject({ name: 'Error', code: 'NOT_FOUND', path: 'none.txt' });
  });

  it.each([
    ['read_file', ['a.txt', options({ maxChars: 1 })], 'there is no option "maxChars", did you mean max_chars?'],
    ['read_file', ['a.txt', options({ banana: 1 })], 'there is no option "banana"'],
    ['read_file', ['a.txt', options({}), 1], 'it takes positional arguments or one options object, not both'],
    ['read_file', ['a.txt', 1, 0, 0], 'it takes 3 arguments, not 4'],
    ['read_file', ['a.txt', '1'], 'max_chars must be a whole number from 0, not "1"'],
    ['write_file', ['a.txt', 'x', options({ expect: 'y' })], 'there is no option "expect"'],
    ['write_file', ['a.txt', 'x', 'w', 1], 'offset goes with mode "insert", not with "w"'],
    ['write_file', ['a.txt', 'x', 'w', 0, 0], 'it takes 4 arguments, not 5'],
    ['write_file', ['a.txt', 5], 'content must be a string, not 5'],
  ] as const)('refuses %s(%j)', async (name, args, reason) => {
    ground.put('a.txt', 'abc');
    expect(await call(name, ...args)).toMatchObject({
      kind: 'refused',
      name: 'ValueError',
      code: 'ARGUMENT_INVALID',
      message: `${name}("a.txt"): ${reason}`,
    });
    expect(ground.get('a.txt')).toBe('abc');
  });

  it.each([
    ['nothing', []],
    ['an object', [options({ path: 'a.txt' })]],
    [
      'something that is no data, and a wrong option',
      [{ kind: 'other', description: 'a function' }, options({ x: 1 })],
    ],
    ['an empty path, and too many arguments', ['', 1, 2, 3]],
  ])('refuses %s as a path before anything else', async (_, args) => {
    expect(await call('read_file', ...args)).toMatchObject({ kind: 'refused', code: 'PATH_INVALID' });
  });

  it('shortens a long path in the message and keeps it whole beside it', async () => {
    const path = `${'d/'.repeat(400)}..`;
    const answer = await call('read_file', path);
    expect(answer).toMatchObject({ code: 'PATH_TRAVERSAL', path });
    expect(answer.kind === 'refused' && answer.message.length).toBeLessThan(400);
  });

  it('lets faults that no program can do anything about pass as faults', async () => {
    ground[Symbol.dispose]();
    await expect(call('read_file', 'a.txt')).rejects.toThrow(PortholeError);
    ground = createToolGround();
    const broken = { ...ground.target, fs: { ...ground.target.fs, parsePath: () => fault() } };
    const caller = { context: createPlainContext() };
    const helper = createGuestHelpers('unsafe', { target: broken, caller, count: () => undefined }).get('read_file');
    expect(() => helper?.(['a.txt'])).toThrowError(TypeError);
  });
});

function fault(): never {
  throw new TypeError('a fault of the host');
}
