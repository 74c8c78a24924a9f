import type { PolicySettings } from '../../policy/policy-schema.ts';

/** How a model is reached, as the policy says it. */
export type ProviderConfig = PolicySettings['providers'][string];

/** What a provider takes from the world. */
export interface ProviderPowers {
  readonly fetch: typeof fetch;
  /** Wall clock, milliseconds since 1970: a server may name a date to come back at. */
  readonly now: () => number;
  /** Waits, unless the signal is raised; then it throws the signal's reason. */
  readonly delay: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** A number from 0 up to 1, so that many clients do not come back at the same moment. */
  readonly random: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What each endpoint was found to understand; kept by the caller, so that it outlives one provider. */
  readonly memory: EndpointMemory;
}

/** How an endpoint of the chat protocol can be held to a schema, from the strictest on. */
export const answerModes = ['json_schema', 'function', 'json_object'] as const;

/** One of {@link answerModes}. */
export type AnswerMode = (typeof answerModes)[number];

/** The mode found for each endpoint and model. */
export type EndpointMemory = Map<string, AnswerMode>;

/** The form an answer must have. */
export interface AnswerFormat<Answer> {
  /** A name for the form: letters, digits, `_`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Checks an answer; what is wrong is sent back to the model once. */
  readonly parse: (value: unknown) => ParsedAnswer<Answer> | Promise<ParsedAnswer<Answer>>;
}

/** An answer of the right form, or everything that is wrong with it. */
export type ParsedAnswer<Answer> =
  /** `objections`: why it will not do, though its form is right; the model may answer once more, and need not. */
  | { readonly ok: true; readonly value: Answer; readonly objections?: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** What a model is asked. */
export interface ModelRequest<Answer> {
  readonly system: string;
  readonly prompt: string;
  readonly format: AnswerFormat<Answer>;
  /** The most tokens the answer may take, where the protocol wants to know. */
  readonly maxTokens: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ProviderProgress) => void) | undefined;
}

/** What is going on while somebody waits. */
export type ProviderProgress =
  | { readonly kind: 'asking'; readonly provider: string; readonly model: string; readonly request: number }
  | { readonly kind: 'waiting'; readonly provider: string; readonly ms: number; readonly reason: string }
  | { readonly kind: 'weaker'; readonly provider: string; readonly mode: string }
  | { readonly kind: 'repairing'; readonly provider: string; readonly problems: readonly string[] };

/** What was used, summed over every request that was answered. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Requests sent, the failed ones as well. */
  readonly requests: number;
}

/** A model's answer, checked. */
export interface ModelAnswer<Answer> {
  readonly value: Answer;
  readonly usage: ModelUsage;
}

/** A model that can be asked. */
export interface Provider {
  readonly name: string;
  readonly model: string;
  /** @throws PortholeError `PROVIDER_…`, `VERDICT_INVALID`; the signal's reason once it is raised */
  readonly ask: <Answer>(request: ModelRequest<Answer>) => Promise<ModelAnswer<Answer>>;
}
