import { createHash } from 'node:crypto';
import type { Baseline, CopiedFile, StagedInput } from '../staged-files.ts';

/** Files by path. */
export type Tree = Readonly<Record<string, string | Buffer>>;

/** A baseline whose files never were on a disk: for what only compares and renders. */
export function createBaseline(tree: Tree): Baseline {
  const input: StagedInput = {
    given: 'project',
    hostPath: '/home/project',
    place: '',
    kind: 'directory',
    directory: { device: '1', inode: '1' },
    isWritable: true,
  };
  const copied = Object.entries(tree).map(([path, content], index): CopiedFile => {
    const bytes = Buffer.from(content);
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    return { path, input, bytes, pin: { device: '1', inode: `${index + 2}`, digest } };
  });
  return { inputs: [input], files: new Map(copied.map((file) => [file.path, file])) };
}
