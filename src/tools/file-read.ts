import { z } from 'zod';
import { judgedReadFile, judgedReadLines } from '../calls/file-calls.ts';
import type { LinesPage } from '../cores/read-lines.ts';
import { fileError } from '../fs/file-error.ts';
import { showPath } from './show-path.ts';
import type { Tool, ToolHost, ToolSuccess } from './tool.ts';

const schema = z.strictObject({
  path: z.string().describe('The file, relative to the root.'),
  view: z
    .enum(['text', 'lines'])
    .nullish()
    .describe(
      '"text" is the text as it is; "lines" numbers its lines, as edits by line number take them. Default: "text".',
    ),
  offset: z.int().min(0).nullish().describe('View "text": first character of the window, from 0. Default: 0.'),
  max_chars: z.int().min(0).nullish().describe('View "text": most characters (Unicode code points). Default: all.'),
  line: z.int().min(1).nullish().describe('View "lines": first line of the page, from 1. Default: 1.'),
  limit: z.int().min(1).nullish().describe('View "lines": most lines of the page. Default: 200.'),
});

/** The tool `file_read`: a text file, as a window of its text or a page of its lines. */
export const fileReadTool: Tool = {
  name: 'file_read',
  description:
    'Reads a UTF-8 text file under the root. Returns its text, or with view "lines" a page of numbered lines. ' +
    'Where the result is cut, its last line says how to go on.',
  changesFiles: false,
  schema,
  run: (args, host) => {
    const isLines = refuseOtherView(args, host);
    return isLines ? readPage(args, host) : readText(args, host);
  },
};

type Args = Readonly<Record<string, unknown>>;

const fieldsOfView = { text: ['offset', 'max_chars'], lines: ['line', 'limit'] } as const;

// Answers whether lines are wanted. Numbers for the other view would be silently without effect.
function refuseOtherView(args: Args, { target }: ToolHost): boolean {
  const { path, view } = args;
  const refuse = (reason: string) => {
    target.fs.parsePath(path, 'read');
    return fileError('ARGUMENT_INVALID', { verb: 'read', written: path }, reason);
  };
  if (view !== undefined && view !== null && view !== 'text' && view !== 'lines') {
    throw refuse('view must be "text" or "lines"');
  }
  const isLines = view === 'lines';
  const misplaced = fieldsOfView[isLines ? 'text' : 'lines'].find((name) => (args[name] ?? null) !== null);
  if (misplaced !== undefined) throw refuse(`${misplaced} goes with view "${isLines ? 'text' : 'lines'}"`);
  return isLines;
}

async function readText(args: Args, { target, ...caller }: ToolHost): Promise<ToolSuccess> {
  const input = { path: args['path'], offset: args['offset'], maxChars: args['max_chars'] };
  const { result, settle } = await judgedReadFile(target, { ...caller, name: 'file_read' }, input);
  settle();
  const { shownPath: path, bytes, nextOffset } = result;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const from = Number(args['offset'] ?? 0);
  const [chars, totalChars, digest] = [result.chars(), result.totalChars(), result.digest()];
  const head = `[FILE_READ_SUCCESS] ${showPath(path)} chars ${from}-${from + chars} of ${totalChars ?? '?'}`;
  const more = nextOffset === null ? [] : [`[more: call again with offset ${nextOffset}]`];
  return {
    text: [head, text, ...more].join('\n'),
    result: { path, view: 'text', text, offset: from, chars, totalChars, nextOffset, bytes: bytes.length, digest },
  };
}

async function readPage(args: Args, { target, ...caller }: ToolHost): Promise<ToolSuccess> {
  const input = { path: args['path'], line: args['line'], limit: args['limit'] };
  const { result: page, settle } = await judgedReadLines(target, { ...caller, name: 'file_read' }, input);
  settle();
  const { shownPath: path, firstLine, lines, totalLines, nextLine, hasInvalidBytes } = page;
  const numbered = lines.map((line, index) => `${firstLine + index}\t${line}`);
  const note = hasInvalidBytes ? ['[not UTF-8: bytes that are no text are shown as \\xE9]'] : [];
  return {
    text: [...numbered, ...note, lastLine(page)].join('\n'),
    result: { path, view: 'lines', firstLine, lines, totalLines, nextLine, hasInvalidBytes, digest: page.digest() },
  };
}

function lastLine({ firstLine, totalLines, nextLine }: LinesPage): string {
  if (totalLines === null) return `[more: call again with line ${nextLine}]`;
  if (firstLine > Math.max(totalLines, 1)) return `[past the end: the file has ${countOf(totalLines)}]`;
  return `[end of file, ${countOf(totalLines)}]`;
}

function countOf(lines: number): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
}
