// A dotted path is a convenience; every way to join its parts is tried, so a long one has to be a pointer.
const maxParts = 64;

/** The names of a JSON Pointer (RFC 6901); nothing for one that is not well-formed. */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The JSON Pointer of these names. */
export function renderPointer(names: readonly string[]): string {
  return names.map((name) => `/${escapeName(name)}`).join('');
}

/** A name as it stands in a JSON Pointer. */
export function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The parts of a dotted path; nothing if there are too many. */
export function splitDotted(path: string): readonly string[] | undefined {
  const parts = path.split('.', maxParts + 1);
  return parts.length > maxParts ? undefined : parts;
}
