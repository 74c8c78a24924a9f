// The packages Porthole is measured against, as far as the rows use them. They are installed on demand, so that
// nothing outside bench/ depends on them; hence imports that the compiler does not follow, and types written here.

/** `run`: a fresh QuickJS context in a worker thread. */
export interface RunPeer {
  readonly run: (input: {
    readonly source: string;
    readonly hostFunctions?: Readonly<Record<string, Readonly<Record<string, () => unknown>>>>;
  }) => Promise<{ readonly value?: unknown }>;
  readonly createRunner: (options: {
    readonly syncHostFunctions: Readonly<Record<string, Readonly<Record<string, () => unknown>>>>;
  }) => Pick<RunPeer, 'run'>;
}

/** `@sebastianwessel/quickjs`: what its README calls a sandbox. */
export type RunSandboxed = (
  use: (sandbox: { readonly evalCode: (code: string) => Promise<EvalAnswer> }) => Promise<EvalAnswer>,
) => Promise<EvalAnswer>;

interface EvalAnswer {
  readonly ok: boolean;
  readonly data?: unknown;
}

/** `isolated-vm`: a V8 isolate. */
export interface IsolatePeer {
  readonly Isolate: new (options: {
    readonly memoryLimit: number;
  }) => {
    readonly createContextSync: () => { readonly evalSync: (code: string) => unknown };
    readonly dispose: () => void;
  };
}

/** `quickjs-emscripten`, as is: in the thread of the caller. */
export interface QuickJsPeer {
  readonly newRuntime: () => { readonly newContext: () => QuickJsContext; readonly dispose: () => void };
}

/** A context of {@link QuickJsPeer}. */
export interface QuickJsContext {
  readonly evalCode: (code: string) => unknown;
  readonly unwrapResult: (result: unknown) => QuickJsHandle;
  readonly getNumber: (handle: QuickJsHandle) => number;
  readonly getProp: (handle: QuickJsHandle, name: string) => QuickJsHandle;
  readonly newString: (text: string) => QuickJsHandle;
  readonly dispose: () => void;
}

interface QuickJsHandle {
  readonly dispose: () => void;
}

/** The edit function of `@modelcontextprotocol/server-filesystem`. */
export type ApplyFileEdits = (
  path: string,
  edits: readonly { readonly oldText: string; readonly newText: string }[],
) => Promise<string>;

/** Loads `run`. */
export async function loadRun(): Promise<RunPeer> {
  return (await importPeer('run')) as RunPeer; // the part of its declarations that is used
}

/** Loads `@sebastianwessel/quickjs` with the engine its README names. */
export async function loadRunSandboxed(): Promise<RunSandboxed> {
  const { loadQuickJs } = (await importPeer('@sebastianwessel/quickjs')) as {
    loadQuickJs: (variant: unknown) => Promise<{ runSandboxed: RunSandboxed }>;
  }; // likewise
  const { default: variant } = (await importPeer('@jitl/quickjs-ng-wasmfile-release-sync')) as { default: unknown }; // likewise
  return (await loadQuickJs(variant)).runSandboxed;
}

/** Loads `isolated-vm`; the process must have been started with `--no-node-snapshot`. */
export async function loadIsolatedVm(): Promise<IsolatePeer> {
  return ((await importPeer('isolated-vm')) as { default: IsolatePeer }).default; // likewise
}

/** Loads `quickjs-emscripten`. */
export async function loadQuickJs(): Promise<QuickJsPeer> {
  const { getQuickJS } = (await importPeer('quickjs-emscripten')) as { getQuickJS: () => Promise<QuickJsPeer> }; // likewise
  return getQuickJS();
}

/** Loads `@modelcontextprotocol/server-filesystem` without its protocol. */
export async function loadFilesystemServer(): Promise<{ readonly applyFileEdits: ApplyFileEdits }> {
  return (await importPeer('@modelcontextprotocol/server-filesystem/dist/lib.js')) as {
    applyFileEdits: ApplyFileEdits;
  }; // likewise
}

function importPeer(name: string): Promise<unknown> {
  return import(name);
}
