import { recordStart } from '../calls/judged-run.ts';
import { PortholeError } from '../contract/errors.ts';
import type { ToolAnswer } from '../tools/tool.ts';
import type { ParsedToolCallOptions } from './run-options.ts';
import type { Wiring } from './wiring.ts';

/** Calls one tool: a run of its own to gate and log. */
export async function callOneTool(
  name: string,
  args: unknown,
  { settings, powers, judging, target, call }: Wiring & { readonly call: ParsedToolCallOptions },
): Promise<ToolAnswer> {
  if (target === undefined) throw new PortholeError('ROOT_INVALID', `Cannot call ${name}: the runtime has no root`);
  // Loaded by the first call: the schemas cost more than everything else a plain run needs.
  const { callTool } = await import('../tools/table.ts');
  const { loaded } = settings;
  // A tool called by itself has no tree to act on, and must not take the root for one.
  const mode = settings.mode === 'staged' ? 'safe' : settings.mode;
  const { context, log, end } = judging.openRun({ ...call, id: powers.newId(), mode, asksOnce: true });
  // The limits are those of programs: none of them is in force here.
  const facts = { mode, root: target.root.rootPath, policyDigest: judging.policy.digest };
  try {
    const answer = await callTool(name, args, {
      target: target.forTools,
      context,
      callId: '1',
      tools: loaded?.settings.tools,
      begin: () => recordStart(context, facts),
    });
    log.recordAfter('run.end', answer.ok ? { status: 'completed' } : { status: 'failed', code: answer.error.code });
    return answer;
  } finally {
    end();
  }
}
