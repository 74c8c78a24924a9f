import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { compileSchema } from './compile-schema.ts';
import type { MigrationTarget } from './document-checks.ts';
import { migrateDocument, migrateDocuments } from './migrate-document.ts';

const strictSchema = {
  type: 'object',
  required: ['apiVersion', 'kind', 'metadata', 'spec'],
  additionalProperties: false,
  properties: {
    apiVersion: { const: 'v2' },
    kind: { type: 'string' },
    metadata: {
      type: 'object',
      properties: { name: { type: 'string' }, namespace: { type: 'string' }, labels: { type: 'object' } },
      additionalProperties: false,
    },
    spec: {
      type: 'object',
      additionalProperties: false,
      properties: {
        listen: { type: 'object', properties: { port: { type: 'integer' }, host: { type: 'string' } } },
        image: { type: 'string' },
        owner: { type: 'string' },
        policy: { enum: ['Always', 'Never'], default: 'Always' },
        count: { type: 'object', properties: { min: { type: 'integer' } } },
        args: { type: 'array', items: { type: 'string' } },
        note: { type: 'string' },
      },
    },
  },
};

const original = `# the gateway
apiVersion: v1 # old
kind: Gateway
metadata:
  name: edge # its name
  namespace: prod
spec:
  # where it listens
  port: 0x1F90 # agreed with ops
  picture: "registry/app:1.2" # pinned
  policy: always
  args:
    - --fast # why
    - --safe
  note: |
    a text
    over lines
`;

describe('migrateDocument()', () => {
  it('renames, moves and sets on the lines of the keys themselves, and comments stay', () => {
    const answer = `apiVersion: v2
kind: Gateway
metadata: {name: edge, namespace: prod}
spec:
  listen: {port: 8080}
  image: registry/app:1.2
  policy: Always
  args: [--fast, --safe]
  note: "a text\\nover lines\\n"
`;
    const migration = migrate(original, answer, { apiVersion: 'v2' });
    expect(migration.refusals).toEqual([]);
    expect(textOf(migration.after)).toBe(`# the gateway
apiVersion: v2 # old
kind: Gateway
metadata:
  name: edge # its name
  namespace: prod
spec:
  # where it listens
  listen:
    port: 0x1F90 # agreed with ops
  image: "registry/app:1.2" # pinned
  policy: Always
  args:
    - --fast # why
    - --safe
  note: |
    a text
    over lines
`);
    expect(migration.operations).toEqual([
      { kind: 'set', key: '/apiVersion' },
      { kind: 'rename', from: '/spec/picture', key: '/spec/image' },
      { kind: 'set', key: '/spec/policy' },
      { kind: 'remove', key: '/spec/port' },
      { kind: 'set', key: '/spec/listen' },
    ]);
    expect(migration.respelled).toEqual([{ key: '/spec/policy', from: 'always', to: 'Always' }]);
    expect(migration.lost).toEqual([]);
  });

  it('refuses an object name copied into a new field, though the name occurs in the original', () => {
    const answer = base('  owner: edge\n');
    expect(migrate(base(''), answer).refusals).toEqual([
      'key "/spec/owner" holds "edge", which belongs to "/metadata/name" in the original and was not displaced from there',
    ]);
  });

  it('refuses a value moved away from a place that the schema still has', () => {
    expect(migrate(base('  owner: ops\n'), base('  image: ops\n')).refusals).toEqual([
      'key "/spec/image" holds "ops", which belongs to "/spec/owner" in the original and was not displaced from there',
    ]);
  });

  it('compares numbers that are too long for a computer as they are spelled', () => {
    const before = base('  id: 9007199254740993\n');
    expect(migrate(before, base('  count: {min: 9007199254740993}\n')).refusals).toEqual([]);
    expect(migrate(before, base('  count: {min: 9007199254740992}\n')).refusals).toEqual([
      'key "/spec/count/min" holds "9007199254740992", which is not in the original',
    ]);
    expect(migrate(before, base('')).lost).toEqual([{ key: '/spec/id', value: '"9007199254740993"' }]);
  });

  it('refuses an invented value, and names what the schema would take', () => {
    expect(migrate(base(''), base('  owner: ops\n')).refusals).toEqual([
      'key "/spec/owner" holds "ops", which is not in the original',
    ]);
    expect(migrate(base(''), base('  policy: Sometimes\n')).refusals).toEqual([
      'does not fit the schema: /spec/policy must be equal to one of the allowed values ("Always", "Never")',
      'key "/spec/policy" holds "Sometimes", which is not in the original; the schema names "Always", "Never"',
    ]);
  });

  it('lets a displaced value go to one place, not to two', () => {
    const before = base('  title: edge one\n');
    expect(migrate(before, base('  owner: edge one\n')).refusals).toEqual([]);
    expect(migrate(before, base('  owner: edge one\n  image: edge one\n')).refusals).toEqual([
      'key "/spec/image" holds "edge one", which belongs to "/spec/title" in the original and was not displaced from there',
    ]);
  });

  it('refuses a changed identity, each part of it', () => {
    const answer = 'apiVersion: v3\nkind: Route\nmetadata: {name: other, namespace: dev}\nspec: {}\n';
    const { refusals } = migrate('apiVersion: v2\nkind: Gateway\nmetadata: {name: edge}\nspec: {}\n', answer);
    expect(refusals.slice(0, 4)).toEqual([
      'identity /apiVersion is "v3", not "v2"',
      'identity /kind is "Route", not "Gateway"',
      'identity /metadata/name is "other", not "edge"',
      'identity /metadata/namespace is "dev", not nothing',
    ]);
    const own = migrate('kind: A\nid: 1\n', 'kind: B\nid: 2\n', { identity: ['/id'], schema: true });
    expect(own.refusals[0]).toBe('identity /id is "2", not "1"');
    expect(migrate('a: 1', 'a: 1', { identity: ['id'], schema: true }).refusals).toEqual([
      'identity "id" is no JSON Pointer',
    ]);
  });

  it('lists values that are gone and refuses nothing for them', () => {
    const migration = migrate(base('  title: T\n  owner: ops # who\n'), base(''));
    expect(migration.refusals).toEqual([]);
    expect(migration.lost).toEqual([
      { key: '/spec/title', value: '"T"' },
      { key: '/spec/owner', value: '"ops"' },
    ]);
    expect(textOf(migration.after)).toBe(base(''));
  });

  it('wraps a value whose key wants a mapping now, and its comment stays on the line of the key', () => {
    const migration = migrate(base('  count: 3 # few\n'), base('  count: {min: 3}\n'));
    expect(migration.refusals).toEqual([]);
    expect(textOf(migration.after)).toContain('  count: # few\n    min: 3 # few\n');
  });

  it.each([
    ['at the end of a file without a line break', 'spec:\n  b: x', 'spec: {a: x}', 'spec:\n  a: x'],
    ['with line breaks of two characters', 'a: 1\r\nb: 2\r\n', 'a: 1\nc: {b: 2}\n', 'a: 1\r\nc:\r\n  b: 2\r\n'],
    ['behind a byte order mark', '\ufeffb: x # c\n', 'a: x', '\ufeffa: x # c\n'],
    ['of a list that grew', 'l:\n  - a # one\nm: b\n', 'l: [a, b]\n', 'l:\n  - a # one\n  - b\n'],
    ['of a list that shrank', 'l:\n  - a # one\n  - b\n', 'l: [a]\n', 'l:\n  - a # one\n'],
    ['of mappings in a list', 'l:\n  - a: 1\n    b: 2 # c\n', 'l: [{a: 1, d: 2}]\n', 'l:\n  - a: 1\n    d: 2 # c\n'],
    [
      'of the first key of an item',
      'l:\n  - b: 1 # c\n    a: 2\n',
      'l: [{d: 1, a: 2}]\n',
      'l:\n  - d: 1 # c\n    a: 2\n',
    ],
    ['of an empty value', 'a:\nb: x\n', 'a: x\n', 'a: x\n'],
    [
      'of a renamed mapping that changes inside',
      'a:\n  # why\n  b: 1\n  c: 2\n',
      'd: {b: 1, e: 2}',
      'd:\n  # why\n  b: 1\n  e: 2\n',
    ],
    ['of names that need quotes', 'a: 1\n', '"yes: no": 1\n', '"yes: no": 1\n'],
    ['of names that are no text', 'a: 1\n', '"null": 1\n', '"null": 1\n'],
    [
      'to a list of mappings',
      'a: 1\nb: 2\nc: 3\n',
      'a: 1\nl: [{x: 2, y: [3]}]\n',
      'a: 1\nl:\n  - x: 2\n    y:\n      - 3\n',
    ],
    ['in JSON for an answer', 'a: 0x10\n', '{"b": 16}', 'b: 0x10\n'],
    ['beside a key without a value', '? a\nb: x\n', '{a: null, c: x}', '? a\nc: x\n'],
    ['an empty list where there was none', 'a: x\n', '{a: x, l: []}', 'a: x\nl: []\n'],
    ['without a difference', 'a:   1 # x\n', 'a: 1', 'a:   1 # x\n'],
    ['of all there was', 'a:\n  b: 1 # gone\n# stays\n', 'a: {}\n', 'a: {}\n# stays\n'],
    ['before the first key', 'b:\n  c: x\n  d: y\n', 'n: x\nb: {d: y}\n', 'n: x\nb:\n  d: y\n'],
  ])('splices %s', (_title, before, answer, want) => {
    const migration = migrate(before, answer, { schema: schemaNaming(answer) });
    expect(migration.refusals).toEqual([]);
    expect(textOf(migration.after)).toBe(want);
  });

  it.each([
    ['a flow mapping', 'a: {b: x}\n', 'a: {c: x}\n', 'key "/a" is a flow mapping; it cannot be spliced'],
    ['a flow list', 'a: [x, y]\n', 'a: [x]\n', 'key "/a" is a flow list; it cannot be spliced'],
    [
      'the first key of an item',
      'l:\n  - b: 1\n    a: 2\n',
      'l: [{a: 2}]\n',
      'key "/l/0/b" does not stand on lines of its own',
    ],
    ['a block scalar', 'a: |\n  x\nb: y\n', 'a: y\n', 'key "/a" is a block scalar'],
    ['a key that is a list', '? [k]\n: 1\na: x\n', 'b: x\n', 'key "" has a key that is no scalar'],
    ['another kind of document', 'a: x\n', '[x]\n', 'key "" would become a value of another kind'],
    [
      'a key beside an explicit one',
      '? a\n: 1\n',
      '{a: 1, b: 2}\n',
      'the new document cannot be spliced into the old one',
    ],
    ['two documents', 'a: 1\n---\nb: 1\n', 'a: 1\n', 'file holds 2 documents; a migration is of one'],
    ['two answers', 'a: 1\n', 'a: 1\n---\nb: 1\n', 'answer holds 2 documents; a migration is of one'],
    ['an answer without a UTF-8 form', 'a: 1\n', 'a: \ud800', 'answer holds a lone surrogate'],
    ['no answer', 'a: 1\n', '', 'answer holds 0 documents; a migration is of one'],
    ['an answer that is no YAML', 'a: 1\n', '{', 'answer is not valid YAML: '],
    ['a file that is no YAML', '{', 'a: 1\n', 'file is not valid YAML: '],
    ['an alias', 'a: &x 1\nb: *x\n', 'a: 1\n', 'key "/b" is an alias'],
    ['a duplicated key', 'a: 1\na: 2\n', 'a: 1\n', 'key "/a" is duplicated'],
  ])('refuses %s', (_title, before, answer, want) => {
    const migration = migrate(before, answer, { schema: schemaNaming(answer) });
    expect(migration.refusals.join('\n')).toContain(want);
    expect(migration.after).toBeUndefined();
    expect(migration.operations).toEqual([]);
  });

  it('writes nothing of a set in which one document is refused', () => {
    const target = { schema: {}, compiled: compileSchema({}), identity: [] };
    const request = (path: string, answer: string) => ({ path, before: new TextEncoder().encode('a: x\n'), answer });
    const good = request('good.yaml', 'b: x');
    const same = request('same.yaml', 'a: x');
    const schema = { properties: { a: false }, additionalProperties: true };
    const strict = { ...target, schema, compiled: compileSchema(schema) };
    expect(migrateDocuments([good], strict).files).toMatchObject([{ path: 'good.yaml' }]);
    const { files, documents } = migrateDocuments([good, request('bad.yaml', 'b: y')], strict);
    expect(files).toEqual([]);
    expect(documents.map(({ refusals }) => refusals.length)).toEqual([0, 1]);
    expect(migrateDocuments([same], target).files).toEqual([]);
  });

  it('leaves JSON and TOML as they are, or refuses', () => {
    const target = { schema: {}, compiled: compileSchema({}), identity: [] };
    const bytes = new TextEncoder().encode('{"a": 1}');
    expect(migrateDocument({ path: 'v.json', before: bytes, answer: 'a: 1' }, target).after).toBe(bytes);
    const toml = { path: 'v.toml', before: new TextEncoder().encode('a = true\n'), answer: '{}' };
    expect(migrateDocument(toml, target).refusals).toEqual(['TOML documents cannot be spliced']);
  });
});

// A schema that names every value of the answer as its own, so that only the splicing is at stake.
function schemaNaming(answer: string): unknown {
  try {
    return { default: parse(answer) as unknown };
  } catch {
    return {};
  }
}

function base(spec: string): string {
  return `apiVersion: v2\nkind: Gateway\nmetadata:\n  name: edge\nspec:\n  args: []\n${spec}`;
}

function migrate(before: string, answer: string, more: Partial<MigrationTarget> = {}) {
  const schema = 'schema' in more ? more.schema : strictSchema;
  const target = {
    compiled: compileSchema(schema),
    ...(schema === strictSchema ? {} : { identity: [] }),
    ...more,
    schema,
  };
  return migrateDocument({ path: 'v.yaml', before: new TextEncoder().encode(before), answer }, target);
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
