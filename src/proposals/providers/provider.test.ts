import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type ModelServer, startModelServer } from '../../../robot/support/model-server.ts';
import type { ModelServerOptions, ModelStep } from '../../../robot/support/model-steps.ts';
import { PortholeError } from '../../contract/errors.ts';
import { createProvider } from './create-provider.ts';
import type { AnswerFormat, ModelRequest, ProviderConfig, ProviderPowers, ProviderProgress } from './provider.ts';

const key = 'sk-a-key-nobody-may-see';

const schema = z.strictObject({ colour: z.string(), parts: z.array(z.strictObject({ count: z.int() })) });
type Paint = z.infer<typeof schema>;
const paint: Paint = { colour: 'grün "🌊"', parts: [{ count: 2 }] };

const format: AnswerFormat<Paint> = {
  name: 'paint',
  description: 'A paint.',
  schema: z.toJSONSchema(schema),
  parse: (value) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return { ok: true, value: parsed.data };
    return { ok: false, problems: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) };
  },
};

const kinds = ['anthropic', 'openai'] as const;
type Kind = (typeof kinds)[number];

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface Asked {
  readonly answer: () => Promise<Paint>;
  readonly usage: () => unknown;
  readonly error: () => Promise<PortholeError>;
  readonly waits: number[];
  readonly progress: ProviderProgress[];
  readonly server: ModelServer;
  readonly again: () => Promise<unknown>;
}

interface How {
  readonly config?: Partial<ProviderConfig>;
  readonly server?: Partial<ModelServerOptions>;
  readonly powers?: Partial<ProviderPowers>;
  readonly request?: Partial<ModelRequest<Paint>>;
}

async function ask(kind: Kind, steps: ModelServerOptions['steps'], how: How = {}): Promise<Asked> {
  const server = await startModelServer({ steps, key, ...how.server });
  servers.push(server);
  const waits: number[] = [];
  const progress: ProviderProgress[] = [];
  const config = { kind, baseUrl: server.url, model: 'm1', apiKeyEnv: 'THE_KEY', ...how.config };
  const provider = createProvider('desk', config, {
    fetch,
    now: () => Date.UTC(2030, 0, 1),
    delay: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    random: () => 0,
    env: { THE_KEY: key },
    memory: new Map(),
    ...how.powers,
  });
  const request = { system: 'You paint.', prompt: 'Which paint?', format, maxTokens: 100, ...how.request };
  const run = () => provider.ask({ ...request, onProgress: (event) => progress.push(event) });
  const first = run();
  first.catch(() => undefined);
  return {
    answer: async () => (await first).value,
    usage: async () => (await first).usage,
    error: async () => {
      const error: unknown = await first.then(
        () => undefined,
        (reason) => reason,
      );
      expect(error).toBeInstanceOf(PortholeError);
      return error as PortholeError; // seen in the line before
    },
    waits,
    progress,
    server,
    again: run,
  };
}

const good: ModelStep = { answer: paint };

describe.each(kinds)('%s', (kind) => {
  test('gives the checked answer, and what it took', async () => {
    const asked = await ask(kind, [good]);
    expect(await asked.answer()).toEqual(paint);
    expect(await asked.usage()).toEqual({ inputTokens: 120, outputTokens: 30, requests: 1 });
    expect(asked.progress).toEqual([{ kind: 'asking', provider: 'desk', model: 'm1', request: 1 }]);
  });

  test('reads an answer that comes slowly and in pieces that break characters', async () => {
    expect(await (await ask(kind, [{ ...good, waitMs: 30, split: true }])).answer()).toEqual(paint);
  });

  test.each([408, 409, 429, 500, 502, 503, 529])('asks again after status %i', async (status) => {
    const asked = await ask(kind, [{ status }, good]);
    expect(await asked.answer()).toEqual(paint);
    expect(asked.waits).toEqual([500]);
  });

  test('waits twice as long each time, and gives up after maxRetries', async () => {
    const asked = await ask(kind, [{ status: 500 }, { status: 500 }, { status: 500 }], { config: { maxRetries: 2 } });
    expect(await asked.error()).toMatchObject({
      code: 'PROVIDER_UNREACHABLE',
      details: { status: 500, usage: { requests: 3 } },
    });
    expect(asked.waits).toEqual([500, 1000]);
  });

  test.each([
    [429, 'PROVIDER_RATE_LIMITED'],
    [408, 'PROVIDER_TIMEOUT'],
    [409, 'PROVIDER_UNREACHABLE'],
    [529, 'PROVIDER_UNREACHABLE'],
  ])('status %i that stays is %s', async (status, code) => {
    expect(await (await ask(kind, [{ status }], { config: { maxRetries: 0 } })).error()).toMatchObject({ code });
  });

  test.each([
    [400, 'PROVIDER_INVALID'],
    [401, 'PROVIDER_AUTH'],
    [402, 'PROVIDER_INVALID'],
    [403, 'PROVIDER_AUTH'],
    [404, 'PROVIDER_INVALID'],
    [413, 'PROVIDER_INVALID'],
    [422, 'PROVIDER_INVALID'],
  ])('never asks again after status %i, which is %s', async (status, code) => {
    const asked = await ask(kind, [{ status, error: 'it is wrong' }, good]);
    expect(await asked.error()).toMatchObject({ code });
    expect((await asked.error()).message).toContain(`status ${status}: `);
    expect((await asked.error()).message).toContain('it is wrong');
    expect(asked.server.requests).toHaveLength(1);
  });

  test.each([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['parts of seconds', { 'retry-after': '0.25' }, 250],
    ['a date', { 'retry-after': 'Tue, 01 Jan 2030 00:00:30 GMT' }, 30_000],
    ['a date that is over', { 'retry-after': 'Mon, 31 Dec 2029 00:00:00 GMT' }, 0],
    ['milliseconds', { 'retry-after-ms': '120', 'retry-after': '9' }, 120],
    ['nonsense', { 'retry-after': 'soon' }, 500],
    ['nothing', { 'retry-after': ' ' }, 500],
  ])('takes retry-after as %s', async (_name, headers, ms) => {
    const asked = await ask(kind, [{ status: 429, headers }, good]);
    expect(await asked.answer()).toEqual(paint);
    expect(asked.waits).toEqual([ms]);
    expect(asked.progress[1]).toMatchObject({ kind: 'waiting', ms });
  });

  test('does not sit out an hour', async () => {
    const asked = await ask(kind, [{ status: 429, headers: { 'retry-after': '3600' } }]);
    expect(await asked.error()).toMatchObject({
      code: 'PROVIDER_RATE_LIMITED',
      hint: expect.stringContaining('3600 s'),
    });
    expect(asked.waits).toEqual([]);
  });

  test.each(['at once', 'within the body'] as const)('asks again after a connection that was cut %s', async (cut) => {
    const asked = await ask(kind, [{ ...good, cut }, good]);
    expect(await asked.answer()).toEqual(paint);
    expect(asked.waits).toEqual([500]);
  });

  test('asks again after a body that ends too early though its connection did not break', async () => {
    const asked = await ask(kind, [{ raw: '{"choices": [' }, good]);
    expect(await asked.answer()).toEqual(paint);
  });

  test('a server that is not there is unreachable, with the reason', async () => {
    const asked = await ask(kind, [], { config: { baseUrl: 'http://127.0.0.1:1', maxRetries: 1 } });
    expect(await asked.error()).toMatchObject({ code: 'PROVIDER_UNREACHABLE' });
    expect((await asked.error()).message).toMatch(/ECONNREFUSED|bad port/);
    expect(asked.waits).toHaveLength(1);
  });

  test.each([
    [
      'a page',
      { raw: '<html>log in</html>', contentType: 'text/html' },
      'PROVIDER_INVALID',
      'text/html instead of JSON',
    ],
    ['a stream', { raw: 'data: {}\n\n', contentType: 'text/event-stream' }, 'PROVIDER_INVALID', 'text/event-stream'],
    ['nothing', { raw: '' }, 'PROVIDER_EMPTY', 'the body is empty'],
    ['other JSON', { raw: '{"hello": 1}' }, 'PROVIDER_INVALID', 'protocol'],
    ['a list', { raw: '[]' }, 'PROVIDER_INVALID', 'protocol'],
    ['an answer beyond all bounds', { raw: ' '.repeat(17 * 1024 * 1024) }, 'PROVIDER_INVALID', '16 MiB'],
  ])('%s is no answer', async (_name, step, code, words) => {
    const error = await (await ask(kind, [step])).error();
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
  });

  test('reads JSON whatever its content type is said to be', async () => {
    const first = await ask(kind, [good]);
    await first.answer();
    const server = first.server.url;
    const response = await fetch(server, { method: 'POST' });
    expect(response.status).toBe(404);
    const raw = JSON.stringify(kind === 'anthropic' ? messageWith(paint) : completionWith(JSON.stringify(paint)));
    expect(await (await ask(kind, [{ raw, contentType: 'text/plain' }])).answer()).toEqual(paint);
  });

  test('a failure inside status 200 is taken for what it is', async () => {
    const raw = (error: unknown) => ({ raw: JSON.stringify({ type: 'error', error }) });
    const asked = await ask(kind, [raw({ type: 'overloaded_error', message: 'busy' }), raw({ code: 502 }), good]);
    expect(await asked.answer()).toEqual(paint);
    expect(asked.waits).toHaveLength(2);
    const refused = await ask(kind, [raw({ type: 'something_else', message: 'no' })]);
    expect(await refused.error()).toMatchObject({ code: 'PROVIDER_INVALID' });
  });

  test('no answer in time is a timeout, which is not tried again', async () => {
    const asked = await ask(kind, [{ ...good, waitMs: 2000 }, good], { config: { timeoutMs: 60 } });
    expect(await asked.error()).toMatchObject({ code: 'PROVIDER_TIMEOUT' });
    expect(asked.server.requests).toHaveLength(1);
  });

  test('stops at once when the signal is raised, while it waits for an answer and while it waits to ask again', async () => {
    const stop = new AbortController();
    const asked = await ask(kind, [{ ...good, waitMs: 20_000 }], { request: { signal: stop.signal } });
    const answer = expect(asked.answer()).rejects.toThrow('enough');
    await vi.waitFor(() => expect(asked.server.requests).toHaveLength(1), { timeout: 10_000, interval: 5 });
    stop.abort(new Error('enough'));
    await answer;
    await expect(asked.again()).rejects.toThrow('enough');
    expect(asked.server.requests).toHaveLength(1);
  });

  test('an answer of the wrong form is sent back once, with everything that is wrong', async () => {
    const asked = await ask(kind, [{ answer: { colour: 1, parts: [{ count: 'x' }] } }, good]);
    expect(await asked.answer()).toEqual(paint);
    const [, second] = asked.server.requests;
    const said = JSON.stringify(second?.body.messages);
    expect(said).toContain('colour: ');
    expect(said).toContain('parts.0.count: ');
    expect(asked.progress.map(({ kind: what }) => what)).toEqual(['asking', 'repairing', 'asking']);
    expect(await asked.usage()).toEqual({ inputTokens: 240, outputTokens: 60, requests: 2 });
  });

  test('an answer that is wrong twice is an invalid verdict', async () => {
    const asked = await ask(kind, [{ answer: {} }, { answer: { colour: 'red' } }, good]);
    expect(await asked.error()).toMatchObject({ code: 'VERDICT_INVALID', message: expect.stringContaining('parts: ') });
    expect(asked.server.requests).toHaveLength(2);
  });

  test.each([
    ['in a fence', `\`\`\`json\n${JSON.stringify(paint)}\n\`\`\``],
    ['bare', ` ${JSON.stringify(paint)}\n`],
    ['behind thinking', `<think>Is it {green}?</think>\n${JSON.stringify(paint)}`],
  ])('takes JSON that comes as text %s', async (_name, text) => {
    expect(await (await ask(kind, [{ text }])).answer()).toEqual(paint);
  });

  test.each([
    ['prose', 'I think that it is green.', 'PROVIDER_INVALID'],
    ['JSON within prose', `Sure: ${JSON.stringify(paint)} Anything else?`, 'PROVIDER_INVALID'],
    ['JSON that ends early', '{"colour": "green", "parts": [{"cou', 'PROVIDER_TRUNCATED'],
    ['an early end within a text', '{"colour": "gr\\"ee', 'PROVIDER_TRUNCATED'],
    ['a fence that is never closed', '```json\n{"colour": "green",', 'PROVIDER_TRUNCATED'],
    ['JSON that is wrong', '{"colour": green}', 'PROVIDER_INVALID'],
  ])('%s is sent back once and never half read', async (_name, text, code) => {
    expect(await (await ask(kind, [{ text }, good])).answer()).toEqual(paint);
    const twice = await ask(kind, [{ text }, { text }, good]);
    expect(await twice.error()).toMatchObject({ code });
    expect(twice.server.requests).toHaveLength(2);
  });

  test('the key is in its header and nowhere else, whatever a server says', async () => {
    const echo = { status: 401, error: `no such key: ${key}, or ${encodeURIComponent(key)}` };
    const error = await (await ask(kind, [echo])).error();
    expect(error.message).toContain('(hidden)');
    expect(JSON.stringify([error.message, error.hint, error.details, String(error.stack)])).not.toContain(key);
    const told = await ask(kind, [{ answer: { ...paint, colour: key } }]);
    expect((await told.answer()).colour).toBe('(hidden)');
    expect(JSON.stringify(told.server.requests[0]?.body)).not.toContain(key);
  });

  test('a redirect is not followed: it would carry the key away', async () => {
    const other = await startModelServer({ steps: [good] });
    servers.push(other);
    const asked = await ask(kind, [{ status: 307, headers: { location: `${other.url}/v1/messages` } }]);
    expect(await asked.error()).toMatchObject({ code: 'PROVIDER_INVALID', hint: expect.stringContaining('baseUrl') });
    expect(other.requests).toEqual([]);
  });

  test('a key that is missing or could not be sent is refused before anything is', async () => {
    for (const value of [undefined, '', 'two words', 'line\nfeed', 'ключ']) {
      const asking = ask(kind, [], { powers: { env: { THE_KEY: value } } });
      await expect(asking).rejects.toMatchObject({
        code: 'PROVIDER_AUTH',
        message: expect.stringContaining('THE_KEY'),
      });
      if (value) await expect(asking).rejects.toMatchObject({ message: expect.not.stringContaining(value) });
    }
  });

  test('a server without keys gets none', async () => {
    const asked = await ask(kind, [good], {
      server: { key: undefined as never },
      config: { apiKeyEnv: undefined as never },
    });
    await asked.answer();
    expect(asked.server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(asked.server.requests[0]?.headers).not.toHaveProperty('x-api-key');
  });

  test('a gateway may take the key in a header of its own', async () => {
    const how = { server: { keyHeader: 'api-key' }, config: { authHeader: 'api-key', headers: { 'x-team': 'blue' } } };
    const asked = await ask(kind, [good], how);
    expect(await asked.answer()).toEqual(paint);
    expect(asked.server.requests[0]?.headers).toMatchObject({ 'api-key': key, 'x-team': 'blue' });
    expect(asked.server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    ['a name in its address', { baseUrl: 'http://me:secret@127.0.0.1:1' }],
    ['another scheme', { baseUrl: 'ftp://127.0.0.1' }],
    ['a header that cannot be', { headers: { 'a b': 'c' } }],
  ])('settings with %s are refused', async (_name, config) => {
    const asking = ask(kind, [], { config });
    await expect(asking).rejects.toMatchObject({
      code: 'POLICY_INVALID',
      message: expect.not.stringContaining('secret'),
    });
  });

  test('what a server says is shown as text, and not at length', async () => {
    const error = await (await ask(kind, [{ status: 400, error: `\u001b[31mred\u202e ${'x'.repeat(5000)}` }])).error();
    expect(error.message).not.toContain('\u001b');
    expect(error.message).not.toContain('\u202e');
    expect(error.message.length).toBeLessThan(450);
  });
});

describe('anthropic', () => {
  test('forces one call of the tool that holds the schema', async () => {
    const asked = await ask('anthropic', [good]);
    await asked.answer();
    const [request] = asked.server.requests;
    expect(request).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
      body: {
        model: 'm1',
        max_tokens: 100,
        system: 'You paint.',
        messages: [{ role: 'user', content: 'Which paint?' }],
        tools: [{ name: 'paint', input_schema: format.schema }],
        tool_choice: { type: 'tool', name: 'paint' },
      },
    });
  });

  test.each([
    ['max_tokens', 'PROVIDER_TRUNCATED'],
    ['model_context_window_exceeded', 'PROVIDER_TRUNCATED'],
    ['refusal', 'PROVIDER_REFUSED'],
  ])('an answer that stopped by %s is %s, though it holds a call', async (stop, code) => {
    const asked = await ask('anthropic', [{ ...good, stop }, good]);
    expect(await asked.error()).toMatchObject({ code });
    expect(asked.server.requests).toHaveLength(1);
  });

  test('a paused turn is gone on with', async () => {
    const paused = { text: 'Let me look.', stop: 'pause_turn' };
    const asked = await ask('anthropic', [paused, good]);
    expect(await asked.answer()).toEqual(paint);
    expect(asked.server.requests[1]?.body.messages[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'Let me look.' }],
    });
  });

  test('but not for ever', async () => {
    const asked = await ask(
      'anthropic',
      ({ body }) => ({ message: { content: [{ type: 'text', text: `${body.messages.length}` }] }, stop: 'pause_turn' }),
      { server: {} },
    );
    expect((await asked.error()).code).toBe('PROVIDER_INVALID');
    expect(asked.server.requests.length).toBeLessThan(6);
  });

  test.each([
    ['no content', [], 'PROVIDER_EMPTY'],
    ['thinking alone', [{ type: 'thinking', thinking: JSON.stringify(paint), signature: 's' }], 'PROVIDER_EMPTY'],
    ['blank text', [{ type: 'text', text: ' \n' }], 'PROVIDER_EMPTY'],
    ['two calls', [callOf(paint), callOf(paint)], 'PROVIDER_INVALID'],
    ['a call of another tool', [{ ...callOf(paint), name: 'bash' }], 'PROVIDER_INVALID'],
  ])('%s is no answer', async (_name, content, code) => {
    expect(await (await ask('anthropic', [{ message: { content } }])).error()).toMatchObject({ code });
  });

  test('takes arguments that a gateway left as text', async () => {
    const content = [{ ...callOf(paint), input: JSON.stringify(paint) }];
    expect(await (await ask('anthropic', [{ message: { content } }])).answer()).toEqual(paint);
  });

  test.each(['/v1', '/v1/', '/v1/messages', '/'])('finds the path from a base that ends with %s', async (end) => {
    const server = await startModelServer({ steps: [good], key });
    servers.push(server);
    const asked = await ask('anthropic', [], { config: { baseUrl: server.url + end } });
    expect(await asked.answer()).toEqual(paint);
  });
});

describe('openai', () => {
  test('asks for a strict schema', async () => {
    const asked = await ask('openai', [good]);
    await asked.answer();
    expect(asked.server.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${key}` },
      body: {
        messages: [
          { role: 'system', content: 'You paint.' },
          { role: 'user', content: 'Which paint?' },
        ],
        response_format: { type: 'json_schema', json_schema: { name: 'paint', strict: true, schema: format.schema } },
      },
    });
  });

  test.each([
    ['function', ['function', 'json_object'], 2],
    ['json_object', ['json_object'], 3],
  ])('falls back to %s where that is all there is, and remembers it', async (mode, understands, requests) => {
    const asked = await ask('openai', [good, good], { server: { understands } });
    expect(await asked.answer()).toEqual(paint);
    expect(asked.server.requests).toHaveLength(requests);
    expect(asked.progress).toContainEqual({ kind: 'weaker', provider: 'desk', mode });
    await asked.again();
    expect(asked.server.requests).toHaveLength(requests + 1);
    const last = asked.server.requests.at(-1)?.body;
    expect(mode === 'function' ? last.tool_choice : last.response_format).toMatchObject({ type: mode });
  });

  test('what is remembered belongs to one endpoint and model', async () => {
    const memory = new Map();
    const asked = await ask('openai', [good], { server: { understands: ['json_object'] }, powers: { memory } });
    await asked.answer();
    expect([...memory]).toEqual([[`${asked.server.url}/v1/chat/completions m1`, 'json_object']]);
  });

  test('an endpoint that understands none of them says so in its first words', async () => {
    const asked = await ask('openai', [], { server: { understands: [] } });
    expect(await asked.error()).toMatchObject({ code: 'PROVIDER_INVALID' });
    expect((await asked.error()).message).toContain('response_format');
    expect(asked.server.requests).toHaveLength(3);
  });

  test('another bad request is no reason to ask in a weaker way', async () => {
    const asked = await ask('openai', [{ status: 400, error: "This model's maximum context length is 8192" }, good]);
    expect((await asked.error()).code).toBe('PROVIDER_INVALID');
    expect(asked.server.requests).toHaveLength(1);
  });

  test('an endpoint that takes the schema and answers in prose is asked in a weaker way', async () => {
    const asked = await ask('openai', [{ text: 'It is green.' }, good]);
    expect(await asked.answer()).toEqual(paint);
    expect(asked.server.requests[1]?.body.tool_choice).toMatchObject({ type: 'function' });
  });

  test('a function call of the wrong form is answered as a call', async () => {
    const asked = await ask('openai', [{ answer: {} }, good], { server: { understands: ['function'] } });
    expect(await asked.answer()).toEqual(paint);
    expect(asked.server.requests[2]?.body.messages.slice(2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_1' },
    ]);
  });

  test.each([
    ['length', 'PROVIDER_TRUNCATED'],
    ['content_filter', 'PROVIDER_REFUSED'],
  ])('an answer that finished by %s is %s, though it reads well', async (stop, code) => {
    expect(await (await ask('openai', [{ ...good, stop }])).error()).toMatchObject({ code });
  });

  test.each([
    ['a refusal', { refusal: 'I cannot help with that.', content: null }, 'PROVIDER_REFUSED'],
    ['no content', { content: null }, 'PROVIDER_EMPTY'],
    ['blank content', { content: ' ' }, 'PROVIDER_EMPTY'],
    ['reasoning alone', { content: '', reasoning_content: JSON.stringify(paint) }, 'PROVIDER_EMPTY'],
    ['another call', { tool_calls: [functionCall('bash', '{}')] }, 'PROVIDER_INVALID'],
    ['two calls', { tool_calls: [functionCall('paint', '{}'), functionCall('paint', '{}')] }, 'PROVIDER_INVALID'],
  ])('%s is no answer', async (_name, message, code) => {
    expect(await (await ask('openai', [{ ...good, message }])).error()).toMatchObject({ code });
  });

  test('reasoning beside the answer is passed over', async () => {
    const message = { reasoning_content: '{"colour": "red"}', reasoning: 'hm' };
    expect(await (await ask('openai', [{ ...good, message }])).answer()).toEqual(paint);
    const only = await ask('openai', [{ ...good, message: { content: null, reasoning: 'hm' } }]);
    expect((await only.error()).message).toContain('reasoning but no answer');
  });

  test.each([
    ['content in parts', { content: [{ type: 'text', text: JSON.stringify(paint) }] }],
    ['arguments as an object', { content: null, tool_calls: [functionCall('paint', paint)] }],
  ])('takes %s', async (_name, message) => {
    expect(await (await ask('openai', [{ ...good, message }])).answer()).toEqual(paint);
  });

  test('no choice at all is empty', async () => {
    expect(await (await ask('openai', [{ raw: '{"choices": []}' }])).error()).toMatchObject({ code: 'PROVIDER_EMPTY' });
  });

  test("a filter before the model is a refusal, in Azure's words too", async () => {
    const error = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.";
    expect(await (await ask('openai', [{ status: 400, error }])).error()).toMatchObject({ code: 'PROVIDER_REFUSED' });
  });

  test("Azure's path, header and query", async () => {
    const server = await startModelServer({ steps: [good], key, keyHeader: 'api-key' });
    servers.push(server);
    const baseUrl = `${server.url}/openai/deployments/d1?keep=1`;
    const query = { 'api-version': '2024-10-21' };
    const asked = await ask('openai', [], { config: { baseUrl, authHeader: 'api-key', query } });
    expect(await asked.answer()).toEqual(paint);
    expect(server.requests[0]).toMatchObject({
      path: '/openai/deployments/d1/chat/completions',
      query: '?keep=1&api-version=2024-10-21',
    });
  });

  test.each(['/v1', '/v1/chat/completions', ''])('finds the path from a base that ends with %j', async (end) => {
    const server = await startModelServer({ steps: [good], key });
    servers.push(server);
    const asked = await ask('openai', [], { config: { baseUrl: server.url + end } });
    expect(await asked.answer()).toEqual(paint);
  });
});

function callOf(input: unknown) {
  return { type: 'tool_use', id: 'toolu_1', name: 'paint', input };
}

function functionCall(name: string, args: unknown) {
  return { id: 'call_1', type: 'function', function: { name, arguments: args } };
}

function messageWith(input: unknown) {
  return { type: 'message', role: 'assistant', content: [callOf(input)], stop_reason: 'tool_use' };
}

function completionWith(content: string) {
  return { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] };
}
