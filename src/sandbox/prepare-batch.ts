import type { ProgramEnd } from '../contract/outcome.ts';
import type { SandboxBatch } from './batch.ts';
import type { BatchMessage } from './messages.ts';
import { aborted, crossing } from './prepare-program.ts';

/** Everything of a batch that is the same for each of its tasks, or why none is done. */
export function prepareBatch({
  input: givenInput,
  context: givenContext,
  limits,
  now,
  signal,
}: SandboxBatch): Omit<BatchMessage, 'tasks' | 'seed'> | ProgramEnd {
  if (signal?.aborted) return aborted(signal);
  const { timeMs, memoryBytes, resultBytes, inputBytes: ceiling } = limits;
  const tooLarge = (used: number): ProgramEnd => ({ status: 'limited', limit: 'input', ceiling, used });
  const input = crossing(givenInput, ceiling, 'input');
  if (input !== undefined && 'tooLarge' in input) return tooLarge(input.tooLarge);
  const inputBytes = input?.bytes.byteLength ?? 0;
  const context = crossing(givenContext, ceiling - inputBytes, 'context');
  if (context !== undefined && 'tooLarge' in context) return tooLarge(inputBytes + context.tooLarge);
  return { kind: 'batch', input, context, timeMs, memoryBytes, resultBytes, now };
}
