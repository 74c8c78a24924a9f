import { isPortholeError, type PortholeError } from '../contract/errors.ts';
import { describeIssue } from '../runtime/document-issues.ts';
import {
  type DocumentProblem,
  documentError,
  parseStrictDocument,
  type StrictDocument,
} from '../runtime/strict-document.ts';
import type { Agent, AgentFile, Body, Bridge, CodeAgent, SourceText, ToolAgent } from './agent-file.ts';
import { agentFileSchema, agentNamePattern, type WrittenAgent, type WrittenAgentFile } from './agent-file-schema.ts';
import { findGraphProblems } from './graph-problems.ts';
import { createLocator } from './locate-text.ts';
import { findToolProblems } from './tool-problems.ts';

/** The text of an agent file, and what parsing it takes from outside. */
export interface AgentFileSource {
  readonly text: string;
  /** For messages, and for the name of a workflow that has none. */
  readonly file: string;
  /** JSON rather than YAML. */
  readonly isJson: boolean;
  /** Reads a program beside the agent file; refuses as reads under a root do. Without it there are none. */
  readonly readBody?: (path: string) => string;
}

// A person writes this file; a longer program belongs into a file of its own.
const maxCharacters = 1024 * 1024;

const maxAliases = 100;

/**
 * Reads an agent file and judges all that can be judged without running it, but for the JavaScript in it.
 * @throws PortholeError `AGENT_FILE_INVALID` with every problem in `details.problems`
 */
export function parseAgentFile(source: AgentFileSource): AgentFile {
  const { text, file, isJson } = source;
  if (text.length > maxCharacters) {
    const message = `it holds more than ${maxCharacters} characters`;
    throw agentFileError(file, [{ message, hint: 'Put long programs into files of their own.', line: 1, column: 1 }]);
  }
  const document = parseStrictDocument(text, { isJson, kind: 'an agent file', maxAliases, judgeKey });
  if (document.problems.length > 0) throw agentFileError(file, document.problems);
  const written = parseWritten(source, document);
  const problems: DocumentProblem[] = [];
  const agents = new Map(
    Object.entries(written.agents).map(([name, agent]) => [
      name,
      readAgent(name, agent, { document, source, problems }),
    ]),
  );
  const bridges = written.bridges.map((bridge, index) => readBridge(bridge, index, document));
  const startAt = document.positionOf(['start']);
  problems.push(...findGraphProblems({ agents, bridges, start: written.start, startAt }));
  if (problems.length > 0) throw agentFileError(file, inOrder(problems));
  return { file, name: written.name ?? nameOf(file), start: written.start, agents, bridges, text };
}

/** The one error for what is wrong with an agent file. */
export function agentFileError(file: string, problems: readonly DocumentProblem[]): PortholeError {
  return documentError('AGENT_FILE_INVALID', 'agent file', file, problems);
}

function judgeKey(key: string): Pick<DocumentProblem, 'message' | 'hint'> | undefined {
  const hint = 'Whoever runs the workflow gives the context: --context, --allow-write, or the option context.';
  if (key === '_unsafe_mode') return { message: 'an agent file cannot set "_unsafe_mode"', hint };
  if (key === 'context') return { message: 'an agent file cannot set the context', hint };
  return key === '__proto__' ? { message: 'the key "__proto__" is not part of an agent file' } : undefined;
}

function parseWritten({ file }: AgentFileSource, document: StrictDocument): WrittenAgentFile {
  const parsed = agentFileSchema.safeParse(document.value);
  if (parsed.success) return parsed.data;
  const described = { schema: agentFileSchema, whole: 'the agent file' };
  const problems = parsed.error.issues.flatMap((issue) => {
    const name = issue.path.at(-1);
    if (issue.code === 'invalid_key' && typeof name === 'string') return [badName(name, document)];
    return describeIssue(issue, document, described);
  });
  throw agentFileError(file, inOrder(problems));
}

function badName(name: string, document: StrictDocument): DocumentProblem {
  const message = `${JSON.stringify(name)} cannot be the name of an agent`;
  const hint = `A name matches ${agentNamePattern.source}.`;
  return { message, hint, ...document.keyPositionOf(['agents'], name) };
}

interface Reading {
  readonly document: StrictDocument;
  readonly source: AgentFileSource;
  readonly problems: DocumentProblem[];
}

function readAgent(name: string, written: WrittenAgent, reading: Reading): Agent {
  const { document, problems } = reading;
  const at = document.keyPositionOf(['agents'], name);
  const { tool, code, file, maxVisits } = written;
  const facts = { name, at, maxVisits };
  const kinds = Object.entries({ tool, code, file }).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  if (kinds.length !== 1) {
    const message = `agent "${name}" must have one of tool, code and file, not ${kinds.join(' and ') || 'none of them'}`;
    problems.push({ message, ...at });
  }
  return tool === undefined ? readCodeAgent(written, facts, reading) : readToolAgent(tool, { written, facts, reading });
}

type Facts = Pick<Agent, 'name' | 'at' | 'maxVisits'>;

interface ToolParts {
  readonly written: WrittenAgent;
  readonly facts: Facts;
  readonly reading: Reading;
}

function readToolAgent(tool: string, { written, facts, reading }: ToolParts): ToolAgent {
  const { document, problems } = reading;
  for (const key of ['language', 'limits'] as const) {
    if (written[key] === undefined) continue;
    const message = `agent "${facts.name}" calls a tool, which has no ${key}`;
    problems.push({ message, ...document.keyPositionOf(['agents', facts.name], key) });
  }
  const args = written.with ?? {};
  problems.push(...findToolProblems(tool, args, { document, path: ['agents', facts.name, 'with'] }));
  return { kind: 'tool', ...facts, tool, with: args };
}

function readCodeAgent(written: WrittenAgent, facts: Facts, reading: Reading): CodeAgent {
  const { document, problems } = reading;
  const path = ['agents', facts.name];
  if (written.with !== undefined) {
    const message = `agent "${facts.name}" is code, which takes no arguments`;
    const hint = 'Values reach code as input_data and context.';
    problems.push({ message, hint, ...document.keyPositionOf(path, 'with') });
  }
  const language = written.language ?? (/\.[cm]?ts$/.test(written.file ?? '') ? 'ts' : 'js');
  const body =
    written.file === undefined
      ? readText(document, [...path, 'code'], written.code ?? '')
      : readBodyFile(written.file, facts.name, reading);
  return {
    kind: 'code',
    ...facts,
    body: { ...body, file: written.file, frameFile: frameName(written.file ?? `${facts.name}.${language}`) },
    language,
    limits: Object.fromEntries(Object.entries(written.limits ?? {}).filter(([, value]) => value !== undefined)),
    limitsAt: document.keyPositionOf(path, 'limits'),
  };
}

function readBodyFile(path: string, name: string, { document, source, problems }: Reading): SourceText {
  const at = document.positionOf(['agents', name, 'file']);
  const locate = () => at;
  try {
    if (source.readBody === undefined) {
      problems.push({ message: 'there are no files beside an agent file that is no file itself', ...at });
      return { source: '', at, locate };
    }
    return { source: source.readBody(path), at, locate };
  } catch (error) {
    if (!isPortholeError(error)) throw error;
    problems.push({ message: `${lowerFirst(error.message)} (${error.code})`, hint: error.hint, ...at });
    return { source: '', at, locate };
  }
}

function readBridge(written: WrittenAgentFile['bridges'][number], index: number, document: StrictDocument): Bridge {
  const path = ['bridges', index];
  const { from, to, when, transform, on } = written;
  return {
    from,
    to,
    at: document.positionOf(path),
    onError: on === 'error',
    when: when === undefined ? undefined : readText(document, [...path, 'when'], when),
    transform: transform === undefined ? undefined : readText(document, [...path, 'transform', 'fn'], transform.fn),
  };
}

function readText(document: StrictDocument, path: readonly PropertyKey[], source: string): SourceText {
  const at = document.positionOf(path);
  return { source, at, locate: createLocator(document.writtenAt(path), at) };
}

// What could be taken for another part of a stack frame is replaced.
function frameName(path: string): Body['frameFile'] {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/[\p{Cc}():]/gu, '_');
  return name === '' || name === 'porthole' ? 'program.js' : name;
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.(?:ya?ml|json)$/, '');
}

function inOrder(problems: readonly DocumentProblem[]): readonly DocumentProblem[] {
  return problems.toSorted((one, other) => one.line - other.line || one.column - other.column);
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
