import { defaultLimits } from '../contract/limits.ts';
import { type SandboxFiles, WorkerChannel } from '../sandbox/worker-channel.ts';
import { loadPackagedFiles } from './packaged-files.ts';

/** The sandbox's files and a first thread that is starting. */
export interface StartedSandbox {
  readonly files: SandboxFiles;
  readonly spare: WorkerChannel;
}

/**
 * Starts a thread before anything else is known, for a command: starting one takes longer than reading its arguments.
 * It keeps no process alive. @throws PortholeError `RUNTIME_UNAVAILABLE`
 */
export function startSandbox(): StartedSandbox {
  const files = loadPackagedFiles({ isShortLived: true });
  return { files, spare: new WorkerChannel(files, defaultLimits) };
}
