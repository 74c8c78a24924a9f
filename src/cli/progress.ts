import type { World } from './world.ts';

/** Shows a person that a large tree is being copied. */
export interface Progress {
  readonly onCopied: (done: number, total: number) => void;
  /** Takes the line away. */
  readonly end: () => void;
}

// Fewer are there before anybody could read the line.
const fewestFiles = 500;
const filesPerLine = 100;

/** Shows progress on a terminal, and nowhere else. */
export function createProgress({ err }: World, isQuiet: boolean): Progress {
  let isShown = false;
  return {
    onCopied: (done, total) => {
      if (isQuiet || !err.isTerminal || total < fewestFiles || done % filesPerLine !== 0) return;
      isShown = true;
      err.write(`\u001b[K\rcopying: ${done} of ${total} files`);
    },
    end: () => {
      if (isShown) err.write('\r\u001b[K');
      isShown = false;
    },
  };
}
