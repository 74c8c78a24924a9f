import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOfCase, type EditCase, readEditCases } from '../src/cores/testing/edit-cases.ts';
import type { Runtime } from '../src/index.ts';
import type { ApplyFileEdits } from './peers.ts';

/** Who edits the files below `root`. */
export interface EditContenders {
  readonly root: string;
  readonly runtime: Runtime;
  readonly applyFileEdits: ApplyFileEdits;
}

/** Counts the cases in which a file is left, or refused, byte for byte as it must be. */
export async function countRightEdits({
  root,
  runtime,
  applyFileEdits,
}: EditContenders): Promise<{ readonly cases: number; readonly porthole: number; readonly peer: number }> {
  const cases = readEditCases().filter((edit) => findsOf(edit) !== undefined);
  const right = { porthole: 0, peer: 0 };
  for (const edit of cases) {
    const porthole = async () => {
      const answer = await runtime.callTool(
        'edit_file',
        { path: 'f.txt', ...edit.call },
        { context: { _unsafe_mode: true } },
      );
      return answer.ok;
    };
    const peer = () => {
      const edits = (findsOf(edit) ?? []).map(({ find, content }) => ({ oldText: find, newText: content }));
      return applyFileEdits(join(root, 'f.txt'), edits).then(
        () => true,
        () => false,
      );
    };
    if (await isRight(root, edit, porthole)) right.porthole += 1;
    if (await isRight(root, edit, peer)) right.peer += 1;
  }
  return { cases: cases.length, ...right };
}

interface Find {
  readonly find: string;
  readonly content: string;
}

// What a tool without line numbers can be asked for.
function findsOf({ call, file }: EditCase): readonly Find[] | undefined {
  if (file === undefined || file.linkedAs !== undefined || file.hardLinkedAs !== undefined) return undefined;
  const edits: readonly unknown[] = Array.isArray(call['edits']) ? call['edits'] : [call];
  return edits.every(isFind) ? edits : undefined;
}

function isFind(edit: unknown): edit is Find {
  if (typeof edit !== 'object' || edit === null || 'line' in edit) return false;
  return 'find' in edit && 'content' in edit;
}

async function isRight(root: string, { file = {}, want }: EditCase, act: () => Promise<boolean>): Promise<boolean> {
  const path = join(root, 'f.txt');
  if (existsSync(path)) rmSync(path);
  writeFileSync(path, bytesOfCase(file) ?? '');
  const isDone = await act();
  const wanted = bytesOfCase(want.file === 'unchanged' ? file : (want.file ?? want)) ?? new Uint8Array();
  return isDone === (want.refused === undefined) && readFileSync(path).equals(wanted);
}
