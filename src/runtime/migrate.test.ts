import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ModelServer, startModelServer } from '../../robot/support/model-server.ts';
import type { PolicyInput } from '../policy/policy-schema.ts';
import { createRuntime } from './create-runtime.ts';
import type { Runtime } from './runtime.ts';
import type { RuntimeOptions } from './runtime-options.ts';

let root: string;
let opened: Runtime[];
let servers: ModelServer[];

const old = [
  '# the tide table',
  'apiVersion: tide/v1',
  'kind: Table',
  'metadata:',
  '  name: quay # as the sign says',
  'spec:',
  '  # metres above chart datum',
  '  height: 3.2',
  '  colour: Blue',
  '  old: x',
  '',
].join('\n');
const wanted = [
  '# the tide table',
  'apiVersion: tide/v2',
  'kind: Table',
  'metadata:',
  '  name: quay # as the sign says',
  'spec:',
  '  # metres above chart datum',
  '  level: 3.2',
  '  colour: blue',
  '  unit: m',
  '',
].join('\n');
const answer = 'apiVersion: tide/v2\nkind: Table\nmetadata: {name: quay}\nspec: {level: 3.2, colour: blue, unit: m}\n';
const closed = { type: 'object', additionalProperties: false };
const schema = {
  ...closed,
  required: ['spec'],
  properties: {
    apiVersion: { const: 'tide/v2' },
    kind: { type: 'string' },
    metadata: { ...closed, properties: { name: { type: 'string' } } },
    spec: {
      ...closed,
      required: ['level', 'unit'],
      properties: {
        level: { type: 'number' },
        colour: { enum: ['blue', 'red'] },
        unit: { type: 'string', default: 'm' },
      },
    },
  },
};
const to = { schema, apiVersion: 'tide/v2' };

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-migrate-')));
  vi.stubEnv('XDG_STATE_HOME', join(root, '.state'));
  writeFileSync(join(root, 'tide.yaml'), old);
  writeFileSync(join(root, 'ebb.yaml'), old);
  opened = [];
  servers = [];
});

afterEach(async () => {
  for (const runtime of opened) await runtime.close();
  for (const server of servers) await server.close();
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const textOf = (name: string) => readFileSync(join(root, name), 'utf8');

async function open(options: RuntimeOptions = {}): Promise<Runtime> {
  const runtime = await createRuntime({ root, mode: 'unsafe', ...options });
  opened.push(runtime);
  return runtime;
}

describe('migrate()', () => {
  test('writes what differs, keeps comments, and lists what is lost and respelled', async () => {
    const report = await (await open()).migrate({ documents: [{ path: 'tide.yaml', answer }], ...to });
    expect(report).toMatchObject({
      outcome: 'applied',
      documents: [{ lost: [{ key: '/spec/old' }], respelled: [{ from: 'Blue', to: 'blue' }], refusals: [] }],
      usage: { requests: 0 },
      receipt: { files: [{ path: 'tide.yaml' }], proposal: { classification: 'document', outcome: 'applied' } },
    });
    expect(textOf('tide.yaml')).toBe(wanted);
  });

  test('one refused document, and none is written', async () => {
    const bad = answer.replace('unit: m', 'unit: quay');
    const documents = [
      { path: 'tide.yaml', answer },
      { path: 'ebb.yaml', answer: bad },
    ];
    const report = await (await open()).migrate({ documents, ...to });
    expect(report).toMatchObject({ outcome: 'rejected', diffs: [], receipt: { outcome: 'failed', files: [] } });
    expect(report.documents[1]?.refusals[0]).toContain('was not displaced from there');
    expect([textOf('tide.yaml'), textOf('ebb.yaml')]).toEqual([old, old]);
  });

  test('nothing quotes a document whose reading needs a yes', async () => {
    const permissions = { ask: ['read(**)'], allow: ['apply(**)'] };
    const runtime = await open({ policy: { porthole: 1, mode: 'unsafe', permissions } });
    const bad = answer.replace('quay', 'reef');
    const refused = await runtime.migrate({ documents: [{ path: 'tide.yaml', answer: bad }], ...to });
    const told = 'the document does not fit the file, and reading that needs approval';
    expect(refused).toMatchObject({ outcome: 'rejected', documents: [{ refusals: [told], lost: [] }] });
    const report = await runtime.migrate({ documents: [{ path: 'tide.yaml', answer }], ...to });
    expect(report).toMatchObject({
      outcome: 'applied',
      documents: [
        { lost: [{ key: '/spec/old', value: '(hidden)' }], respelled: [{ from: '(hidden)', to: '(hidden)' }] },
      ],
      diffs: [{ path: 'tide.yaml', diff: '' }],
    });
    expect(textOf('tide.yaml')).toBe(wanted);
  });

  test.each([
    ['a file that is not there', 'none.yaml', 'file not found'],
    ['a file of the CI', '.github/x.yaml', 'path is denied'],
  ])('%s is refused with the others', async (_name, path, words) => {
    const documents = [
      { path: 'tide.yaml', answer },
      { path, answer },
    ];
    const report = await (await open()).migrate({ documents, ...to });
    expect(report.outcome).toBe('rejected');
    expect(report.documents.flatMap(({ refusals }) => refusals).join()).toContain(words);
    expect(textOf('tide.yaml')).toBe(old);
  });

  test('a dry run writes nothing; what is done already is success; attempts are counted', async () => {
    const runtime = await open();
    const request = { documents: [{ path: 'tide.yaml', answer }], ...to, change: 'pr-1' };
    const dry = await runtime.migrate({ ...request, dryRun: true });
    expect(dry).toMatchObject({ outcome: 'planned', attempts: { used: 0 } });
    expect(dry.diffs[0]?.diff).toContain('+  level: 3.2');
    expect(await runtime.migrate(request)).toMatchObject({ outcome: 'applied', attempts: { used: 1 } });
    const again = [{ path: 'tide.yaml', answer: wanted }];
    expect(await runtime.migrate({ ...request, documents: again })).toMatchObject({ outcome: 'already' });
    writeFileSync(join(root, 'tide.yaml'), old);
    await runtime.migrate(request);
    await expect(runtime.migrate(request)).rejects.toMatchObject({ code: 'ATTEMPTS_SPENT' });
  });

  test.each(['anthropic', 'openai'] as const)(
    '%s is asked for the document, and told once what is refused',
    async (kind) => {
      const bad = { document: answer.replace('name: quay', 'name: pier'), notes: '' };
      const steps = [{ answer: { document: 1 } }, { answer: bad }];
      const good = { answer: { document: answer, notes: 'unit is new' } };
      const server = await startModelServer({ steps: [{ answer: bad }, good, ...steps] });
      servers.push(server);
      const desk = { kind, baseUrl: server.url, model: 'm1' };
      const policy: PolicyInput = {
        porthole: 1,
        mode: 'unsafe',
        permissions: { allow: ['apply(**)'] },
        providers: { desk },
      };
      const runtime = await open({ policy });
      const request = { documents: [{ path: 'tide.yaml' }], ...to, provider: 'desk' };
      const report = await runtime.migrate(request);
      expect(report).toMatchObject({ outcome: 'applied', notes: ['unit is new'], usage: { requests: 2 } });
      expect(report.receipt.proposal).toMatchObject({ provider: 'desk', requests: 2 });
      expect(JSON.stringify(server.requests[1]?.body)).toContain('identity /metadata/name is');
      expect(textOf('tide.yaml')).toBe(wanted);
      writeFileSync(join(root, 'tide.yaml'), old);
      expect(await runtime.migrate(request)).toMatchObject({ outcome: 'rejected' });
      expect(textOf('tide.yaml')).toBe(old);
    },
  );

  test.each([
    ['no documents', { documents: [], ...to }],
    ['no schema', { documents: [{ path: 'a.yaml', answer }] }],
    ['a schema that is none', { documents: [{ path: 'a.yaml', answer }], schema: 7 }],
    ['nobody to ask', { documents: [{ path: 'a.yaml' }], ...to }],
    ['a document that is none', { documents: [7], ...to }],
  ])('%s is refused', async (_name, options) => {
    await expect((await open()).migrate(options as never)).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
  });

  test('a document that must not be changed is not shown to a model', async () => {
    const server = await startModelServer({ steps: [] });
    servers.push(server);
    const desk = { kind: 'openai' as const, baseUrl: server.url, model: 'm1' };
    const permissions = { deny: ['file_read(ebb.yaml)'] };
    const runtime = await open({ policy: { porthole: 1, mode: 'unsafe', permissions, providers: { desk } } });
    for (const path of ['.github/x.yaml', 'ebb.yaml', 'none.yaml']) {
      const migrating = runtime.migrate({ documents: [{ path }], ...to, provider: 'desk' });
      await expect(migrating).rejects.toMatchObject({ code: 'PROPOSAL_REJECTED' });
    }
    expect(server.requests).toEqual([]);
  });
});
