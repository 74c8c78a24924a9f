import type { ProviderProgress } from '../proposals/providers/provider.ts';
import { renderVisibleLine } from '../text/visible-text.ts';
import type { World } from './world.ts';

/** What a person sees while a model is waited for. */
export interface ShownProgress {
  readonly show: (progress: ProviderProgress) => void;
  /** Takes the line away. */
  readonly end: () => void;
}

const secondMs = 1000;

/** One line that counts the seconds, on a terminal; nothing anywhere else. */
export function createProviderProgress({ err }: World, isQuiet: boolean): ShownProgress {
  if (isQuiet || !err.isTerminal) return { show: () => undefined, end: () => undefined };
  let text = '';
  let seconds = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const draw = (): void => err.write(`\r\u001b[K${text}${seconds === 0 ? '' : ` ${seconds} s`}`);
  return {
    show: (progress) => {
      text = renderVisibleLine(renderProgress(progress));
      seconds = 0;
      draw();
      timer ??= setInterval(() => {
        seconds++;
        draw();
      }, secondMs);
    },
    end: () => {
      if (timer === undefined) return;
      clearInterval(timer);
      err.write('\r\u001b[K');
    },
  };
}

function renderProgress(progress: ProviderProgress): string {
  switch (progress.kind) {
    case 'asking':
      return `asking ${progress.provider} (${progress.model})${progress.request === 1 ? '' : `, request ${progress.request}`} …`;
    case 'waiting':
      return `${progress.provider}: ${progress.reason}; asking again in ${Math.ceil(progress.ms / secondMs)} s …`;
    case 'weaker':
      return `${progress.provider} does not know that form of answer; trying ${progress.mode} …`;
    case 'repairing':
      return `${progress.provider} answered with ${progress.problems.length} problems; sending them back …`;
  }
}
