import { describe, expect, it } from 'vitest';
import { porthole } from './support/command.ts';

describe('porthole describe', () => {
  it('prints tools, helpers, limits and codes as text', async () => {
    const { exitCode, stdout, stderr } = await porthole(['describe']);
    expect([exitCode, stderr]).toEqual([0, '']);
    for (const word of ['file_read', 'file_write', 'read_file', 'write_file', 'timeMs', 'PATH_TRAVERSAL']) {
      expect(stdout).toContain(word);
    }
  });

  it('prints them as one JSON value', async () => {
    const { stdout } = await porthole(['describe', '--json']);
    expect(Object.keys(JSON.parse(stdout)).sort()).toEqual(['codes', 'helpers', 'limits', 'rules', 'tools']);
  });

  it('prints them as Markdown tables', async () => {
    const { stdout } = await porthole(['describe', '--markdown']);
    expect(stdout.match(/^## /gm)?.length).toBe(5);
    expect(stdout).toMatch(/^\| --- \|/m);
  });

  it('says the helpers of each mode', async () => {
    const { stdout } = await porthole(['describe', 'helpers', '--json']);
    const text = JSON.stringify(JSON.parse(stdout));
    expect(text).toContain('safe');
    expect(text).toContain('unsafe');
    expect(text.split('list_files')).toHaveLength(2);
  });

  it('gives a model the schema of each tool', async () => {
    const tools = JSON.parse((await porthole(['describe', 'tools', '--json'])).stdout);
    expect(JSON.stringify(tools)).toContain('"additionalProperties"');
    expect(tools.length).toBe(3);
  });

  it('refuses a section that is not there, with the nearest', async () => {
    const ended = await porthole(['describe', 'limit']);
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toContain('limits');
  });
});
