import { describe, expect, it } from 'vitest';
import { findCommentExamples, findExamples, matchesShown } from './examples.ts';

const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`;

describe('findExamples()', () => {
  it('takes marked blocks with exit code and the output right behind', () => {
    const page = `<!-- run exit=3 -->\n${block('sh', 'porthole run a.js')}\n${block('text', 'refused')}`;
    expect(findExamples('README.md', page).examples).toEqual([
      { place: 'README.md:2', language: 'sh', text: 'porthole run a.js', exit: 3, expected: 'refused' },
    ]);
  });

  it('takes no block as output that stands behind prose', () => {
    const page = `<!-- run -->\n${block('ts', 'f();')}\nSomething else:\n${block('text', 'no')}`;
    expect(findExamples('a.md', page).examples[0]?.expected).toBeUndefined();
  });

  it('names blocks that neither run nor say why not', () => {
    const page = `${block('sh', 'a')}<!-- not run: needs a terminal -->\n${block('sh', 'b')}${block('yaml', 'c: 1')}`;
    expect(findExamples('a.md', page)).toEqual({ examples: [], unmarked: ['a.md:1'] });
  });
});

describe('findCommentExamples()', () => {
  it('finds the block below @example, without the stars', () => {
    const source = `const a = 1;\n/**\n * Adds.\n * @example\n * \`\`\`ts\n * add(1,\n *   2);\n * \`\`\`\n */\nexport function add() {}\n`;
    expect(findCommentExamples('src/a.ts', source)).toMatchObject([{ place: 'src/a.ts:5', text: 'add(1,\n  2);' }]);
  });
});

describe('matchesShown()', () => {
  it.each([
    ['equal text', 'a\nb\n', 'a\nb', true],
    ['other text', 'a\nc\n', 'a\nb', false],
    ['more text than shown', 'a\nb\nc\n', 'a\nb', false],
    ['a gap within a line', 'took 12 ms\n', 'took … ms', true],
    ['no gap over a line end', 'took 1\n2 ms\n', 'took … ms', false],
    ['a gap of lines', 'a\nb\nc\nd\n', 'a\n…\nd', true],
    ['a gap of no lines', 'a\nd\n', 'a\n…\nd', true],
    ['pattern characters as they are', 'a.b\n', 'a+b', false],
  ])('%s', (_title, output, shown, matches) => {
    expect(matchesShown(output, shown)).toBe(matches);
  });
});
