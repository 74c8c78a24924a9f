import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type FileMode, fileModes, helpersByMode } from '../contract/mode.ts';
import { resultOf } from './testing/run-program.ts';

// Lists every property that a program can reach from its global object, its parameters and the objects that syntax
// alone makes, each once under the shortest path. Run with PORTHOLE_UPDATE=1 to accept a change.
const listNames = `
  const lines = []; const seen = new Map(); let open = [];
  const name = (key) => typeof key === 'symbol' ? '[' + key.description + ']' : key;
  const visit = (value, path) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return typeof value;
    if (seen.has(value)) return '= ' + seen.get(value);
    seen.set(value, path); open.push([value, path]);
    return typeof value;
  };
  // The prototypes of the global constructors first, so that they are listed under the names everybody knows.
  for (const key of Reflect.ownKeys(globalThis)) {
    const prototype = Object.getOwnPropertyDescriptor(globalThis, key).value?.prototype;
    if (prototype) lines.push('globalThis.' + name(key) + '.prototype: ' + visit(prototype, 'globalThis.' + name(key) + '.prototype'));
  }
  const roots = [['globalThis', globalThis], ...Object.entries(parameters),
    ['function*', function* () {}], ['async function', async function () {}], ['async function*', async function* () {}],
    ['iterator of an array', [][Symbol.iterator]()], ['iterator of a string', ''[Symbol.iterator]()],
    ['iterator of a map', new Map()[Symbol.iterator]()], ['iterator of a set', new Set()[Symbol.iterator]()],
    ['iterator of matches', 'a'.matchAll(/a/g)], ['iterator helper', Iterator.from([]).map((x) => x)],
    ['wrapped iterator', Iterator.from({ next() {} })], ['arguments', (function () { return arguments })()],
    ['strict arguments', (function () { 'use strict'; return arguments })()], ['error', new Error()], ['this', this]];
  for (const [path, value] of roots) lines.push(path + ': ' + visit(value, path));
  while (open.length > 0) {
    const batch = open; open = [];
    for (const [value, path] of batch) {
      for (const key of Reflect.ownKeys(value)) {
        const { get, set, value: item } = Object.getOwnPropertyDescriptor(value, key);
        const at = path + '.' + name(key);
        if (get) lines.push('get ' + at + ': ' + visit(get, 'get ' + at));
        if (set) lines.push('set ' + at + ': ' + visit(set, 'set ' + at));
        if (!get && !set) lines.push(at + ': ' + visit(item, at));
      }
      const prototype = Object.getPrototypeOf(value);
      if (prototype !== null && !seen.has(prototype)) lines.push(path + '.__proto__: ' + visit(prototype, path + '.__proto__'));
    }
  }
  return [...new Set(lines.filter((line) => !/^globalThis\\.\\w+\\.prototype: = /.test(line)))].sort()`;

function programFor(mode: FileMode): string {
  const names = ['input_data', 'context', ...helpersByMode[mode]];
  return `const parameters = { ${names.join(', ')} };${listNames}`;
}

describe.each(fileModes)('what a program in the mode %s can reach', (mode) => {
  const file = new URL(`reachable-names.${mode}.txt`, import.meta.url);
  const helpers = Object.fromEntries(
    helpersByMode[mode].map((name) => [name, () => ({ kind: 'value', value: 1 }) as const]),
  );

  it('is what the committed list says', async () => {
    const names = (await resultOf(programFor(mode), { helpers })) as string[];
    const text = `${names.join('\n')}\n`;
    if (process.env['PORTHOLE_UPDATE'] === '1') writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  it('holds nothing of a host', () => {
    const paths = readFileSync(file, 'utf8');
    for (const name of [
      ...[
        'process',
        'require',
        'module',
        'fetch',
        'setTimeout',
        'setInterval',
        'queueMicrotask',
        'SharedArrayBuffer',
        'WebAssembly',
      ],
      ...[
        'os',
        'std',
        'bjson',
        'scriptArgs',
        'print',
        'open',
        'Worker',
        'performance',
        'navigator',
        'gc',
        'callHelper',
        'consoleRoom',
      ],
    ]) {
      expect(paths).not.toMatch(new RegExp(`^globalThis\\.${name}:`, 'm'));
    }
    expect(paths).not.toMatch(/SharedArrayBuffer|callHelper|consoleRoom/);
  });
});

describe('the lists', () => {
  it.each(['staged', 'unsafe'] as const)('of safe and %s mode differ by the helpers alone', (mode) => {
    const lines = (mode: FileMode) =>
      readFileSync(new URL(`reachable-names.${mode}.txt`, import.meta.url), 'utf8').split('\n');
    const safe = new Set(lines('safe'));
    const more = lines(mode).filter((line) => !safe.has(line));
    const ofHelpers = new RegExp(`^(?:${helpersByMode[mode].join('|')})\\b`);
    expect(more.every((line) => ofHelpers.test(line))).toBe(true);
    expect(lines(mode)).toHaveLength(safe.size + more.length);
  });
});
