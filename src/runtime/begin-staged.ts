import type { Limits } from '../contract/limits.ts';
import type { ProgramEnd, RunOutcome } from '../contract/outcome.ts';
import type { StagedOptions } from '../contract/staged-options.ts';
import type { JudgedRun } from './judging.ts';
import type { ProgramWiring } from './program-wiring.ts';
import { endOfLife } from './refused-end.ts';
import { joinInputs } from './staged-options.ts';
import type { StagedRun } from './staged-run.ts';

/** The files of a staged run, or how it ended before it had them. */
export interface Begun {
  readonly files?: StagedRun;
  readonly stopped?: ProgramEnd;
}

/** What staging needs of a run's options. */
export interface StagedRunOptions {
  readonly staged?: StagedOptions | undefined;
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
}

/** Copies the inputs of a run, unless it is ended meanwhile. @throws PortholeError what copying throws */
export async function beginStaged(
  run: StagedRunOptions,
  { context, log }: JudgedRun,
  wiring: ProgramWiring,
): Promise<Begun> {
  const inputs = inputsOf(run, wiring);
  try {
    // Loaded where there is something to stage: a plain run would feel it.
    const { stageRun } = await import('./staged-run.ts');
    return { files: await stageRun({ id: log.run, inputs, limits: run.limits, life: context.life }, wiring) };
  } catch (error) {
    if (!context.life.isOver()) throw error;
    return { stopped: endOfLife(run.signal) };
  }
}

/** The outcome with what the run changed, which is kept for as long as the outcome is. */
export function withChanges(
  outcome: RunOutcome,
  files: StagedRun | undefined,
  context: Readonly<Record<string, unknown>>,
  { keepStaged }: ProgramWiring,
): RunOutcome {
  const end = files?.end();
  const whole: RunOutcome = Object.assign(outcome, { changes: end?.changes ?? [] });
  if (end !== undefined) keepStaged(whole, { ...end, context });
  return whole;
}

function inputsOf({ staged }: Pick<StagedRunOptions, 'staged'>, { settings }: ProgramWiring): StagedOptions {
  return joinInputs(settings.loaded?.staged, staged ?? settings.options.staged ?? {});
}
