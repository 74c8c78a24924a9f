import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced block with what stands around it. */
export interface Fence {
  readonly language: string;
  readonly text: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  /** Line behind the closing fence. */
  readonly endLine: number;
  /** Content of an HTML comment that stands directly above, without its brackets. */
  readonly marker: string | undefined;
}

/** A link or image as written. */
export interface Link {
  readonly target: string;
  readonly line: number;
}

const skippedFolders = ['node_modules', 'dist', 'coverage', 'reports'];

/** Every Markdown page of the project, hidden folders left out, by path from the project's directory. */
export function listPages(directory = '.'): readonly string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && !skippedFolders.includes(entry.name))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return listPages(path);
      return entry.name.endsWith('.md') ? [path] : [];
    })
    .toSorted();
}

/** The fenced blocks of a page. */
export function findFences(page: string): readonly Fence[] {
  const lines = page.split('\n');
  const fences: Fence[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const open = /^(\s*)(`{3,}|~{3,})\s*(\S*)/.exec(lines[index] ?? '');
    if (open === null) continue;
    const [, indent = '', fence = '', language = ''] = open;
    const close = new RegExp(`^\\s*${fence.charAt(0)}{${fence.length},}\\s*$`);
    const closing = lines.findIndex((text, at) => at > index && close.test(text));
    const end = closing === -1 ? lines.length : closing;
    fences.push({
      language,
      text: lines
        .slice(index + 1, end)
        .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
        .join('\n'),
      line: index + 1,
      endLine: end + 2,
      marker: /^\s*<!--\s*(.*?)\s*-->\s*$/.exec(lines[index - 1] ?? '')?.[1],
    });
    index = end;
  }
  return fences;
}

/** The links of a page, code left out. */
export function findLinks(page: string): readonly Link[] {
  return withoutFences(page)
    .split('\n')
    .flatMap((line, index) => {
      const prose = line.replace(/(`+)(?:(?!\1).)*\1/g, '');
      const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)];
      const defined = [...prose.matchAll(/^\s{0,3}\[[^\]]+\]:\s*<?(\S+?)>?\s*$/g)];
      return [...inline, ...defined].flatMap(([, target]) =>
        target === undefined ? [] : [{ target, line: index + 1 }],
      );
    });
}

/** The names a link may use behind `#`, built as GitHub builds them from headings. */
export function findAnchors(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const prose = withoutFences(page);
  for (const [, heading = ''] of prose.matchAll(/^#{1,6}\s+(.*?)\s*#*\s*$/gm)) {
    const slug = toSlug(heading);
    let name = slug;
    for (let count = 1; anchors.has(name); count += 1) name = `${slug}-${count}`;
    anchors.add(name);
  }
  for (const [, id] of prose.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) if (id !== undefined) anchors.add(id);
  return anchors;
}

function toSlug(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function withoutFences(page: string): string {
  const lines = page.split('\n');
  for (const { line, endLine } of findFences(page)) lines.fill('', line - 1, endLine - 1);
  return lines.join('\n');
}
