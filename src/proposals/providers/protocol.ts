import type { AnswerFormat, AnswerMode } from './provider.ts';

/** A conversation as far as it went. */
export interface Conversation {
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  readonly format: Omit<AnswerFormat<unknown>, 'parse'>;
  readonly maxTokens: number;
  readonly mode: AnswerMode;
  /** Earlier answers and what was said to them. */
  readonly turns: readonly Turn[];
}

/** An answer that was not the last word. */
export interface Turn {
  /** The model's message as it came. */
  readonly message: unknown;
  /** Identifies the forced call, where there was one. */
  readonly callId: string | undefined;
  /** What is wrong with it; undefined where the model only paused. */
  readonly problems: string | undefined;
}

/** What a body of the protocol says. */
export type Reply =
  | { readonly kind: 'value'; readonly value: unknown; readonly turn: Omit<Turn, 'problems'> }
  | { readonly kind: 'text'; readonly text: string; readonly turn: Omit<Turn, 'problems'> }
  | { readonly kind: 'paused'; readonly turn: Omit<Turn, 'problems'> }
  | { readonly kind: 'failed'; readonly failure: ReplyFailure };

/** Why a body holds no answer. */
export interface ReplyFailure {
  readonly code: 'PROVIDER_TRUNCATED' | 'PROVIDER_REFUSED' | 'PROVIDER_EMPTY' | 'PROVIDER_INVALID';
  readonly what: string;
}

/** Tokens of one exchange. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** One of the two protocols: data in, data out. */
export interface Protocol {
  /** The whole path, from what the operator gave as base. */
  readonly pathFrom: (base: string) => string;
  /** The header that carries the key unless the policy names another. */
  readonly keyHeader: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether weaker modes exist to fall back to. */
  readonly hasModes: boolean;
  readonly render: (conversation: Conversation) => unknown;
  readonly read: (body: unknown, name: string) => Reply;
  readonly tokens: (body: unknown) => Tokens;
}

/** What a message to the model says about an answer that was wrong. */
export function renderRepair(problems: string): string {
  return `That answer cannot be used. Answer once more, whole, in the required form. What was wrong:\n${problems}`;
}
