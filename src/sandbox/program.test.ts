import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headLength, wrapProgram } from './program.ts';
import { endOf, printedBy, resultOf, runHere } from './testing/run-program.ts';

// What a body could close the wrapper with, and everything that may stand next to it.
const tokens: readonly string[] = [
  ...[
    '}',
    '}',
    '}',
    '{',
    ')',
    '(',
    '})',
    '({',
    '}}',
    ']',
    '[',
    ',',
    ';',
    '=>',
    '=',
    '+',
    '-',
    '/',
    '*',
    '.',
    '...',
    '?',
    ':',
  ],
  ...['\n', ' ', '//', '/*', '*/', '-->', '<!--', '`', '${', '"', "'", '\u2028', '\uFEFF', '#!', '#x', '@'],
  ...[
    'function',
    'async',
    'await',
    'yield',
    'return',
    'class A {',
    'static {',
    'get a() {',
    'x() {',
    'async x() {',
    'x: {',
  ],
  ...[
    'async program() {',
    'function f() {',
    '() => {',
    '.program',
    '}).program',
    '({async program(){',
    'super',
    'super.x',
    'new.target',
  ],
  ...[
    'if (1) {',
    'else {',
    'for (;;) {',
    'case 1:',
    'default',
    'label:',
    'try {',
    'catch {',
    'var v',
    'let l',
    'of',
    'in',
  ],
  ...['console.log("RAN")', '(console.log("RAN"))', ';console.log("RAN");', '[console.log("RAN")]', '{', '}'],
];

const closers: readonly string[] = [
  '}); console.log("RAN"); (function(){',
  '}}); console.log("RAN"); ({async program(){',
  '}}), console.log("RAN"), ({async program(){',
  '}, [console.log("RAN")]: {',
  '}, x: console.log("RAN"), async program() {',
  '}, get program() { console.log("RAN"); return () => {}',
  '}, ...console.log("RAN"), y() {',
  '} + {',
  '} , {',
  '}\n(console.log("RAN")), {',
  '} => {',
  '}; console.log("RAN"); {',
  '} console.log("RAN"); async function x() {',
  '}\nconsole.log("RAN")\nasync function x(){',
  '}/*\n*/console.log("RAN"); async function x(){',
  '}//\n}).program; console.log("RAN"); ({async program(){',
  '}-->x\n, y(){',
  '}}`$' + '{console.log("RAN")}`;({async program(){',
  '}, async *program() { console.log("RAN")',
];

describe('a body that closes its wrapper', () => {
  it.each(closers)('is a syntax error and runs nothing: %s', async (source) => {
    const { end, console } = await runHere(source);
    expect(end).toMatchObject({ status: 'failed', error: { kind: 'syntax', name: 'SyntaxError' } });
    expect(console.lines).toEqual([]);
  });

  it('runs nothing however its tokens fall: what no function could hold never runs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...tokens), { minLength: 1, maxLength: 14 }), async (soup) => {
        const source = soup.join(' ');
        const { end, console } = await runHere(source, { limits: { timeMs: 200 } });
        if (isFunctionBody(source)) return;
        expect(console.lines).toEqual([]);
        expect(end).toMatchObject({ status: 'failed', error: { kind: 'syntax' } });
      }),
      { numRuns: 2500 },
    );
  });

  it('runs nothing however a closer is surrounded', async () => {
    const piece = fc.oneof(fc.constantFrom(...closers), fc.constantFrom(...tokens));
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 5 }), async (soup) => {
        const { end, console } = await runHere(soup.join('\n'), { limits: { timeMs: 200 } });
        if (end.status === 'failed' && end.error.kind === 'syntax') expect(console.lines).toEqual([]);
        else expect(isFunctionBody(soup.join('\n'))).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });
});

describe('a body', () => {
  it.each<[string, unknown]>([
    ['return await Promise.resolve(5)', 5],
    ['return (() => { return { a: `}` } })()', { a: '}' }],
    ['const re = /}/; return re.test("}")', true],
    ['// a comment at the end', undefined],
    ['return 1 // }', 1],
    ['return 1 <!-- }', 1],
    ['#!/usr/bin/env porthole\nreturn 2', 2],
    ['\uFEFFreturn 3', 3],
    ['\uFEFF#!/usr/bin/env porthole\nreturn 4', 4],
    ["'use strict'; return this === undefined", true],
    ["'use strict'\nreturn this === undefined", true],
    ['return this === globalThis', true],
    ['return typeof new.target', 'undefined'],
    ['return arguments.length', 2],
    ['var input_data = 7; return input_data', 7],
    ['class A { m() { return 1 } } class B extends A { m() { return super.m() + 1 } } return new B().m()', 2],
    ['return typeof program', 'undefined'],
    ['return eval("1 + 1")', 2],
    ['return new Function("a", "return a + 1")(1)', 2],
  ])('runs as an async function: %s', async (source, value) => {
    expect(await resultOf(source)).toEqual(value);
  });

  it.each(['super.x', 'super()', 'return super.constructor', 'import x from "y"', 'export const a = 1', 'import.meta'])(
    'that says %s is a syntax error',
    async (source) => {
      expect(await endOf(source)).toMatchObject({ status: 'failed', error: { kind: 'syntax', line: 1 } });
    },
  );

  it('cannot load a module', async () => {
    expect(await printedBy('try { await import("node:fs") } catch (e) { console.log(e.name) }')).toEqual([
      'ReferenceError',
    ]);
  });

  it('does not see its own wrapper', async () => {
    expect(await resultOf('return Object.getOwnPropertyNames(globalThis).includes("program")')).toBe(false);
  });
});

describe('wrapProgram()', () => {
  it('checks a second time only what could close the first form', () => {
    expect(wrapProgram('return 1', []).check).toBeUndefined();
    expect(wrapProgram('return {}', []).check).toBeDefined();
    expect(wrapProgram('return super.x', []).check).toBeDefined();
  });

  it('puts the body at the same place in both forms', () => {
    const parameters = ['input_data', 'context'];
    const { runnable, check } = wrapProgram('BODY}', parameters);
    expect(runnable.indexOf('BODY')).toBe(headLength(parameters));
    expect(check?.indexOf('BODY')).toBe(headLength(parameters));
  });
});

// Another engine's judgement, made without running anything. Its own constructor accepts no closers.
function isFunctionBody(source: string): boolean {
  const body = source.startsWith('#!') ? `//${source.slice(2)}` : source;
  try {
    new AsyncFunction('input_data', 'context', body);
    return true;
  } catch {
    return false;
  }
}

const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => unknown; // it has no name of its own
