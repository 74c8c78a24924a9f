import { countField, fieldOf, listField, textField } from './json-fields.ts';
import {
  type Conversation,
  type Protocol,
  type Reply,
  type ReplyFailure,
  renderRepair,
  type Turn,
} from './protocol.ts';

/** The Messages protocol: one tool that holds the schema, and the model is made to call it. */
export const anthropicProtocol: Protocol = {
  pathFrom: (base) => {
    if (base.endsWith('/messages')) return base;
    return base.endsWith('/v1') ? `${base}/messages` : `${base}/v1/messages`;
  },
  keyHeader: 'x-api-key',
  headers: { 'anthropic-version': '2023-06-01' },
  hasModes: false,
  render: (conversation) => {
    const { model, system, maxTokens, format } = conversation;
    return {
      model,
      max_tokens: maxTokens,
      system,
      messages: renderMessages(conversation),
      tools: [{ name: format.name, description: format.description, input_schema: format.schema }],
      tool_choice: { type: 'tool', name: format.name, disable_parallel_tool_use: true },
    };
  },
  read: readReply,
  tokens: (body) => ({
    // What came from a cache or went into one was sent all the same.
    input:
      countField(body, 'usage', 'input_tokens') +
      countField(body, 'usage', 'cache_read_input_tokens') +
      countField(body, 'usage', 'cache_creation_input_tokens'),
    output: countField(body, 'usage', 'output_tokens'),
  }),
};

function renderMessages({ prompt, turns }: Conversation): readonly unknown[] {
  return [{ role: 'user', content: prompt }, ...turns.flatMap(renderTurn)];
}

function renderTurn({ message, callId, problems }: Turn): readonly unknown[] {
  const said = { role: 'assistant', content: message };
  if (problems === undefined) return [said];
  const text = renderRepair(problems);
  const content =
    callId === undefined ? text : [{ type: 'tool_result', tool_use_id: callId, is_error: true, content: text }];
  return [said, { role: 'user', content }];
}

function readReply(body: unknown, name: string): Reply {
  if (fieldOf(body, 'type') !== 'message' && !Array.isArray(fieldOf(body, 'content'))) {
    return failed('PROVIDER_INVALID', 'the body is no message of the Messages protocol');
  }
  const content = listField(body, 'content');
  const ended = readStopReason(body);
  if (ended !== undefined) return ended;
  if (textField(body, 'stop_reason') === 'pause_turn') {
    return { kind: 'paused', turn: { message: content, callId: undefined } };
  }
  const calls = content.filter((block) => fieldOf(block, 'type') === 'tool_use');
  const [call, second] = calls;
  if (second !== undefined) return failed('PROVIDER_INVALID', `it called tools ${calls.length} times instead of once`);
  if (call !== undefined) return readCall(call, { content, name });
  const text = content.map((block) => (fieldOf(block, 'type') === 'text' ? textField(block, 'text') : '')).join('');
  if (text.trim() !== '') return { kind: 'text', text, turn: { message: content, callId: undefined } };
  return failed('PROVIDER_EMPTY', content.length === 0 ? 'the answer is empty' : 'there is reasoning but no answer');
}

function readStopReason(body: unknown): Reply | undefined {
  switch (textField(body, 'stop_reason')) {
    case 'max_tokens':
      return failed('PROVIDER_TRUNCATED', 'the answer reached the most tokens it may take');
    case 'model_context_window_exceeded':
      return failed('PROVIDER_TRUNCATED', "the answer filled the model's context window");
    case 'refusal':
      return failed('PROVIDER_REFUSED', 'the model declined to answer');
    default:
      return undefined;
  }
}

function readCall(call: unknown, { content, name }: { content: readonly unknown[]; name: string }): Reply {
  if (textField(call, 'name') !== name) {
    return failed('PROVIDER_INVALID', `it called ${JSON.stringify(textField(call, 'name'))}, which there is not`);
  }
  const turn = { message: content, callId: textField(call, 'id') };
  const input = fieldOf(call, 'input');
  // Some gateways hand on the arguments as the text they were generated as.
  return typeof input === 'string' ? { kind: 'text', text: input, turn } : { kind: 'value', value: input, turn };
}

function failed(code: ReplyFailure['code'], what: string): Reply {
  return { kind: 'failed', failure: { code, what } };
}
