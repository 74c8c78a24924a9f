import type { WorkflowProgress } from '../workflow/workflow-progress.ts';
import { paint } from './output.ts';
import type { World } from './world.ts';

// An agent that is visited more often is told about this often, and then at every hundredth visit.
const toldVisits = 5;

/** Tells on a terminal how a workflow goes on, an agent a line; nothing where nobody looks. */
export function createProgressPrinter(world: World): ((progress: WorkflowProgress) => void) | undefined {
  if (!world.err.isTerminal) return undefined;
  return (progress) => {
    if (progress.kind === 'begin') return;
    const { agent, visit, status, ms } = progress;
    if (status === 'completed' && visit > toldVisits && visit % 100 !== 0) return;
    const mark = status === 'completed' ? '✓' : paint(world, 'red', '✗');
    const which = visit === 1 ? '' : ` (visit ${visit})`;
    const how = status === 'completed' ? '' : ` ${status}`;
    world.err.write(`${mark} ${agent}${which}${how} ${paint(world, 'dim', renderMs(ms))}\n`);
  };
}

function renderMs(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
