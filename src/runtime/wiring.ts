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
}

/** What stands in for the usual parts. */
interface WiringParts {
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
    return { settings, powers, target, judging: createJudging({ settings, root, approver, powers }) };
  } catch (error) {
    target?.close();
    throw error;
  }
}
