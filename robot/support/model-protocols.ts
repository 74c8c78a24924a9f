import type { IncomingMessage } from 'node:http';
import type { ModelServerOptions, ModelStep, Protocol, ReceivedRequest, WholeResponse } from './model-steps.ts';

interface Arrived {
  readonly incoming: IncomingMessage;
  readonly url: URL;
  readonly text: string;
}

type Checked =
  | { readonly refusal: WholeResponse }
  | {
      readonly request: ReceivedRequest;
      readonly unsupported?: WholeResponse;
      readonly render: (step: ModelStep) => WholeResponse;
    };

/** Judges a request as the real services do: path, key, version, and every rule about bodies that a client may break. */
export function checkRequest({ incoming, url, text }: Arrived, options: ModelServerOptions): Checked {
  const protocol = protocolOf(url.pathname);
  if (protocol === undefined)
    return { refusal: jsonOf(404, { error: { message: 'Unknown request URL', type: 'not_found_error' } }) };
  const refuse = (status: number, message: string): Checked => ({ refusal: errorOf(protocol, status, message) });
  if (incoming.method !== 'POST') return refuse(405, 'Method not allowed');
  if (!hasKey(incoming, protocol, options)) return refuse(401, 'invalid x-api-key or bearer token');
  if (!String(incoming.headers['content-type']).startsWith('application/json'))
    return refuse(415, 'content-type must be application/json');
  const body = parse(text);
  if (body === undefined) return refuse(400, 'We could not parse the JSON body of your request');
  const request = { protocol, path: url.pathname, query: url.search, headers: incoming.headers, body };
  const wrong = protocol === 'anthropic' ? wrongInMessages(body, incoming) : wrongInCompletions(body);
  if (wrong !== undefined) return refuse(400, wrong);
  const render = (step: ModelStep): WholeResponse => renderStep(step, request);
  const mode = protocol === 'openai' ? modeOf(body) : undefined;
  if (mode === undefined || (options.understands ?? [mode]).includes(mode)) return { request, render };
  const what = mode === 'function' ? 'tool_choice is not supported' : 'This response_format type is unavailable now';
  return { request, render, unsupported: errorOf(protocol, 400, what) };
}

function protocolOf(path: string): Protocol | undefined {
  if (path === '/v1/messages') return 'anthropic';
  return path === '/v1/chat/completions' || /^\/openai\/deployments\/[^/]+\/chat\/completions$/.test(path)
    ? 'openai'
    : undefined;
}

function hasKey({ headers }: IncomingMessage, protocol: Protocol, { key, keyHeader }: ModelServerOptions): boolean {
  if (key === undefined) return true;
  if (keyHeader !== undefined) return headers[keyHeader] === key;
  return protocol === 'anthropic' ? headers['x-api-key'] === key : headers.authorization === `Bearer ${key}`;
}

// biome-ignore lint/suspicious/noExplicitAny: whatever a client sends
type Body = any;

function wrongInMessages(body: Body, { headers }: IncomingMessage): string | undefined {
  if (headers['anthropic-version'] !== '2023-06-01') return 'anthropic-version: header is required';
  if (typeof body.model !== 'string') return 'model: Field required';
  if (!Number.isInteger(body.max_tokens) || body.max_tokens < 1) return 'max_tokens: Field required';
  if (!Array.isArray(body.messages) || body.messages[0]?.role !== 'user')
    return 'messages: first message must use the "user" role';
  if (!body.tools?.some((tool: Body) => tool.name === body.tool_choice?.name))
    return 'tool_choice: tool not found in provided tools';
  if (body.tools.some((tool: Body) => tool.input_schema?.type !== 'object'))
    return 'tools.0.input_schema.type: Field required';
  return body.messages
    .map((message: Body, index: number) => wrongInMessage(message, body.messages[index - 1]))
    .find(Boolean);
}

function wrongInMessage({ role, content }: Body, before: Body): string | undefined {
  if (before?.role === role) return 'messages: roles must alternate between "user" and "assistant"';
  if (content === '' || content?.length === 0) return 'messages: all messages must have non-empty content';
  const asked = Array.isArray(before?.content) ? before.content.filter((block: Body) => block.type === 'tool_use') : [];
  const answered = Array.isArray(content) ? content.filter((block: Body) => block.type === 'tool_result') : [];
  const isPaired =
    asked.length === answered.length && asked.every((block: Body, at: number) => block.id === answered[at].tool_use_id);
  return isPaired ? undefined : 'messages: `tool_use` ids were found without `tool_result` blocks immediately after';
}

function wrongInCompletions(body: Body): string | undefined {
  if (typeof body.model !== 'string') return 'you must provide a model parameter';
  if (!Array.isArray(body.messages) || body.messages.length === 0) return "Missing required parameter: 'messages'.";
  const unpaired = body.messages.find(
    (message: Body, index: number) =>
      message.role === 'tool' &&
      !body.messages[index - 1]?.tool_calls?.some((call: Body) => call.id === message.tool_call_id),
  );
  if (unpaired !== undefined)
    return "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
  const format = body.response_format;
  if (format?.type === 'json_schema') {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(format.json_schema?.name)) return 'Invalid response_format.json_schema.name';
    return format.json_schema.strict ? looseIn(format.json_schema.schema, []) : undefined;
  }
  if (format?.type === 'json_object' && !/json/i.test(JSON.stringify(body.messages))) {
    return "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
  }
  return undefined;
}

// Strict schemas close every object and require every property.
function looseIn(schema: Body, path: readonly string[]): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const context = `Invalid schema for response_format: In context=(${path.join(', ')}), `;
  if (schema.type === 'object') {
    if (schema.additionalProperties !== false)
      return `${context}'additionalProperties' is required to be supplied and to be false.`;
    const missing = Object.keys(schema.properties ?? {}).find((name) => !schema.required?.includes(name));
    if (missing !== undefined) return `${context}'required' is required to include every key. Missing '${missing}'.`;
  }
  return Object.entries(schema)
    .map(([name, value]) => looseIn(value, [...path, name]))
    .find(Boolean);
}

function modeOf(body: Body): string {
  return body.tools === undefined ? (body.response_format?.type ?? 'text') : 'function';
}

function renderStep(step: ModelStep, request: ReceivedRequest): WholeResponse {
  const { status, error = 'on demand', headers = {}, raw, contentType = 'application/json' } = step;
  if (raw !== undefined)
    return { status: status ?? 200, headers: { 'content-type': contentType, ...headers }, body: raw };
  if (status !== undefined) {
    const refusal = errorOf(request.protocol, status, error);
    return { ...refusal, headers: { ...refusal.headers, ...headers } };
  }
  return jsonOf(200, request.protocol === 'anthropic' ? renderMessage(step, request) : renderCompletion(step, request));
}

function renderMessage({ answer, text, message, stop }: ModelStep, { body }: ReceivedRequest): object {
  const call = { type: 'tool_use', id: `toolu_${body.messages.length}`, name: body.tool_choice.name, input: answer };
  const content = text === undefined ? [call] : [{ type: 'text', text }];
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: body.model,
    content,
    stop_reason: stop ?? (text === undefined ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 20, output_tokens: 30 },
    ...message,
  };
}

function renderCompletion({ answer, text, message, stop }: ModelStep, { body }: ReceivedRequest): object {
  const isCall = modeOf(body) === 'function' && text === undefined;
  const written = text ?? JSON.stringify(answer);
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: body.tools?.[0].function.name, arguments: written },
  };
  const said = isCall
    ? { role: 'assistant', content: null, tool_calls: [call] }
    : { role: 'assistant', content: written, refusal: null };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: body.model,
    choices: [{ index: 0, message: { ...said, ...message }, logprobs: null, finish_reason: stop ?? 'stop' }],
    usage: { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 },
  };
}

const kindOfStatus: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function errorOf(protocol: Protocol, status: number, message: string): WholeResponse {
  const type = kindOfStatus[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  if (protocol === 'anthropic') return jsonOf(status, { type: 'error', error: { type, message }, request_id: 'req_1' });
  return jsonOf(status, { error: { message, type, param: null, code: null } });
}

function jsonOf(status: number, value: unknown): WholeResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

function parse(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
