import { PortholeError } from '../contract/errors.ts';
import { readFile } from '../cores/read-file.ts';
import { createWindowCursors } from '../cores/window-cursors.ts';
import { createDiskRoot } from '../fs/disk-root.ts';
import { readOperatorFileUnchecked, whyUnreadable } from '../fs/operator-file.ts';
import { nodePowers } from '../runtime/node-powers.ts';
import type { AgentFile } from './agent-file.ts';
import { parseAgentFile } from './parse-agent-file.ts';

// Four bytes for every character that parsing takes.
const maxFileBytes = 4 * 1024 * 1024;
// What a program may have at most.
const maxBodyBytes = 64 * 1024 * 1024;

/**
 * Reads an agent file from the disk, with the programs that it names beside itself.
 * @throws PortholeError `AGENT_FILE_INVALID`
 */
export function loadAgentFile(path: string): AgentFile {
  const text = readText(path);
  const directory = path.slice(0, path.lastIndexOf('/') + 1) || '.';
  const isJson = path.endsWith('.json');
  return parseAgentFile({ text, file: path, isJson, readBody: (body) => readBeside(directory, body) });
}

function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readOperatorFileUnchecked(path, maxFileBytes));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const why = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : whyUnreadable(cause);
    const hint = 'Name an agent file: YAML, or JSON where the name ends in .json.';
    throw new PortholeError('AGENT_FILE_INVALID', `Cannot read agent file ${path}: ${why}`, { cause, hint });
  }
}

// Confined like a read of a program: no "..", no link that leads elsewhere, no device.
function readBeside(directory: string, path: string): string {
  const root = createDiskRoot({ root: directory });
  try {
    const powers = { digest: nodePowers.digest, maxReadBytes: maxBodyBytes, cursors: createWindowCursors() };
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(readFile(root, { path }, powers).bytes);
  } finally {
    root.close();
  }
}
