import { countField, fieldOf, listField, textField } from './json-fields.ts';
import {
  type Conversation,
  type Protocol,
  type Reply,
  type ReplyFailure,
  renderRepair,
  type Turn,
} from './protocol.ts';

/** The chat completions protocol: a strict schema where the endpoint knows it, a forced function call, or JSON at all. */
export const openaiProtocol: Protocol = {
  pathFrom: (base) => {
    if (base.endsWith('/chat/completions')) return base;
    // A bare host is a server whose version nobody wrote down; every one of them answers below /v1.
    return /^[a-z]+:\/\/[^/]+$/i.test(base) ? `${base}/v1/chat/completions` : `${base}/chat/completions`;
  },
  keyHeader: 'authorization',
  headers: {},
  hasModes: true,
  render: (conversation) => ({
    model: conversation.model,
    messages: renderMessages(conversation),
    ...renderMode(conversation),
  }),
  read: readReply,
  tokens: (body) => ({
    input: countField(body, 'usage', 'prompt_tokens'),
    output: countField(body, 'usage', 'completion_tokens'),
  }),
};

function renderMode({ mode, format }: Conversation): object {
  const { name, description, schema } = format;
  switch (mode) {
    case 'json_schema':
      return { response_format: { type: 'json_schema', json_schema: { name, description, strict: true, schema } } };
    case 'function':
      return {
        tools: [{ type: 'function', function: { name, description, parameters: schema } }],
        tool_choice: { type: 'function', function: { name } },
      };
    case 'json_object':
      return { response_format: { type: 'json_object' } };
  }
}

function renderMessages({ system, prompt, turns, mode, format }: Conversation): readonly unknown[] {
  // Nothing else tells the model the schema in this mode, and endpoints want the word JSON in the prompt.
  const form = `\n\nAnswer with one JSON object of this JSON Schema and nothing else:\n${JSON.stringify(format.schema)}`;
  const content = mode === 'json_object' ? system + form : system;
  return [{ role: 'system', content }, { role: 'user', content: prompt }, ...turns.flatMap(renderTurn)];
}

function renderTurn({ message, callId, problems }: Turn): readonly unknown[] {
  const repair = renderRepair(problems ?? 'it was not finished');
  if (callId === undefined) return [message, { role: 'user', content: repair }];
  return [message, { role: 'tool', tool_call_id: callId, content: repair }];
}

function readReply(body: unknown, name: string): Reply {
  const [choice] = listField(body, 'choices');
  const message = fieldOf(choice, 'message');
  if (typeof message !== 'object' || message === null) {
    const isEmpty = Array.isArray(fieldOf(body, 'choices')) && choice === undefined;
    return isEmpty
      ? failed('PROVIDER_EMPTY', 'there is no choice in the answer')
      : failed('PROVIDER_INVALID', 'the body is no completion of the chat protocol');
  }
  const refused = textField(message, 'refusal');
  if (refused !== '') return failed('PROVIDER_REFUSED', `the model declined to answer: ${refused}`);
  return readFinishReason(choice) ?? readMessage(message, name);
}

function readFinishReason(choice: unknown): Reply | undefined {
  switch (textField(choice, 'finish_reason')) {
    case 'length':
      return failed('PROVIDER_TRUNCATED', 'the answer reached the most tokens it may take');
    case 'content_filter':
      return failed('PROVIDER_REFUSED', 'a content filter stopped the answer');
    default:
      return undefined;
  }
}

function readMessage(message: object, name: string): Reply {
  const calls = listField(message, 'tool_calls');
  if (calls.length > 1) return failed('PROVIDER_INVALID', `it called functions ${calls.length} times instead of once`);
  const [call] = calls;
  if (call !== undefined) return readCall(call, { message, name });
  const text = contentOf(message);
  if (text.trim() !== '') {
    return { kind: 'text', text, turn: { message: { role: 'assistant', content: text }, callId: undefined } };
  }
  return failed('PROVIDER_EMPTY', hasReasoning(message) ? 'there is reasoning but no answer' : 'the answer is empty');
}

function readCall(call: unknown, { message, name }: { message: object; name: string }): Reply {
  const called = textField(call, 'function', 'name');
  if (called !== name) return failed('PROVIDER_INVALID', `it called ${JSON.stringify(called)}, which there is not`);
  const callId = textField(call, 'id');
  const turn = { message: { role: 'assistant', content: contentOf(message), tool_calls: [call] }, callId };
  const given = fieldOf(call, 'function', 'arguments');
  // The protocol says text; some servers hand over the object itself.
  return typeof given === 'string' ? { kind: 'text', text: given, turn } : { kind: 'value', value: given, turn };
}

function contentOf(message: object): string {
  const content = fieldOf(message, 'content');
  if (typeof content === 'string') return content;
  return listField(message, 'content')
    .map((part) => textField(part, 'text'))
    .join('');
}

// What a model thought is not what it answered, even where it looks like it.
function hasReasoning(message: object): boolean {
  return ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking'].some((name) => {
    const value = fieldOf(message, name);
    return value !== undefined && value !== null && value !== '';
  });
}

function failed(code: ReplyFailure['code'], what: string): Reply {
  return { kind: 'failed', failure: { code, what } };
}
