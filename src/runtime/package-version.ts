import { readOperatorFileUnchecked } from '../fs/operator-file.ts';
import { packagedFile } from './packaged-files.ts';

/** The version of the package, as its package.json says. */
export function packageVersion(): string {
  const text = Buffer.from(readOperatorFileUnchecked(new URL('../package.json', packagedFile('cli.cjs')))).toString();
  return String(JSON.parse(text).version);
}
