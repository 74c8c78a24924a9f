import type { Approver } from '../policy/approver.ts';
import type { ParsedArguments } from './arguments.ts';
import { hasColour } from './output.ts';
import type { World } from './world.ts';

/** Who a command asks: the person at its terminal. What that takes is loaded by the first question. */
export function createCommandApprover(world: World, args: ParsedArguments): Approver {
  const noInput = args.has('no-input');
  return async (question, signal) => {
    const [{ createTerminalApprover }, { createTerminalLines }] = await Promise.all([
      import('./terminal-approver.ts'),
      import('./terminal-lines.ts'),
    ]);
    const terminal = noInput ? undefined : world.openTerminal?.();
    const ask = createTerminalApprover({
      input: terminal && createTerminalLines(terminal),
      write: world.err.write,
      yes: args.has('yes'),
      noInput,
      colour: hasColour(world),
    });
    return ask(question, signal);
  };
}
