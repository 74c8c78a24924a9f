import { describe, expect, it } from 'vitest';
import { editOne, planInMemory } from './testing/plan-in-memory.ts';

type Edit = readonly [key: string, from: string, to: string];

// Each row: what it shows, the file, the edit, and the file afterwards or the refusal.
const yamlRows: readonly (readonly [string, string, Edit, string])[] = [
  ['an escape between double quotes', 'a: "x\\ty"\n', ['/a', 'x\ty', 'u"\\\n\u0085z'], 'a: "u\\"\\\\\\n\\u0085z"\n'],
  ['a quote between single quotes', "a: 'it''s'\n", ['/a', "it's", "that's"], "a: 'that''s'\n"],
  [
    'a line break is none of single quotes',
    "a: 'x'\n",
    ['/a', 'x', 'y\nz'],
    'the single-quoted style cannot hold "y\\nz"',
  ],
  ['an empty text between quotes', 'a: ""\n', ['/a', '', 'x'], 'a: "x"\n'],
  ['a text that quotes may make empty', "a: 'x'\n", ['/a', 'x', ''], "a: ''\n"],
  ['a plain text cannot become empty', 'a: x\n', ['/a', 'x', ''], 'the plain style cannot hold ""'],
  ['an empty value has no place of its own', 'a:\nb: 1\n', ['/a', '', '~'], 'the plain style cannot hold "~"'],
  ['a number may become another kind of number', 'a: 0x1F90\n', ['/a', '0x1F90', '-15e2'], 'a: -15e2\n'],
  ['a spelling is not its number', 'a: 0x1F90\n', ['/a', '8080', '1'], 'holds "0x1F90", not the expected "8080"'],
  ['a number cannot become a text', 'a: 1\n', ['/a', '1', 'one'], 'the plain style cannot hold "one"'],
  ['a boolean stays one', 'a: true # c\n', ['/a', 'true', 'false'], 'a: false # c\n'],
  ['a boolean cannot become null', 'a: true\n', ['/a', 'true', 'null'], 'the plain style cannot hold "null"'],
  ['null has two spellings', 'a: ~\n', ['/a', '~', 'null'], 'a: null\n'],
  ['a comment cannot be smuggled in', 'a: x\n', ['/a', 'x', 'y # z'], 'the plain style cannot hold "y # z"'],
  ['nor an anchor', 'a: x\n', ['/a', 'x', '&b y'], 'the plain style cannot hold "&b y"'],
  ['nor an alias', 'a: &b x\nc: y\n', ['/c', 'y', '*b'], 'the plain style cannot hold "*b"'],
  ['nor a tag', 'a: x\n', ['/a', 'x', '!!int 3'], 'the plain style cannot hold "!!int 3"'],
  ['nor a list', 'a: x\n', ['/a', 'x', '[1]'], 'the plain style cannot hold "[1]"'],
  ['nor a further key', 'a: x\n', ['/a', 'x', 'y\nz: 1'], 'the plain style cannot hold "y\\nz: 1"'],
  ['nor a document', 'a: x\n', ['/a', 'x', '---'], 'a: ---\n'],
  ['nor a document where one would begin', 'x\n', ['', 'x', '---'], 'the edit would change more than key ""'],
  ['nor a directive', 'x\n', ['', 'x', '%YAML 1.1'], 'the plain style cannot hold "%YAML 1.1"'],
  ['nor a block', 'a: x\n', ['/a', 'x', '|'], 'the plain style cannot hold "|"'],
  ['nor quotes', 'a: x\n', ['/a', 'x', '"y"'], 'the plain style cannot hold "\\"y\\""'],
  ['nor a control character', 'a: x\n', ['/a', 'x', 'y\u0000'], 'the plain style cannot hold "y\\u{0}"'],
  ['blanks at the end', 'a: x\n', ['/a', 'x', 'y '], 'the plain style cannot hold "y "'],
  ['a comma in a block', 'a: x\n', ['/a', 'x', 'y, z'], 'a: y, z\n'],
  ['a comma between brackets', 'a: [x]\n', ['/a/0', 'x', 'y, z'], 'the plain style cannot hold "y, z"'],
  ['a bracket between brackets', 'a: {b: x}\n', ['/a/b', 'x', 'y}'], 'the plain style cannot hold "y}"'],
  ['a tag decides over the type', 'a: !!str 1.20\n', ['/a', '1.20', '1'], 'a: !!str 1\n'],
  ['a tag the file made up', 'a: !ref x\n', ['/a', 'x', 'y'], 'a: !ref y\n'],
  ['a tag that wants a number', 'a: !!int 1\n', ['/a', '1', 'x'], 'the plain style cannot hold "x"'],
  ['a text over two lines, as it is spelled', 'a: x\n  y\nb: 1\n', ['/a', 'x\n  y', 'z'], 'a: z\nb: 1\n'],
  [
    'a folded text elsewhere',
    'f: >-\n  a\n\n  b # no comment\na: 1\n',
    ['/a', '1', '2'],
    'f: >-\n  a\n\n  b # no comment\na: 2\n',
  ],
  ['a text with letters outside the basic plane before it', 'é: "𝄞"\na: x\n', ['/a', 'x', '𝄞'], 'é: "𝄞"\na: 𝄞\n'],
  ['a value that an alias repeats', 'a: &b x\nc: *b\n', ['/a', 'x', 'y'], 'the edit would change more than key "/a"'],
  [
    'a value inside what an alias repeats',
    'a: &b {d: x}\nc: *b\n',
    ['/a/d', 'x', 'y'],
    'would change more than key "/a/d"',
  ],
  ['a value whose anchor nobody uses', 'a: &b x\n', ['/a', 'x', 'y'], 'a: &b y\n'],
  [
    'a name that only looks like an alias',
    'a: &b x\nc: "*b"\nd: |\n  *b\n',
    ['/a', 'x', 'y'],
    'a: &b y\nc: "*b"\nd: |\n  *b\n',
  ],
  ['a value below an alias', 'a: &b {d: x}\nc: *b\n', ['/c/d', 'x', 'y'], 'key "/c/d" is an alias'],
  ['a value that is merged in', 'a: &b {d: x}\nc:\n  <<: *b\n', ['/c/d', 'x', 'y'], 'key "/c/d" not found'],
  ['the value of an explicit key', '? a\n: x\n', ['/a', 'x', 'y'], '? a\n: y\n'],
  ['a key that is a list leads nowhere', '? [a]\n: x\nb: y\n', ['/a', 'x', 'y'], 'key "/a" not found'],
  ['a key without a value', '? a\n', ['/a', '', 'y'], 'key "/a" is not a scalar'],
  ['a key that is a number, as it is spelled', '0x10: x\n16: y\n', ['/16', 'y', 'z'], '0x10: x\n16: z\n'],
  ['a pair in a list', 'a: [x: 1]\n', ['/a/0/x', '1', '2'], 'a: [x: 2]\n'],
  ['a file that is no YAML', 'a: [1\nb: 2\n', ['/b', '2', '3'], 'file is not valid YAML: '],
  ['an older YAML', '%YAML 1.1\n---\na: yes\n', ['/a', 'yes', 'no'], 'file is not valid YAML: it declares YAML 1.1'],
  ['an empty file', '', ['/a', '1', '2'], 'key "/a" not found'],
  ['a version without evidence', 'a: 1.2\n', ['/a', '1.2', '1.3'], 'version "1.3" does not appear in the evidence'],
  ['__proto__ is a name like any other', '__proto__: {x: 1}\n', ['/__proto__/x', '1', '2'], '__proto__: {x: 2}\n'],
  ['a name every object has', 'a: 1\n', ['/constructor', '1', '2'], 'key "/constructor" not found'],
];

const jsonRows: typeof yamlRows = [
  ['a string', '{"a": "x"}', ['/a', 'x', 'y"\u2028'], '{"a": "y\\"\\u2028"}'],
  ['an escaped string', '{"a": "\\u0041"}', ['/a', 'A', 'B'], '{"a": "B"}'],
  ['a number', '{"a": 1.50}', ['/a', '1.50', '-2e3'], '{"a": -2e3}'],
  ['a number JSON does not have', '{"a": 1}', ['/a', '1', '0x10'], 'the plain style cannot hold "0x10"'],
  ['a number with a leading zero', '{"a": 1}', ['/a', '1', '01'], 'the plain style cannot hold "01"'],
  ['a number cannot become a string', '{"a": 1}', ['/a', '1', '"1"'], 'the plain style cannot hold "\\"1\\""'],
  ['a further key cannot be smuggled in', '{"a": 1}', ['/a', '1', '2,"b":3'], 'the plain style cannot hold'],
  ['nor a comment', '{"a": 1}', ['/a', '1', '2/**/'], 'the plain style cannot hold "2/**/"'],
  ['the same key again', '{"a": 1}', ['/a', '1', '2,"k":3'], 'the plain style cannot hold'],
  ['a boolean in a list', '[true, null]', ['/0', 'true', 'false'], '[false, null]'],
  ['the document itself', '1\n', ['', '1', '2'], '2\n'],
  ['a file that is no JSON', '{"a": 1,, }', ['/a', '1', '2'], 'file is not valid JSON: '],
  ['an empty file', '', ['/a', '1', '2'], 'file is not valid JSON: '],
  ['__proto__ twice', '{"__proto__": 1, "__proto__": 2}', ['/__proto__', '1', '3'], 'key "/__proto__" is duplicated'],
  ['the only document by its number', '{"a": 1}', ['#0/a', '1', '2'], '{"a": 2}'],
  ['a document there is not', '{"a": 1}', ['#1/a', '1', '2'], 'key "#1/a" not found'],
];

const tomlRows: typeof yamlRows = [
  ['a basic string', 'a = "x" # c\n', ['/a', 'x', 'y"\u007f'], 'a = "y\\"\\u007f" # c\n'],
  ['a literal string', "a = 'C:\\x'\n", ['/a', 'C:\\x', 'D:\\y'], "a = 'D:\\y'\n"],
  ['a quote in a literal string', "a = 'x'\n", ['/a', 'x', "y'"], 'the single-quoted style cannot hold "y\'"'],
  ['a number', 'a = 9_090\n', ['/a', '9_090', '0x1F'], 'a = 0x1F\n'],
  ['a number by its value', 'a = 9_090\n', ['/a', '9090', '1'], 'holds "9_090", not the expected "9090"'],
  ['a long number', 'a = 9223372036854775807\n', ['/a', '9223372036854775807', '1'], 'a = 1\n'],
  ['a date', 'a = 2020-01-02\n', ['/a', '2020-01-02', '2021-01-02'], 'a = 2021-01-02\n'],
  [
    'a date cannot get a time',
    'a = 2020-01-02\n',
    ['/a', '2020-01-02', '2021-01-02T00:00:00'],
    'the plain style cannot hold',
  ],
  ['a text over several lines', 'a = """\nx"""\n', ['/a', 'x', 'y'], 'key "/a" is a block scalar'],
  ['a further key cannot be smuggled in', 'a = 1\n', ['/a', '1', '2\nb = 3'], 'the plain style cannot hold'],
  ['a table of tables', '[[p]]\na = 1\n[[p]]\na = 1\n', ['/p/1/a', '1', '2'], '[[p]]\na = 1\n[[p]]\na = 2\n'],
  [
    'a table below a table of tables',
    '[[p]]\n[p.q]\na = 1\n[[p.r]]\nb=1\n',
    ['/p/0/r/0/b', '1', '2'],
    '[[p]]\n[p.q]\na = 1\n[[p.r]]\nb=2\n',
  ],
  ['an inline table', 'a = {b.c = [1, {d = "x"}]}\n', ['/a/b/c/1/d', 'x', 'y'], 'a = {b.c = [1, {d = "y"}]}\n'],
  ['dotted and quoted keys', '"a b".c = 1\n"a b".d = 1\n', ['/a b/d', '1', '2'], '"a b".c = 1\n"a b".d = 2\n'],
  ['a key that stands there twice', 'a = 1\n"a" = 2\n', ['/a', '1', '3'], 'key "/a" is duplicated'],
  [
    'another key that stands there twice',
    'a = 1\na = 2\nb = 1\n',
    ['/b', '1', '3'],
    'file is not valid TOML: defining a key',
  ],
  ['a file that is no TOML', 'a = \n', ['/a', '1', '2'], 'file is not valid TOML: '],
  ['__proto__ is a name like any other', '__proto__.x = 1\n', ['__proto__.x', '1', '2'], '__proto__.x = 2\n'],
];

describe('a scalar edit', () => {
  const rows = [
    ...yamlRows.map((row) => ['v.yaml', ...row] as const),
    ...jsonRows.map((row) => ['v.json', ...row] as const),
    ...tomlRows.map((row) => ['v.toml', ...row] as const),
  ];
  it.each(rows)('in %s: %s', async (...row) => {
    const [path, , text, edit, want] = row;
    const after = await editOne(path, text, edit, 'nothing');
    if (after.startsWith('refused: ')) expect(after).toContain(want);
    else expect(after).toBe(want);
  });

  it('keeps a byte order mark and line endings in every format', async () => {
    expect(await editOne('v.yaml', '\ufeffé: 1\r\na: 1\r\n', ['/a', '1', '2'])).toBe('\ufeffé: 1\r\na: 2\r\n');
    expect(await editOne('v.toml', '\ufeffa = 1\r\n', ['/a', '1', '2'])).toBe('\ufeffa = 2\r\n');
    expect(await editOne('v.jsonc', '\ufeff{"a":\r\n1}', ['/a', '1', '2'])).toBe('\ufeff{"a":\r\n2}');
  });

  it('reports a value that is there before it asks what was expected, in quotes and without', async () => {
    expect(await editOne('v.yaml', 'a: "1.3"\n', ['/a', 'anything', '1.3'])).toBe('already');
    expect(await editOne('v.yaml', 'a: &b 2\nc: *b\n', ['/a', '1', '2'])).toBe('already');
    expect(await editOne('v.yaml', 'a: 1.30\n', ['/a', '1.2', '1.3'], '1.3')).toContain('holds "1.30"');
  });

  it.each(['constructor.yaml', 'v.txt', 'yaml', 'dir.json/v'])(
    'is refused in %s by its name or content',
    async (path) => {
      expect(await editOne(path, '[1, 2', ['/a', '1', '2'])).toMatch(/^refused: file is /);
    },
  );

  it('is refused in a file that is no UTF-8', async () => {
    const plan = await planInMemory({ 'v.yaml': Uint8Array.of(0x61, 0x3a, 0x20, 0xff) }, [
      { path: 'v.yaml', key: '/a', from: '1', to: '2' },
    ]);
    expect(plan.rejected).toMatchObject([{ message: 'file is not UTF-8' }]);
  });
});

describe('a hostile file', () => {
  const deep = 100_000;
  it.each([
    ['v.yaml', `a: ${'['.repeat(deep)}${']'.repeat(deep)}`],
    ['v.yaml', `a: ${'{b: '.repeat(deep)}`],
    ['v.yaml', `${'- '.repeat(deep)}x\n`],
    ['v.json', `{"a": ${'['.repeat(deep)}${']'.repeat(deep)}}`],
    ['v.json', `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`],
    ['v.toml', `a = ${'['.repeat(deep)}${']'.repeat(deep)}`],
    ['v.toml', `a = ${'['.repeat(300)}${']'.repeat(300)}`],
  ])('nested too deeply is refused: %s %#', async (path, text) => {
    expect(await editOne(path, text, ['/a', '1', '2'])).toMatch(/it nests more than 200 levels deep$/);
  });

  it.each(['v.json', 'v.yaml', 'v.toml'])('nested 200 levels is edited, and 202 is not: %s', async (path) => {
    const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
    const write = (levels: number) => (path === 'v.toml' ? `a = ${nested(levels)}` : `{"a": ${nested(levels - 1)}}`);
    const depth = path === 'v.toml' ? 200 : 199;
    const key = `/a${'/0'.repeat(depth)}`;
    expect(await editOne(path, write(200), [key, '1', '2'])).toBe(write(200).replace('1', '2'));
    expect(await editOne(path, write(202), [key, '1', '2'])).toMatch(/levels deep$/);
  });

  it('nested in lines of its own is counted alike', async () => {
    const write = (levels: number) =>
      `${Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}a:\n`).join('')}${' '.repeat(levels)}a: 1\n`;
    expect(await editOne('v.yaml', write(198), ['/a'.repeat(199), '1', '2'])).toBe(write(198).replace('1', '2'));
    expect(await editOne('v.yaml', write(202), ['/a'.repeat(203), '1', '2'])).toMatch(/levels deep$/);
  });

  it('of aliases to aliases is edited without anyone writing them out', async () => {
    const levels = Array.from({ length: 30 }, (_, at) => `l${at + 1}: &l${at + 1} [*l${at}, *l${at}]\n`).join('');
    const text = `l0: &l0 x\n${levels}v: 1\n`;
    expect(await editOne('v.yaml', text, ['/v', '1', '2'])).toBe(text.replace('v: 1', 'v: 2'));
  });
});
