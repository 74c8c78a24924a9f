import type { Powers } from '../contract/powers.ts';
import type { Syscalls } from '../fs/syscalls.ts';
import { type Approver, createCallbackApprover } from '../policy/approver.ts';
import { createJudging, type Judging } from './judging.ts';
import { type OpenedTarget, openTarget } from './open-target.ts';
import type { RuntimeSettings } from './settings.ts';

/** What a runtime is made of, once everything is open. */
export interface Wiring {
  readonly settings: RuntimeSettings;
  readonly powers: Powers;
  readonly judging: Judging;
  /** Undefined where there are no files. */
  readonly target: OpenedTarget | undefined;
  readonly staging: StagingParts;
}

/** How staged runs go about the host. */
export interface StagingParts {
  /** Whether messages name flags rather than options. */
  readonly isCommand: boolean;
  /** Told after every file how many of how many are copied. */
  readonly onProgress: ((done: number, total: number) => void) | undefined;
  /** The operating system; undefined for the real one. */
  readonly syscalls: Syscalls | undefined;
}

/** What stands in for the usual parts. */
interface WiringParts {
  readonly isCommand?: boolean;
  readonly onCopied?: (done: number, total: number) => void;
  readonly approver?: Approver;
  readonly syscalls?: Syscalls;
}

/** Opens files, gate and log of a runtime, all or none. @throws PortholeError */
export function openWiring(settings: RuntimeSettings, powers: Powers, parts: WiringParts): Wiring {
  const { root: given, directory, options } = settings;
  const target = given === undefined ? undefined : openTarget(given, settings, powers, parts.syscalls);
  try {
    const root = target?.root.rootPath ?? directory;
    const approver = parts.approver ?? (options.approve && createCallbackApprover(options.approve));
    const { isCommand = false, onCopied: onProgress, syscalls } = parts;
    const staging = { isCommand, onProgress, syscalls };
    return { settings, powers, target, staging, judging: createJudging({ settings, root, approver, powers }) };
  } catch (error) {
    target?.close();
    throw error;
  }
}
