import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { findAnchors, findLinks, listPages } from './markdown.ts';

const pages = listPages();
const problems = pages.flatMap((path) => findBrokenLinks(path));
for (const problem of problems) console.log(problem);
console.log(`${pages.length} pages, ${problems.length} broken links`);
if (problems.length > 0) process.exitCode = 1;

/** Links of a page that lead to no file or no heading. Links into the web are left alone: a check must not need it. */
function findBrokenLinks(path: string): readonly string[] {
  return findLinks(readFileSync(path, 'utf8')).flatMap(({ target, line }) => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return [];
    const [file = '', anchor] = target.split('#');
    const place = file === '' ? path : normalize(join(dirname(path), decodeURIComponent(file)));
    if (!existsSync(place)) return [`${path}:${line}: "${target}" leads to no file`];
    if (anchor === undefined || anchor === '' || !place.endsWith('.md')) return [];
    return findAnchors(readFileSync(place, 'utf8')).has(anchor)
      ? []
      : [`${path}:${line}: "${target}" leads to no heading`];
  });
}
