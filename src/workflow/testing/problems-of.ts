import { isPortholeError } from '../../contract/errors.ts';
import type { DocumentProblem } from '../../runtime/strict-document.ts';
import { parseAgentFile } from '../parse-agent-file.ts';

/** Every problem of a text, as `line:column message`; none for an agent file that can be used. */
export function problemsOf(text: string, file = 'w.yaml'): readonly string[] {
  try {
    parseAgentFile({ text, file, isJson: file.endsWith('.json') });
    return [];
  } catch (error) {
    return listProblems(error);
  }
}

/** The problems that an error tells of. */
export function listProblems(error: unknown): readonly string[] {
  if (!isPortholeError(error, 'AGENT_FILE_INVALID')) throw error;
  const problems = error.details['problems'] as readonly DocumentProblem[]; // put there by documentError()
  return problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

/** An agent file with one agent and whatever else is said. */
export function agentFile(agents: string, rest = ''): string {
  return `porthole: 1\nagents:\n${agents}\nstart: a\n${rest}`;
}
