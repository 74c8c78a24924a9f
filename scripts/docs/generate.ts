import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { referencePages, renderPage } from './reference-pages.ts';

const checkOnly = process.argv.includes('--check');

for (const page of referencePages) {
  const text = renderPage(page);
  const fresh = existsSync(page.path) && readFileSync(page.path, 'utf8') === text;
  if (checkOnly) {
    if (!fresh) stale(page.path);
  } else if (!fresh) {
    mkdirSync(dirname(page.path), { recursive: true });
    writeFileSync(page.path, text);
    console.log(`wrote ${page.path}`);
  }
}

function stale(path: string): void {
  console.log(`${path} is not what its source says: run "npm run docs"`);
  process.exitCode = 1;
}
