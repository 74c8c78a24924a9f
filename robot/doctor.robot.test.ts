import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { porthole } from './support/command.ts';
import { createFolder } from './support/temp-folder.ts';

// Where descriptors have paths, the walk works; that is what the walk itself finds out at start.
const hasDescriptorPaths = process.platform === 'linux' && existsSync('/proc/self/fd');

describe('porthole doctor', () => {
  it('says which containment is in force, and that every limit held', async () => {
    const folder = createFolder();
    const { exitCode, stdout } = await porthole(['doctor', '--root', folder.root]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`containment: ${hasDescriptorPaths ? 'descriptor walk' : 'verified open'}`);
    expect(stdout).toContain('leftovers: none');
    expect(stdout).not.toContain('NOT HELD');
    for (const name of ['timeMs', 'memoryBytes', 'stackBytes', 'helperBytes'])
      expect(stdout).toMatch(new RegExp(`${name} .* held`));
    expect(folder.list('root')).toEqual([]);
  });

  it('lists temporary files that a killed writer left, and no others', async () => {
    const folder = createFolder();
    folder.write('root/deep/.porthole-0123456789abcdef.tmp', 'half');
    folder.write('root/.porthole-notes.tmp', 'mine');
    folder.write('outside/.porthole-0123456789abcdef.tmp', 'half');
    folder.link('root/out', folder.outside);
    const { stdout } = await porthole(['doctor', '--root', folder.root, '--json']);
    expect(JSON.parse(stdout).root.leftovers).toEqual(['deep/.porthole-0123456789abcdef.tmp']);
    expect(folder.exists('root/deep/.porthole-0123456789abcdef.tmp')).toBe(true);
  });

  it('knows the state directory', async () => {
    const folder = createFolder();
    const env = { XDG_STATE_HOME: folder.outside };
    const { stdout } = await porthole(['doctor', '--root', folder.root, '--json'], { env });
    expect(JSON.parse(stdout).stateDirectory).toMatchObject({ path: `${folder.outside}/porthole`, exists: false });
  });
});
