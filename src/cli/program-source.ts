import type { ParsedArguments } from './arguments.ts';
import { decode, readTextFile } from './given-values.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

/** The program a command line names. */
export interface ProgramSource {
  readonly source: string;
  readonly language: 'js' | 'ts';
  /** Name in stack frames. */
  readonly file: string;
}

/** Reads the program from a file, standard input or `-e`. @throws UsageError */
export async function readProgram(world: World, args: ParsedArguments): Promise<ProgramSource> {
  const [path, ...others] = args.positionals;
  const code = args.value('eval');
  if (others.length > 0) {
    throw new UsageError(`run takes one program, not ${others.length + 1}`, 'Programs get values through --input.');
  }
  if ((path === undefined) === (code === undefined)) {
    throw new UsageError(
      path === undefined ? 'run needs a program: FILE, - or -e CODE' : '-e and a program are both given',
    );
  }
  if (path === '-' && args.value('input') === '@-') {
    throw new UsageError('the program and --input both want standard input');
  }
  const language = parseLanguage(args.value('language')) ?? (path !== undefined && /\.m?ts$/.test(path) ? 'ts' : 'js');
  const file = path === undefined || path === '-' ? `program.${language}` : frameName(path);
  return { source: await readSource(world, path, code), language, file };
}

async function readSource(world: World, path: string | undefined, code: string | undefined): Promise<string> {
  if (path === undefined) return code ?? '';
  return path === '-' ? decode('the program', await world.readStandardInput()) : readTextFile('the program', path);
}

function parseLanguage(given: string | undefined): 'js' | 'ts' | undefined {
  if (given === undefined || given === 'js' || given === 'ts') return given;
  throw new UsageError(`--language is js or ts, not ${JSON.stringify(given)}`);
}

// The file's own name; what could be taken for another part of a stack frame is replaced.
function frameName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/[\p{Cc}():]/gu, '_');
  return name === '' || name === 'porthole' ? 'program.js' : name;
}
