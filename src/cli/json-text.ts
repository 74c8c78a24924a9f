/**
 * A value as JSON, indented by two. What JSON does not have stands as an object with one key that begins with `$`:
 *
 * | value | written as |
 * |---|---|
 * | `undefined` | `{"$undefined": true}` |
 * | bigint | `{"$bigint": "10"}` |
 * | `NaN`, `Infinity`, `-Infinity`, `-0` | `{"$number": "NaN"}` |
 * | `Date` | `{"$date": "1970-01-01T00:00:00.000Z"}`, an invalid one `{"$date": null}` |
 * | `Map` | `{"$map": [[key, value]]}` |
 * | `Set` | `{"$set": [value]}` |
 * | `Uint8Array` | `{"$bytes": "AQI="}` (Base64) |
 * | `ArrayBuffer` | `{"$buffer": "AQI="}` (Base64) |
 * | `Error` | `{"$error": {"name": …, "message": …, "stack": …}}` |
 * | an object with one key that begins with `$` | `{"$object": {"$bigint": "10"}}` |
 */
export function renderJson(value: unknown): string {
  return render(value, '');
}

function render(value: unknown, indent: string): string {
  switch (typeof value) {
    case 'string':
      return renderText(value);
    case 'boolean':
      return String(value);
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? String(value)
        : tagged('number', Object.is(value, -0) ? '-0' : String(value), indent);
    case 'bigint':
      return tagged('bigint', String(value), indent);
    case 'object':
      return value === null ? 'null' : renderObject(value, indent);
    default:
      return tagged('undefined', true, indent);
  }
}

// Also what JSON would leave as it is though a terminal acts on it: DEL, the C1 controls, bidirectional controls.
function renderText(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\p{Bidi_Control}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function renderObject(value: object, indent: string): string {
  if (Array.isArray(value)) return renderList(value, indent);
  if (value instanceof Date) return tagged('date', Number.isNaN(value.getTime()) ? null : value.toISOString(), indent);
  if (value instanceof Map) return tagged('map', [...value], indent);
  if (value instanceof Set) return tagged('set', [...value], indent);
  if (value instanceof Uint8Array) return tagged('bytes', toBase64(value), indent);
  if (value instanceof ArrayBuffer) return tagged('buffer', toBase64(new Uint8Array(value)), indent);
  if (value instanceof Error) return tagged('error', errorFields(value), indent);
  const entries = Object.entries(value);
  const isTagLike = entries.length === 1 && entries[0]?.[0].startsWith('$') === true;
  return isTagLike ? renderEntries([['$object', new Bare(entries)]], indent) : renderEntries(entries, indent);
}

// Entries that are written without looking at their key again.
class Bare {
  readonly entries: readonly (readonly [string, unknown])[];

  constructor(entries: readonly (readonly [string, unknown])[]) {
    this.entries = entries;
  }
}

function tagged(kind: string, value: unknown, indent: string): string {
  return renderEntries([[`$${kind}`, value]], indent);
}

function renderEntries(entries: readonly (readonly [string, unknown])[], indent: string): string {
  if (entries.length === 0) return '{}';
  const inner = `${indent}  `;
  const lines = entries.map(([key, value]) => {
    const shown = value instanceof Bare ? renderEntries(value.entries, inner) : render(value, inner);
    return `${inner}${renderText(key)}: ${shown}`;
  });
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

function renderList(items: readonly unknown[], indent: string): string {
  if (items.length === 0) return '[]';
  const inner = `${indent}  `;
  return `[\n${items.map((item) => `${inner}${render(item, inner)}`).join(',\n')}\n${indent}]`;
}

function errorFields(error: Error): Readonly<Record<string, unknown>> {
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? { code: error.code } : {};
  return {
    name,
    message,
    ...code,
    ...(stack === undefined ? {} : { stack }),
    ...(cause === undefined ? {} : { cause }),
  };
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
