import { isPortholeError } from '../contract/errors.ts';
import { parseRootPath } from '../fs/path-rules.ts';
import { describeIssue } from '../runtime/document-issues.ts';
import type { DocumentProblem, StrictDocument } from '../runtime/strict-document.ts';
import { toolTable } from '../tools/table.ts';

/** Where the arguments of a tool stand. */
export interface ArgumentsPlace {
  readonly document: StrictDocument;
  readonly path: readonly PropertyKey[];
}

/** What is wrong with the arguments of a tool before a value arrives: names, shapes, and the spelling of the path. */
export function findToolProblems(
  name: string,
  args: Readonly<Record<string, unknown>>,
  { document, path }: ArgumentsPlace,
): readonly DocumentProblem[] {
  const tool = toolTable.find((known) => known.name === name);
  if (tool === undefined) return []; // the schema has named it already
  // The content may be the value that arrives.
  const schema = 'content' in tool.schema.shape ? tool.schema.partial({ content: true }) : tool.schema;
  const parsed = schema.safeParse(args);
  const problems = (parsed.error?.issues ?? []).flatMap((issue) => {
    const within = { ...document, ...shifted(document, path) };
    return describeIssue(issue, within, { schema, whole: `with of ${name}` });
  });
  const written = args['path'];
  return typeof written === 'string' ? [...problems, ...findPathProblems(written, { document, path })] : problems;
}

function shifted(document: StrictDocument, base: readonly PropertyKey[]) {
  return {
    positionOf: (path: readonly PropertyKey[]) => document.positionOf([...base, ...path]),
    keyPositionOf: (path: readonly PropertyKey[], key: string) => document.keyPositionOf([...base, ...path], key),
  };
}

// Whether an absolute path lies under the root, only a run can say.
function findPathProblems(written: string, { document, path }: ArgumentsPlace): readonly DocumentProblem[] {
  if (written.startsWith('/')) return [];
  try {
    parseRootPath(written, 'read', { spellings: [] });
    return [];
  } catch (error) {
    if (!isPortholeError(error)) throw error;
    const reason = String(error.details['reason'] ?? error.message);
    return [{ message: `${reason} (${error.code})`, hint: error.hint, ...document.positionOf([...path, 'path']) }];
  }
}
