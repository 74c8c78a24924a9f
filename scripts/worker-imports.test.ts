import { describe, expect, it } from 'vitest';
import { findWorkerProblems } from './worker-imports.ts';

describe('findWorkerProblems()', () => {
  it('accepts the two built-in modules of the worker', () => {
    const source = `import { parentPort } from 'node:worker_threads';\nimport { transcode } from "node:buffer";\nparentPort.on('message', () => {});`;
    expect(findWorkerProblems(source)).toEqual([]);
  });

  it.each([
    ['a static import', `import { readFileSync } from 'node:fs';`, 'node:fs'],
    ['an import without the prefix', `import 'fs';`, 'fs'],
    ['a second file', `import { value } from './index-value.js';`, './index-value.js'],
    ['a dynamic import', `await import('node:child_process');`, 'node:child_process'],
    ['a re-export', `export * from 'node:net';`, 'node:net'],
    ['a require', `const fs = require('fs');`, 'fs'],
    ['a computed import', `await import(name);`, 'a computed import'],
    ['the process door', `process.getBuiltinModule('fs');`, 'getBuiltinModule'],
  ])('refuses %s', (_title, source, problem) => {
    expect(findWorkerProblems(source)).toContain(problem);
  });
});
