import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRuntime } from '../runtime/create-runtime.ts';
import { agentFileJsonSchema } from './agent-file-schema.ts';
import { runWorkflow } from './surface.ts';

describe('agentFileJsonSchema()', () => {
  it('tells editors which keys there are and which go together', () => {
    const schema = agentFileJsonSchema();
    expect(schema).toMatchObject({
      required: ['porthole', 'agents', 'start'],
      additionalProperties: false,
      properties: {
        agents: {
          additionalProperties: {
            required: ['type'],
            oneOf: [{ required: ['tool'] }, { required: ['code'] }, { required: ['file'] }],
          },
        },
      },
    });
  });

  it('is what is shipped', () => {
    const shipped: unknown = JSON.parse(
      readFileSync(new URL('../../docs/reference/agent-file.schema.json', import.meta.url), 'utf8'),
    );
    expect(shipped).toMatchObject(JSON.parse(JSON.stringify(agentFileJsonSchema())));
  });
});

describe('runWorkflow() with a path', () => {
  it('reads the agent file first', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'porthole-path-'));
    const path = join(folder, 'one.yaml');
    writeFileSync(path, "porthole: 1\nagents:\n  a: { type: tool, code: 'return 1' }\nstart: a\n");
    const runtime = await createRuntime({ workers: 1 });
    expect(await runWorkflow(runtime, path)).toMatchObject({ status: 'completed', value: 1, workflow: 'one' });
    await runtime.close();
    rmSync(folder, { recursive: true });
  });
});
