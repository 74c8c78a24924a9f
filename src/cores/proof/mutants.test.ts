import { describe, expect, it } from 'vitest';
import { containmentCases } from '../../fs/testing/containment-driver.ts';
import { faultCases } from '../../fs/testing/faults.ts';
import { interleavings } from '../../fs/testing/interleavings.ts';
import { pathMatrix } from '../../fs/testing/path-matrix.ts';
import { transpileSources } from '../../fs/testing/transpiled-sources.ts';
import { attacks } from '../testing/attacks.ts';
import { type CoreModules, coresOnDisk } from '../testing/core-surface.ts';
import { mutants, type Suite } from '../testing/mutants.ts';

const isRoot = process.geteuid?.() === 0;
const shown = mutants.filter(({ needsRoot }) => isRoot || !needsRoot);

describe('every guard is needed: without it, the proof that names it is red', () => {
  it.each(shown)('$file: $guard', async ({ file, from, to, suite, proof }) => {
    using sources = transpileSources({ file, from, to });
    const found = proofs[suite](await load(sources.urlOf)).filter(({ title }) => title === proof);
    expect(found).toHaveLength(1);
    await expect(Promise.resolve(found[0]?.run())).rejects.toThrow();
  });
});

// Otherwise a mutant could be red for being built wrongly.
describe('with its guards, the same build of the sources is green', () => {
  const named = new Map(shown.map((mutant) => [`${mutant.suite}: ${mutant.proof}`, mutant]));
  it.each([...named])('%s', async (_, { suite, proof }) => {
    using sources = transpileSources();
    await proofs[suite](await load(sources.urlOf))
      .find(({ title }) => title === proof)
      ?.run();
  });
});

async function load(urlOf: (file: string) => string): Promise<CoreModules> {
  const files = ['fs/disk-root.ts', 'cores/read-file.ts', 'cores/write-file.ts'];
  const [disk, read, write] = await Promise.all(files.map((file) => import(/* @vite-ignore */ urlOf(file))));
  return {
    createDiskRoot: disk.createDiskRoot,
    readFile: read.readFile,
    planWrite: write.planWrite,
    writeFile: write.writeFile,
  };
}

interface Proof {
  readonly title: string;
  readonly run: () => unknown;
}

const byDescriptor = { requireRaceFree: true };
const byPath = { forceVerifiedOpen: true };

const proofs: Readonly<Record<Suite, (modules: CoreModules) => readonly Proof[]>> = {
  containment: (modules) =>
    containmentCases.map(({ title, run }) => ({ title, run: () => run(coresOnDisk(byDescriptor, modules)) })),
  'containment by path': (modules) =>
    containmentCases.map(({ title, run }) => ({ title, run: () => run(coresOnDisk(byPath, modules)) })),
  matrix: (modules) => pathMatrix.map(({ title, run }) => ({ title, run: () => run(coresOnDisk({}, modules)) })),
  faults: (modules) => faultCases.map(({ title, run }) => ({ title, run: () => run(coresOnDisk({}, modules)) })),
  attacks: (modules) => attacks.map(({ title, run }) => ({ title, run: () => run(modules) })),
  interleavings: (modules) =>
    interleavings.map(({ title, run }) => ({ title, run: () => run(coresOnDisk({}, modules), 'forth and back') })),
  'interleavings by path': (modules) =>
    interleavings.map(({ title, run }) => ({ title, run: () => run(coresOnDisk(byPath, modules), 'forth') })),
};
