// WebAssembly as Porthole uses it. TypeScript declares it with the browser's names only, and @types/node 20 in part;
// taking in the browser's whole library would make `document` and `window` type-check in a program for Node.

declare namespace WebAssembly {
  type ImportValue = ((...args: never[]) => unknown) | Memory | number;
  type ModuleImports = Record<string, ImportValue>;
  type Imports = Record<string, ModuleImports>;
  type ExportValue = ((...args: number[]) => number) & Global & Memory;
  type Exports = Record<string, ExportValue | undefined>;

  class Module {
    constructor(bytes: Uint8Array | ArrayBuffer);
    static exports(module: Module): { readonly name: string; readonly kind: string }[];
    static imports(module: Module): { readonly module: string; readonly name: string; readonly kind: string }[];
  }

  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Exports;
  }

  class Memory {
    constructor(descriptor: { readonly initial: number; readonly maximum?: number; readonly shared?: boolean });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }

  class Global<T = number> {
    constructor(descriptor: { readonly value: string; readonly mutable?: boolean }, value: T);
    value: T;
  }

  class RuntimeError extends Error {}
  class CompileError extends Error {}
  class LinkError extends Error {}

  function compile(bytes: Uint8Array | ArrayBuffer): Promise<Module>;
  function validate(bytes: Uint8Array | ArrayBuffer): boolean;
}
