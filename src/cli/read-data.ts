import { parse } from 'yaml';
import { readTextFile } from './given-values.ts';
import { UsageError } from './usage-error.ts';

/** Data in a file of the operator's, in JSON or YAML. @throws UsageError */
export function readData(flag: string, path: string): unknown {
  const text = readTextFile(flag, path);
  try {
    return parse(text, { version: '1.2', logLevel: 'error' });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new UsageError(`${flag} is neither JSON nor YAML: ${reason}`);
  }
}
