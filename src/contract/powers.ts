/** What Porthole takes from the world besides files: handed in, so that runs can be repeated exactly. */
export interface Powers {
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Monotonic clock, milliseconds; only differences mean anything. */
  readonly monotonicMs: () => number;
  /** A new identifier, unique in practice. */
  readonly newId: () => string;
  /** A seed for `Math.random` of one run, 64 bits. */
  readonly randomSeed: () => bigint;
  /** SHA-256 of the bytes as `sha256:` and 64 lower-case hex digits. */
  readonly digest: (bytes: Uint8Array) => string;
}

/** SHA-256 of a text's UTF-8 as 64 lower-case hex digits: the form the audit chain is made of. */
export type Sha256Hex = (text: string) => string;
