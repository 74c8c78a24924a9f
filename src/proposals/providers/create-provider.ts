import { PortholeError } from '../../contract/errors.ts';
import { readAnswerText } from './answer-text.ts';
import { anthropicProtocol } from './anthropic.ts';
import { type Classified, classifyExchange, type Failure } from './classify-answer.ts';
import { type Endpoint, openEndpoint } from './endpoint.ts';
import { exchange } from './exchange.ts';
import { openaiProtocol } from './openai.ts';
import type { Conversation, Protocol, Reply, Turn } from './protocol.ts';
import {
  type AnswerMode,
  answerModes,
  type ModelAnswer,
  type ModelRequest,
  type Provider,
  type ProviderConfig,
  type ProviderPowers,
} from './provider.ts';
import { maxRetryAfterMs, retryDelayMs } from './retry-delay.ts';

// A verdict over much evidence takes a large model a minute; twice that is waited for.
const defaultTimeoutMs = 120_000;
const defaultMaxRetries = 3;

// A model that only pauses would go on for ever.
const maxPauses = 3;

/**
 * Creates a provider that speaks the protocol its settings name.
 * @throws PortholeError `PROVIDER_AUTH` without the key, `POLICY_INVALID` for settings no request can be made of
 */
export function createProvider(name: string, config: ProviderConfig, powers: ProviderPowers): Provider {
  const protocol = config.kind === 'anthropic' ? anthropicProtocol : openaiProtocol;
  const endpoint = openEndpoint(name, config, { protocol, env: powers.env });
  const parts = { name, config, protocol, endpoint, powers };
  return {
    name,
    model: config.model,
    ask: (request) => new Asking(parts, request).run(),
  };
}

interface Parts {
  readonly name: string;
  readonly config: ProviderConfig;
  readonly protocol: Protocol;
  readonly endpoint: Endpoint;
  readonly powers: ProviderPowers;
}

// One question with everything that happens until it is answered.
class Asking<Answer> {
  readonly #parts: Parts;
  readonly #request: ModelRequest<Answer>;
  readonly #usage = { inputTokens: 0, outputTokens: 0, requests: 0 };

  constructor(parts: Parts, request: ModelRequest<Answer>) {
    this.#parts = parts;
    this.#request = request;
  }

  async run(): Promise<ModelAnswer<Answer>> {
    const turns: Turn[] = [];
    let mayRepair = true;
    for (let pauses = 0; pauses <= maxPauses; ) {
      const reply = await this.#converse(turns);
      if (reply.kind === 'failed') throw this.#error(reply.failure);
      if (reply.kind === 'paused') {
        pauses++;
        turns.push({ ...reply.turn, problems: undefined });
        continue;
      }
      const judged = await this.#judge(reply);
      const problems = judged.ok ? (judged.objections ?? []) : judged.problems;
      if (judged.ok && (problems.length === 0 || !mayRepair)) return this.#answer(judged.value);
      if (!judged.ok && !mayRepair) throw this.#error(judged.failure);
      mayRepair = false;
      if (!judged.ok && judged.failure.code === 'PROVIDER_INVALID' && reply.turn.callId === undefined) this.#weaken();
      this.#request.onProgress?.({ kind: 'repairing', provider: this.#parts.name, problems });
      turns.push({ ...reply.turn, problems: problems.map((problem) => `- ${problem}`).join('\n') });
    }
    throw this.#error({ code: 'PROVIDER_INVALID', what: `it paused ${maxPauses + 1} times and never answered` });
  }

  #answer(value: Answer): ModelAnswer<Answer> {
    return { value, usage: { ...this.#usage } };
  }

  // Goes to weaker ways of asking until the endpoint understands one, and remembers it.
  async #converse(turns: readonly Turn[]): Promise<Reply> {
    const { protocol, powers, name } = this.#parts;
    let first: Failure | undefined;
    for (let mode: AnswerMode | undefined = this.#mode(); mode !== undefined; ) {
      const ended = await this.#send(JSON.stringify(protocol.render(this.#conversation(mode, turns))));
      if (ended.kind === 'body') {
        if (protocol.hasModes) powers.memory.set(this.#place(), mode);
        return this.#read(ended.body);
      }
      first ??= ended;
      mode = ended.kind === 'unsupported' && protocol.hasModes ? weakerMode(mode) : undefined;
      if (mode !== undefined) this.#request.onProgress?.({ kind: 'weaker', provider: name, mode });
    }
    throw this.#error(first ?? { code: 'PROVIDER_INVALID', what: 'there is no way to ask it' });
  }

  // An endpoint may take the schema, ignore it and answer in prose.
  #weaken(): void {
    const { protocol, powers } = this.#parts;
    const weaker = weakerMode(this.#mode());
    if (protocol.hasModes && weaker !== undefined) powers.memory.set(this.#place(), weaker);
  }

  #mode(): AnswerMode {
    return this.#parts.powers.memory.get(this.#place()) ?? 'json_schema';
  }

  #place(): string {
    return `${this.#parts.endpoint.url} ${this.#parts.config.model}`;
  }

  #conversation(mode: AnswerMode, turns: readonly Turn[]): Conversation {
    const { system, prompt, format, maxTokens } = this.#request;
    return { model: this.#parts.config.model, system, prompt, format, maxTokens, mode, turns };
  }

  #read(body: unknown): Reply {
    const { protocol } = this.#parts;
    const { input, output } = protocol.tokens(body);
    this.#usage.inputTokens += input;
    this.#usage.outputTokens += output;
    return protocol.read(body, this.#request.format.name);
  }

  // Sends until an answer comes that waiting does not change.
  async #send(body: string): Promise<Exclude<Classified, { kind: 'again' }>> {
    const { name, config, endpoint, powers } = this.#parts;
    const { maxRetries = defaultMaxRetries, timeoutMs = defaultTimeoutMs } = config;
    const { signal, onProgress } = this.#request;
    for (let attempt = 0; ; attempt++) {
      const request = ++this.#usage.requests;
      onProgress?.({ kind: 'asking', provider: name, model: config.model, request });
      const ended = await exchange(endpoint, body, { fetch: powers.fetch, timeoutMs, signal });
      const classified = classifyExchange(ended, { now: powers.now(), timeoutMs });
      if (classified.kind !== 'again') return classified;
      const ms = retryDelayMs(attempt, classified.retryAfterMs, powers);
      if (attempt >= maxRetries || ms > maxRetryAfterMs)
        return { ...classified, kind: 'failed', ...lastWords(ms, attempt) };
      onProgress?.({ kind: 'waiting', provider: name, ms, reason: endpoint.redact(classified.what) });
      await powers.delay(ms, signal);
    }
  }

  async #judge(reply: Extract<Reply, { kind: 'value' | 'text' }>) {
    const read = reply.kind === 'value' ? { kind: 'json' as const, value: reply.value } : readAnswerText(reply.text);
    if (read.kind !== 'json') return notJson(read.kind);
    const parsed = await this.#request.format.parse(read.value);
    if (parsed.ok) return parsed;
    const { problems } = parsed;
    return { ok: false as const, problems, failure: { code: 'VERDICT_INVALID' as const, what: problems.join('; ') } };
  }

  #error({ code, what, hint, status }: Failure): PortholeError {
    const { name, endpoint } = this.#parts;
    const message = endpoint.redact(`Cannot get an answer from ${name}: ${what}`);
    const details = { provider: name, endpoint: endpoint.shown, usage: { ...this.#usage } };
    return new PortholeError(code, message, {
      ...(hint === undefined ? {} : { hint }),
      details: status === undefined ? details : { ...details, status },
    });
  }
}

function notJson(kind: 'cut' | 'other') {
  const isCut = kind === 'cut';
  const what = isCut ? 'the answer ends in the middle of its JSON' : 'the answer is text and not the JSON asked for';
  const code = isCut ? ('PROVIDER_TRUNCATED' as const) : ('PROVIDER_INVALID' as const);
  return { ok: false as const, problems: [what], failure: { code, what } };
}

function weakerMode(mode: AnswerMode): AnswerMode | undefined {
  return answerModes[answerModes.indexOf(mode) + 1];
}

function lastWords(ms: number, attempt: number): { hint?: string } {
  if (ms > maxRetryAfterMs)
    return { hint: `It asks to come back in ${Math.ceil(ms / 1000)} s, which is not waited for.` };
  return attempt === 0 ? {} : { hint: `It was asked ${attempt + 1} times. Try again later.` };
}
