/** The most that the values of a workflow may take together, as {@link sizeOfValue} counts. */
export const mostHeldBytes = 1024 * 1024 * 1024;

/**
 * About how many bytes of the host's memory a value takes that came from a program or a tool. A thing that is there
 * twice counts twice.
 */
export function sizeOfValue(value: unknown): number {
  let bytes = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    if (typeof one === 'string') bytes += 2 * one.length;
    bytes += perValue;
    if (typeof one !== 'object' || one === null) continue;
    if (ArrayBuffer.isView(one) || one instanceof ArrayBuffer) bytes += one.byteLength;
    else pushParts(rest, one);
  }
  return bytes;
}

// A slot, and the head of what it leads to.
const perValue = 16;

function pushParts(rest: unknown[], whole: object): void {
  if (whole instanceof Map) for (const [key, value] of whole) rest.push(key, value);
  else if (whole instanceof Set) for (const value of whole) rest.push(value);
  else if (Array.isArray(whole)) for (const value of whole) rest.push(value);
  else for (const [key, value] of Object.entries(whole)) rest.push(key, value);
}

/** What a workflow holds: the last value of each agent, and the values on their way. */
export class HeldValues {
  bytes = 0;
  readonly #kept = new Map<string, number>();

  /** The value of an agent's last visit takes the place of the one before. */
  keep(agent: string, bytes: number): void {
    this.bytes += bytes - (this.#kept.get(agent) ?? 0);
    this.#kept.set(agent, bytes);
  }

  /** A value sets out, or, with a negative number, has arrived. */
  add(bytes: number): void {
    this.bytes += bytes;
  }

  /** Whether that much more is too much. */
  isFull(more: number): boolean {
    return this.bytes + more > mostHeldBytes;
  }
}
