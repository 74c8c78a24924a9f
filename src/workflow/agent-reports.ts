import type { ProgramEnd } from '../contract/outcome.ts';
import type { AgentFile } from './agent-file.ts';
import type { AgentReport } from './workflow-outcome.ts';
import type { WorkflowProgress } from './workflow-progress.ts';

interface Report {
  status: AgentReport['status'];
  value: unknown;
  hasValue: boolean;
  ms: number;
  visits: number;
  /** Whether its last visit led on. */
  ledOn: boolean;
  beganMs: number;
}

/** What becomes of the agents of a workflow while it runs. */
export class AgentReports {
  /** Of all agents together. */
  visits = 0;
  readonly #reports: ReadonlyMap<string, Report>;
  readonly #onProgress: ((progress: WorkflowProgress) => void) | undefined;
  readonly #monotonicMs: () => number;

  constructor(
    { agents }: AgentFile,
    monotonicMs: () => number,
    onProgress: ((progress: WorkflowProgress) => void) | undefined,
  ) {
    this.#reports = new Map([...agents.keys()].map((name) => [name, notReached()]));
    this.#monotonicMs = monotonicMs;
    this.#onProgress = onProgress;
  }

  visitsOf(agent: string): number {
    return this.#reports.get(agent)?.visits ?? 0;
  }

  begin(agent: string, visit: number): void {
    this.visits += 1;
    const report = this.#reports.get(agent);
    if (report !== undefined) report.beganMs = this.#monotonicMs();
    this.#tell({ kind: 'begin', agent, visit });
  }

  end(agent: string, visit: number, end: ProgramEnd): void {
    const report = this.#reports.get(agent);
    if (report === undefined) return;
    const ms = this.#monotonicMs() - report.beganMs;
    const { status } = end;
    Object.assign(report, { status, visits: visit, ms: report.ms + ms, ledOn: false });
    report.hasValue = end.status === 'completed';
    report.value = end.status === 'completed' ? end.value : undefined;
    this.#tell({ kind: 'end', agent, visit, status, ms: round(ms) });
  }

  /** A visit is over, and its value goes that many ways. */
  leave(agent: string, ways: number): void {
    const report = this.#reports.get(agent);
    if (report !== undefined) report.ledOn = ways > 0;
  }

  /** The value of the agent that led nowhere, or those of several by name. */
  value(): unknown {
    const ends = [...this.#reports].filter(([, { visits, ledOn }]) => visits > 0 && !ledOn);
    const [first, ...others] = ends;
    if (first !== undefined && others.length === 0) return first[1].value;
    return Object.fromEntries(ends.map(([name, { value }]) => [name, value]));
  }

  all(): Readonly<Record<string, AgentReport>> {
    return Object.fromEntries(
      [...this.#reports].map(([name, { status, value, hasValue, ms, visits }]) => {
        return [name, { status, ...(hasValue ? { value } : {}), ms: round(ms), visits }];
      }),
    );
  }

  // It is there to be looked at: a listener that fails must not end what it watches.
  #tell(progress: WorkflowProgress): void {
    try {
      this.#onProgress?.(progress);
    } catch {
      // Nobody to tell.
    }
  }
}

function notReached(): Report {
  return { status: 'not_reached', value: undefined, hasValue: false, ms: 0, visits: 0, ledOn: false, beganMs: 0 };
}

// Microseconds: what the clock shows beyond is noise.
function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
