import { describe, expect, it } from 'vitest';
import { findAnchors, findFences, findLinks } from './markdown.ts';

describe('findFences()', () => {
  it('gives language, text, lines and the comment directly above', () => {
    const page = 'text\n<!-- run exit=3 -->\n```sh\nporthole run\n```\n\n```text\nout\n```\n';
    expect(findFences(page)).toEqual([
      { language: 'sh', text: 'porthole run', line: 3, endLine: 6, marker: 'run exit=3' },
      { language: 'text', text: 'out', line: 7, endLine: 10, marker: undefined },
    ]);
  });

  it('takes a fence inside a longer fence as its text', () => {
    const [fence, ...rest] = findFences('````md\n```sh\nls\n```\n````\n');
    expect(fence?.text).toBe('```sh\nls\n```');
    expect(rest).toEqual([]);
  });
});

describe('findLinks()', () => {
  it('finds links, images and definitions', () => {
    const page = '[a](docs/a.md#part) and ![b](b.png "title")\n\n[c]: ../c.md\n';
    expect(findLinks(page)).toEqual([
      { target: 'docs/a.md#part', line: 1 },
      { target: 'b.png', line: 1 },
      { target: '../c.md', line: 3 },
    ]);
  });

  it('leaves code alone', () => {
    expect(findLinks('`[a](b.md)`\n```\n[c](d.md)\n```\n')).toEqual([]);
  });
});

describe('findAnchors()', () => {
  it('names headings as GitHub does, repeated ones with a number', () => {
    const page = '# 4.5.1 `file_read`: windows & views\n## Limits\n## Limits\n```\n# not a heading\n```\n';
    expect([...findAnchors(page)]).toEqual(['451-file_read-windows--views', 'limits', 'limits-1']);
  });
});
