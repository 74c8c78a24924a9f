import { afterEach, describe, expect, it } from 'vitest';
import { createEngine, type EngineHost, initialPages, pageBytes } from './engine.ts';
import { exportNames, importNames } from './engine-names.ts';
import { resultOf } from './testing/run-program.ts';
import { engineModule } from './testing/sandbox-files.ts';

const timeZone = process.env['TZ'];

afterEach(() => {
  if (timeZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = timeZone;
});

describe("the guest's time", () => {
  it.each(['America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'UTC'])('is UTC on a host in %s', async (zone) => {
    process.env['TZ'] = zone;
    const source = `const out = [];
      for (const year of [1, 99, 1582, 1900, 1969, 1970, 1999, 2000, 2024, 2100, 9999, 275760]) {
        for (const [month, day, hour] of [[0, 1, 0], [1, 28, 23], [1, 29, 12], [5, 30, 2], [11, 31, 23]]) {
          const local = new Date(2000, 0, 1); local.setFullYear(year, month, day); local.setHours(hour, 30, 15, 7);
          const utc = new Date(0); utc.setUTCFullYear(year, month, day); utc.setUTCHours(hour, 30, 15, 7);
          if (Number.isNaN(utc.getTime())) continue;
          out.push(local.getTime() === utc.getTime() && local.getHours() === utc.getUTCHours() && local.getDay() === utc.getUTCDay() && local.getTimezoneOffset() === 0);
        }
      }
      return [out.every(Boolean), out.length > 50, new Date(86400000).toString(), new Date(0).toLocaleString()]`;
    expect(await resultOf(source)).toEqual([
      true,
      true,
      'Fri Jan 02 1970 00:00:00 GMT+0000',
      '01/01/1970, 12:00:00 AM',
    ]);
  });

  it('is the real clock, unless it is stopped at an instant', async () => {
    const before = Date.now();
    const now = await resultOf('return Date.now()');
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
    const source =
      'const a = Date.now(); for (let i = 0; i < 1e5; i++) {} return [a, Date.now(), new Date().getTime(), new Date().toISOString()]';
    expect(await resultOf(source, { now: 1234 })).toEqual([1234, 1234, 1234, '1970-01-01T00:00:01.234Z']);
    expect(await resultOf('return Date.now()', { now: 0 })).toBe(0);
  });
});

describe('createEngine()', () => {
  it('gives every function of the table', () => {
    const { functions } = createEngine(engineModule, initialPages * pageBytes, host());
    for (const name of Object.keys(exportNames))
      expect(functions[name as keyof typeof exportNames]).toBeTypeOf('function');
  });

  it('grows its memory to the ceiling and not beyond, and tells of what it refused', () => {
    let refused = 0;
    const ceiling = 20 * 1024 * 1024;
    const engine = createEngine(
      engineModule,
      64 * 1024 * 1024,
      host({ memoryCeiling: () => ceiling, onRefusedGrowth: () => refused++ }),
    );
    engine.functions.initialize();
    expect(engine.functions.malloc(12 * 1024 * 1024)).not.toBe(0);
    expect(refused).toBe(0);
    expect(engine.heap().byteLength).toBeGreaterThan(16 * 1024 * 1024);
    expect(engine.heap().byteLength).toBeLessThanOrEqual(ceiling);
    expect(engine.functions.malloc(12 * 1024 * 1024)).toBe(0);
    expect(refused).toBeGreaterThan(0);
    expect(engine.heap().byteLength).toBeLessThanOrEqual(ceiling);
  });

  it('refuses what the memory itself cannot be grown by, though the ceiling would allow it', () => {
    let refused = 0;
    const engine = createEngine(
      engineModule,
      18 * 1024 * 1024,
      host({ memoryCeiling: () => 2 ** 31, onRefusedGrowth: () => refused++ }),
    );
    engine.functions.initialize();
    expect(engine.functions.malloc(30 * 1024 * 1024)).toBe(0);
    expect(refused).toBeGreaterThan(0);
  });

  it.each<[keyof typeof importNames, readonly unknown[], unknown]>([
    ['environmentGet', [0, 0], 0],
    ['writeDescriptor', [1, 0, 0, 0], 8],
    ['closeDescriptor', [1], 8],
    ['seekDescriptor', [1], 8],
    ['loadModule', [0, 0, 0], 0],
    ['normalizeModule', [0, 0, 0], 0],
    ['setTimer', [0, 1000], 0],
    ['runtimeKeepaliveClear', [], undefined],
    ['freeHostRef', [0, 0], undefined],
  ])('answers the import %s as a host without anything', (name, args, answer) => {
    expect(importsOf(host())[name](...args)).toBe(answer);
  });

  it('shows no variable of the environment', () => {
    const { heap, imports } = withImports(host());
    heap().fill(0xff, 1024, 1032);
    expect(imports.environmentSizes(1024, 1028)).toBe(0);
    expect([...heap().subarray(1024, 1032)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('names the time zone UTC, without an offset', () => {
    const { heap, imports } = withImports(host());
    heap().fill(0xff, 1024, 1064);
    imports.setTimeZone(1024, 1028, 1032, 1048);
    expect([...heap().subarray(1024, 1036)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0x55, 0x54, 0x43, 0]);
    expect([...heap().subarray(1048, 1052)]).toEqual([0x55, 0x54, 0x43, 0]);
  });

  it('breaks an instant down in UTC', () => {
    process.env['TZ'] = 'America/New_York';
    const { heap, imports } = withImports(host());
    for (const instant of [
      '1969-12-31T23:59:59Z',
      '1970-01-01T00:00:00Z',
      '2024-02-29T03:04:05Z',
      '2024-12-31T23:00:01Z',
      '0001-01-01T00:00:00Z',
    ]) {
      const date = new Date(instant);
      heap().fill(0xff, 1024, 1064);
      imports.localTime(BigInt(date.getTime() / 1000), 1024);
      const fields = Array.from({ length: 10 }, (_, index) =>
        new DataView(heap().buffer).getInt32(1024 + 4 * index, true),
      );
      const [time = '', day = ''] = [instant.slice(11, 19), instant.slice(0, 10)];
      const dayOfYear = Math.round((Date.parse(day) - Date.parse(`${day.slice(0, 4)}-01-01`)) / 86_400_000);
      expect(fields).toEqual([
        ...time.split(':').map(Number).reverse(),
        Number(day.slice(8)),
        Number(day.slice(5, 7)) - 1,
        Number(day.slice(0, 4)) - 1900,
        date.getUTCDay(),
        dayOfYear,
        0,
        0,
      ]);
    }
  });

  it.each<[keyof typeof importNames, readonly unknown[], string]>([
    ['abort', [], 'the engine stopped itself: abort'],
    ['assertFailed', [0, 0, 0, 0], 'the engine stopped itself: assertion failed'],
    ['exit', [7], 'the engine stopped itself: exit 7'],
  ])('stops where the engine says %s', (name, args, message) => {
    expect(() => importsOf(host())[name](...args)).toThrow(message);
  });
});

type Imports = Record<keyof typeof importNames, (...args: readonly unknown[]) => unknown>;

function importsOf(given: EngineHost): Imports {
  return withImports(given).imports;
}

// The imports are made inside; a look at what is handed to the engine shows them.
function withImports(given: EngineHost): { readonly heap: () => Uint8Array; readonly imports: Imports } {
  const { Instance } = WebAssembly;
  let seen: WebAssembly.ModuleImports = {};
  WebAssembly.Instance = class extends Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports);
      seen = imports?.['a'] ?? {};
    }
  };
  try {
    const { heap } = createEngine(engineModule, initialPages * pageBytes, given);
    const imports = Object.fromEntries(Object.entries(importNames).map(([name, minified]) => [name, seen[minified]]));
    return { heap, imports: imports as unknown as Imports }; // all but the memory are functions
  } finally {
    WebAssembly.Instance = Instance;
  }
}

function host(more: Partial<EngineHost> = {}): EngineHost {
  return {
    now: () => 0,
    shouldInterrupt: () => false,
    callFunction: () => 0,
    memoryCeiling: () => initialPages * pageBytes,
    onRefusedGrowth: () => {},
    ...more,
  };
}
