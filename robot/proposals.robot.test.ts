import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { porthole, projectFolder } from './support/command.ts';
import { startModelServer } from './support/model-server.ts';
import type { ModelStep } from './support/model-steps.ts';
import { createFolder, type TempFolder } from './support/temp-folder.ts';

const examples = join(projectFolder, 'examples/proposals');
const verdict: unknown = JSON.parse(readFileSync(join(examples, 'pin.json'), 'utf8'));

function copyExamples(): TempFolder {
  const folder = createFolder();
  cpSync(examples, folder.root, { recursive: true });
  return folder;
}

describe('porthole apply', () => {
  it('moves a pin in two files, and leaves every other byte', async () => {
    const folder = copyExamples();
    const args = ['apply', 'pin.json', '--allow', 'deploy/**', '--evidence', 'release.txt'];
    const ended = await porthole(args, { cwd: folder.root });
    expect(ended).toMatchObject({ exitCode: 0, stdout: '' });
    for (const name of ['deployment.yaml', 'values.toml']) {
      const before = readFileSync(join(examples, 'deploy', name), 'utf8');
      expect(folder.read(`root/deploy/${name}`)).toBe(before.replaceAll('1.8.2', '1.8.3'));
    }
    const log = await porthole(['audit', 'show', '--kind', 'proposal.applied'], { cwd: folder.root });
    expect(log.stdout).toContain('applied=2');
  });

  it('moves the port of one rule, and refuses the set that would open another', async () => {
    const folder = copyExamples();
    const flags = ['--allow', 'net/**', '--root', folder.root];
    expect((await porthole(['apply', join(folder.root, 'port.json'), ...flags])).exitCode).toBe(0);
    const moved = folder.read('root/net/policy.yaml');
    expect(moved).toBe(readFileSync(join(examples, 'net/policy.yaml'), 'utf8').replace('8080', '9090'));
    const refused = await porthole(['apply', join(folder.root, 'admin.json'), ...flags, '--json']);
    expect(refused.exitCode).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      ok: false,
      error: { code: 'PROPOSAL_REJECTED' },
      rejected: [
        { message: expect.stringContaining('holds "9090"') },
        { message: expect.stringContaining('out of range') },
      ],
    });
    expect(folder.read('root/net/policy.yaml')).toBe(moved);
  });
});

describe('porthole migrate', () => {
  it('moves a document to a new schema with its comments', async () => {
    const folder = copyExamples();
    const args = ['migrate', 'tide.yaml', '--schema', 'tide-v2.schema.json', '--api-version', 'tide.example/v2'];
    const ended = await porthole([...args, '--answer', 'tide-v2.yaml', '--diff'], { cwd: folder.root });
    expect(ended.exitCode).toBe(0);
    expect(ended.stdout).toContain('+  level: 3.2');
    expect(ended.stderr).toContain('lost      tide.yaml /spec/almanac');
    expect(folder.read('root/tide.yaml')).toBe(
      [
        '# The tide table of the north quay.',
        'apiVersion: tide.example/v2',
        'kind: TideTable',
        'metadata:',
        '  name: north-quay # as the sign says',
        'spec:',
        '  # metres above chart datum',
        '  level: 3.2',
        '  colour: blue # of the flag',
        '  unit: m',
        '',
      ].join('\n'),
    );
  });
});

describe.each(['anthropic', 'openai'] as const)('porthole propose, %s', (kind) => {
  it('goes on through a limit, a cut connection and an invalid verdict; apply makes the edits', async () => {
    const folder = copyExamples();
    const troubles: readonly ModelStep[] = [
      { status: 429, error: 'slow down', headers: { 'retry-after': '1' } },
      { answer: verdict, cut: 'within the body' },
      { answer: { classification: 'mechanical' } },
      { answer: verdict },
    ];
    const server = await startModelServer({ steps: troubles, key: 'the-key-of-the-desk' });
    onTestFinished(() => server.close());
    const desk = `{kind: ${kind}, baseUrl: "${server.url}", model: m1, apiKeyEnv: DESK_KEY}`;
    folder.write('root/porthole.policy.yaml', `porthole: 1\nmode: unsafe\nproviders:\n  desk: ${desk}\n`);
    const here = { cwd: folder.root, env: { DESK_KEY: 'the-key-of-the-desk' } };
    const rules = ['--evidence', 'release.txt', '--allow', 'deploy/**'];
    const asked = ['propose', '--goal', 'Use the new release.', '--provider', 'desk', '-o', 'out.json', ...rules];
    const proposed = await porthole(asked, here);
    expect(proposed).toMatchObject({ exitCode: 0, stdout: '' });
    expect(proposed.stderr).toContain('4 requests');
    expect(proposed.stderr).not.toContain('the-key-of-the-desk');
    expect(JSON.parse(folder.read('root/out.json'))).toEqual(verdict);
    const applied = await porthole(['apply', 'out.json', ...rules, '--yes'], here);
    expect(applied.exitCode).toBe(0);
    expect(folder.read('root/deploy/values.toml')).toContain('tag = "1.8.3" # moves');
  });
});
