import { actionOn, digestNow, type JudgedCaller, type JudgedTarget } from '../calls/judged-target.ts';
import type { PlannedWrite } from '../calls/planned-call.ts';
import { isPortholeError, PortholeError } from '../contract/errors.ts';
import { renderEditDiff } from '../cores/edit-diff.ts';
import { once } from '../cores/once.ts';
import type { WriteTarget } from '../fs/port.ts';
import { refuseLink } from './path-rules.ts';
import type { FileChange } from './plan-edits.ts';
import { type Refusal, refuse } from './refusal.ts';

/** A write that knows what it replaces, so that it can be undone. */
export interface SetWrite extends PlannedWrite<string> {
  readonly before: Uint8Array;
}

/** The files of a set while it is judged: each is held from the look at its bytes to the write. */
export interface OpenFiles extends Disposable {
  /** The bytes of a file, or why it cannot be edited. @throws PortholeError what the gate refuses whatever it holds */
  readonly open: (path: string) => Uint8Array | Refusal;
  /** Whether a file may be quoted without asking: reading it needs nobody's yes. */
  readonly mayQuote: (path: string) => boolean;
  /** The writes that would make these changes of files opened before. */
  readonly plansOf: (changes: readonly FileChange[]) => readonly SetWrite[];
  readonly close: () => void;
}

/** Opens files for a set of changes. No path may go through a link, wherever that leads. */
export function createOpenFiles(
  target: JudgedTarget,
  caller: JudgedCaller,
  { isPreview = false }: { readonly isPreview?: boolean } = {},
): OpenFiles {
  const held = new Map<string, WriteTarget>();
  const secret = new Set<string>();
  const close = (): void => {
    for (const file of held.values()) file.close();
    held.clear();
  };
  return {
    open: (path) => {
      try {
        const file = target.fs.openForWriting(target.fs.parsePath(path, 'edit'));
        held.get(path)?.close();
        held.set(path, file);
        if (file.shownPath !== file.resolvedPath) return refuseLink();
        // Whoever only looks ahead is judged when it comes to writing.
        if (!isPreview) caller.context.gate.screen(actionOn('apply', file, 'replace'), caller.callId);
        if (file.existing === null) return refuse('file not found', 'Name a file that is there.');
        if (!isReadable(caller, file)) secret.add(path);
        return file.existing.readAll(target.powers.maxWriteBytes);
      } catch (error) {
        return refusalFor(error);
      }
    },
    mayQuote: (path) => !secret.has(path),
    plansOf: (changes) => changes.map((change) => planChange(target, held.get(change.path), change)),
    close,
    [Symbol.dispose]: close,
  };
}

function isReadable({ context, callId }: JudgedCaller, file: WriteTarget): boolean {
  try {
    return context.gate.screen(actionOn('file_read', file), callId);
  } catch (error) {
    if (isPortholeError(error)) return false;
    throw error;
  }
}

// What the gate says ends everything; what is wrong with one file is one refusal among others.
function refusalFor(error: unknown): Refusal {
  if (!(error instanceof PortholeError)) throw error;
  switch (error.code) {
    case 'LINK_DANGLING':
    case 'LINK_LOOP':
    case 'PATH_OUTSIDE_ROOT':
      return refuseLink();
    case 'NOT_FOUND':
    case 'PARENT_NOT_FOUND':
      return refuse('file not found', 'Name a file that is there.');
    case 'MODE_SAFE':
    case 'UNSAFE_FLAG_MISSING':
    case 'POLICY_DENIED':
    case 'RUNTIME_CLOSED':
      throw error;
    default:
      return refuse(reasonOf(error), error.hint);
  }
}

function reasonOf({ message, details }: PortholeError): string {
  const { reason } = details;
  return typeof reason === 'string' ? reason : message;
}

function planChange(target: JudgedTarget, file: WriteTarget | undefined, change: FileChange): SetWrite {
  if (file === undefined) throw new Error(`"${change.path}" was changed without having been opened`);
  const { path, before, after } = change;
  const { digest } = target.powers;
  const digestBefore = once(() => digest(before));
  const digestAfter = once(() => digest(after));
  const sizes = { bytesBefore: before.length, bytesAfter: after.length };
  return {
    action: actionOn('apply', file, 'replace'),
    before,
    writeMode: 'replace',
    lockKey: file.lockKey,
    creates: false,
    isExecutable: file.existing?.isExecutable ?? false,
    bytesBefore: before.length,
    bytesPlanned: after.length,
    digestBefore,
    digestPlanned: digestAfter,
    diff: once(() => renderEditDiff(path, before, after)),
    content: () => after,
    digestNow: () => digestNow(target, path, 'edit'),
    commit: () => {
      file.replace(after, before);
      return { result: path, created: false, ...sizes, digestAfter: digestAfter() };
    },
    close: file.close,
  };
}
