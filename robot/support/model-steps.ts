/** The two protocols. */
export type Protocol = 'anthropic' | 'openai';

/** A whole response. */
export interface WholeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the server does with one request. */
export interface ModelStep {
  /** The answer, given in whatever way the request asked for it. */
  readonly answer?: unknown;
  /** Text in place of the answer's JSON, where the protocol carries text. */
  readonly text?: string;
  /** Parts of the message that replace those of a usual answer. */
  readonly message?: Readonly<Record<string, unknown>>;
  /** `stop_reason` or `finish_reason`. */
  readonly stop?: string;
  /** A status with an error in the protocol's form. */
  readonly status?: number;
  readonly error?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as it stands, of that content type. */
  readonly raw?: string;
  readonly contentType?: string;
  /** Ends the connection: at once, or in the middle of the body. */
  readonly cut?: 'at once' | 'within the body';
  /** Waits before the first byte. */
  readonly waitMs?: number;
  /** Sends the body in pieces of one byte's length and up, with pauses between. */
  readonly split?: boolean;
}

/** A request as it came in. */
export interface ReceivedRequest {
  readonly protocol: Protocol;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of two protocols
  readonly body: any;
}

/** How the server is set up. */
export interface ModelServerOptions {
  /** What happens with each request in turn; or what to do with one, by looking at it. */
  readonly steps: readonly ModelStep[] | ((request: ReceivedRequest, index: number) => ModelStep);
  /** The key it wants; none where absent. */
  readonly key?: string;
  /** The header that carries it. Default: the protocol's own. */
  readonly keyHeader?: string;
  /** How the chat protocol can be held to a schema here. Default: all three ways. */
  readonly understands?: readonly string[];
}
