import { PortholeError } from '../contract/errors.ts';
import { type CallContext, type CallFacts, renderArguments } from './call-context.ts';

/** Records a tool's call before and its result after; what the tool does in between is judged for itself. */
export async function recordToolCall<Result>(
  context: CallContext,
  call: Pick<CallFacts, 'id' | 'tool' | 'arguments'>,
  act: () => Promise<Result>,
): Promise<Result> {
  const { log, digestText, monotonicMs } = context;
  const text = renderArguments(call);
  const content = log.keepsContent ? { content: text.toWellFormed() } : {};
  log.record('tool.call', { name: call.tool, arguments: digestText(text), ...content }, call.id);
  const startedMs = monotonicMs();
  const end = (facts: { error?: string }): void => {
    const ms = Math.round((monotonicMs() - startedMs) * 1000) / 1000;
    log.recordAfter('tool.result', { name: call.tool, ms, ...facts }, call.id);
  };
  try {
    const result = await act();
    end({});
    return result;
  } catch (error) {
    end({ error: error instanceof PortholeError ? error.code : 'IO_FAILED' });
    throw error;
  }
}
