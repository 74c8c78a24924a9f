import { describe, it } from 'vitest';
import {
  type CreateSurface,
  containmentCases,
  type Surface,
  type SurfaceGround,
} from '../fs/testing/containment-driver.ts';
import { type Runtime, wireRuntime } from './runtime.ts';

// The same table through both surfaces that agents have: what a tool refuses, a helper refuses with the same code.
describe.each([
  ['file_read and file_write', toolSurface],
  ['read_file and write_file', helperSurface(positionalCall)],
] as const)('containment through %s', (_, createSurface) => {
  it.each(containmentCases.map((row) => [row.id, row.title, row] as const))('%s %s', async (id, __, row) => {
    await row.run(async (ground) => lastingFor(id, await createSurface(ground)));
  });
});

describe('read_file and write_file with an options object', () => {
  const withOptions = containmentCases.filter(({ id }) => ['C52', 'C53', 'C54', 'C55', 'C56', 'C57'].includes(id));

  it.each(withOptions.map((row) => [row.id, row.title, row] as const))('%s %s', async (_, __, row) => {
    await row.run(helperSurface(optionsCall));
  });
});

const context = { _unsafe_mode: true };

function createRuntime({ root, protectedPaths, syscalls }: SurfaceGround): Promise<Runtime> {
  const mebibytes = 1024 * 1024;
  return wireRuntime(
    {
      root,
      mode: 'unsafe',
      protectedPaths,
      workers: 1,
      limits: { resultBytes: 64 * mebibytes, inputBytes: 64 * mebibytes, memoryBytes: 256 * mebibytes },
    },
    { syscalls },
  );
}

async function toolSurface(ground: SurfaceGround): Promise<Surface> {
  const runtime = await createRuntime(ground);
  // Loads the tools before anybody loses the right to read their files.
  await runtime.callTool('file_read', { path: '.' });
  const call = async (name: string, args: object): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await runtime.callTool(name, withoutUndefined(args), { context });
    if (answer.ok) return answer.result;
    throw answer.error;
  };
  return {
    read: async (args) => String((await call('file_read', args))['text']),
    write: (args) => call('file_write', args),
    close: runtime.close,
  };
}

type CallText = (helper: string, first: readonly string[]) => string;

function helperSurface(textOf: CallText): CreateSurface {
  return async (ground) => {
    const runtime = await createRuntime(ground);
    // The thread has its descriptors before anybody counts, and its files before anybody loses the right to read them.
    await runtime.run({ source: 'return 1' });
    const call = async (text: string, input: unknown): Promise<unknown> => {
      const source = `try { return [${text}] } catch (error) {
        const { name, code, message, path, stack } = error;
        return { name, code, message, path, stack };
      }`;
      const outcome = await runtime.run({ source, input, context });
      if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome));
      if (Array.isArray(outcome.value)) return outcome.value[0];
      throw outcome.value;
    };
    return {
      isGuest: true,
      read: async ({ path, ...rest }) =>
        String(await call(textOf('read_file', [written(path)]), { ...crossing(path), rest: withoutUndefined(rest) })),
      write: ({ path, content, ...rest }) => {
        return call(textOf('write_file', [written(path), 'input_data.content']), {
          ...crossing(path),
          content,
          rest: withoutUndefined(rest),
        });
      },
      close: runtime.close,
    };
  };
}

// What cannot cross the border is written out in the program.
function written(path: unknown): string {
  if (path instanceof String) return `new String(${JSON.stringify(path)})`;
  return hasToString(path) ? "{ toString() { throw new Error('a path was coerced') } }" : 'input_data.path';
}

function crossing(path: unknown): { readonly path?: unknown } {
  return path instanceof String || hasToString(path) ? {} : { path };
}

function hasToString(path: unknown): boolean {
  return typeof path === 'object' && path !== null && Object.hasOwn(path, 'toString');
}

function positionalCall(helper: string, first: readonly string[]): string {
  const names = helper === 'read_file' ? ['max_chars', 'offset'] : ['mode', 'offset'];
  return `${helper}(${[...first, ...names.map((name) => `input_data.rest.${name}`)].join(', ')})`;
}

function optionsCall(helper: string, first: readonly string[]): string {
  return `${helper}(${[...first, 'input_data.rest'].join(', ')})`;
}

function withoutUndefined(args: object): object {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

// The user and group of nobody, by convention.
const ordinary = 65534;

// The driver lends a user, or a umask, to work that is done when it returns; ours is done later.
function lastingFor(id: string, surface: Surface): Surface {
  const around = id === 'C63' ? asOrdinaryUser : id === 'C64' ? underUmask : undefined;
  return around === undefined ? surface : { ...surface, write: (args) => around(async () => surface.write(args)) };
}

async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  await Promise.resolve();
  if (process.geteuid?.() !== 0) return work();
  process.setegid?.(ordinary);
  process.seteuid?.(ordinary);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

async function underUmask<T>(work: () => Promise<T>): Promise<T> {
  await Promise.resolve();
  const before = process.umask(0o027);
  try {
    return await work();
  } finally {
    process.umask(before);
  }
}
