import { type Fence, findFences } from './markdown.ts';

/** A block of a document that a reader may copy, and what it should print. */
export interface Example {
  /** `README.md:12` */
  readonly place: string;
  readonly language: 'sh' | 'ts';
  readonly text: string;
  readonly exit: number;
  /** Undefined where the document shows no output. */
  readonly expected: string | undefined;
}

/** What the examples of one page are, and which blocks neither run nor say why not. */
export interface PageExamples {
  readonly examples: readonly Example[];
  readonly unmarked: readonly string[];
}

const runnable = ['sh', 'ts'] as const;
const outputs = ['text', 'json', 'diff'];

/**
 * Reads the examples of a Markdown page. A block of shell commands or TypeScript stands below `<!-- run -->`
 * (`<!-- run exit=3 -->` where the last command fails on purpose) or `<!-- not run: reason -->`.
 * A `text`, `json` or `diff` block right behind one that runs is what it prints.
 */
export function findExamples(path: string, page: string): PageExamples {
  const fences = findFences(page);
  const lines = page.split('\n');
  const examples: Example[] = [];
  const unmarked: string[] = [];
  for (const [index, fence] of fences.entries()) {
    const language = runnable.find((name) => name === fence.language);
    if (language === undefined || fence.marker?.startsWith('not run:') === true) continue;
    const place = `${path}:${fence.line}`;
    const marker = /^run(?: exit=(\d+))?$/.exec(fence.marker ?? '');
    if (marker === null) unmarked.push(place);
    else
      examples.push({
        place,
        language,
        text: fence.text,
        exit: Number(marker[1] ?? 0),
        expected: outputBehind(fence, fences[index + 1], lines),
      });
  }
  return { examples, unmarked };
}

/** The examples in the documentation comments of a source file: every `ts` block below `@example`. */
export function findCommentExamples(path: string, source: string): readonly Example[] {
  return [...source.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap((comment) => {
    const firstLine = source.slice(0, comment.index).split('\n').length;
    const page = comment[0].replace(/^[ \t]*\/?\*+\/?[ \t]?/gm, '');
    if (!page.includes('@example')) return [];
    return findFences(page)
      .filter(({ language }) => language === 'ts')
      .map(({ text, line }) => ({
        place: `${path}:${firstLine + line - 1}`,
        language: 'ts' as const,
        text,
        exit: 0,
        expected: undefined,
      }));
  });
}

/**
 * True when output is what a document shows. `…` stands for anything within its line; a line that is only `…`
 * stands for any number of lines.
 */
export function matchesShown(output: string, shown: string): boolean {
  const pattern = shown
    .trimEnd()
    .split('\n')
    .map((line) =>
      line.trim() === '…' ? '(?:[^\\n]*\\n?)*?' : `${line.split('…').map(escapePattern).join('[^\\n]*')}\\n`,
    )
    .join('');
  return new RegExp(`^${pattern}$`).test(`${output.trimEnd()}\n`);
}

function outputBehind(fence: Fence, next: Fence | undefined, lines: readonly string[]): string | undefined {
  if (next === undefined || !outputs.includes(next.language)) return undefined;
  const between = lines.slice(fence.endLine - 1, next.line - 1);
  return between.every((line) => line.trim() === '') ? next.text : undefined;
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
