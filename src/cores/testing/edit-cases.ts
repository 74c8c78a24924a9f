import { chmodSync, linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digest } from './edit-in-memory.ts';

/** The bytes of a file in a case: as text, or as hexadecimal digits. */
export interface CaseFile {
  readonly text?: string;
  readonly hex?: string;
  /** Name of a symbolic link that leads to the file. */
  readonly linkedAs?: string;
  /** Name of a second hard link. */
  readonly hardLinkedAs?: string;
}

/** One file, one call, one right result. */
export interface EditCase {
  readonly id: string;
  readonly title: string;
  readonly file?: CaseFile;
  readonly call: Readonly<Record<string, unknown>>;
  readonly want: {
    readonly text?: string;
    readonly hex?: string;
    readonly refused?: string;
    readonly file?: 'unchanged' | CaseFile;
    readonly says?: string;
  };
  readonly says?: string;
  readonly fileMode?: string;
  readonly wantMode?: string;
}

/** Every case of `cases/edits.json`. */
export function readEditCases(): readonly EditCase[] {
  const text = readFileSync(new URL('../cases/edits.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { cases: EditCase[] }).cases; // a file of this repository
}

/** The cases whose point is the file system: links, permissions, other writers. They need a directory to be shown. */
export const caseIdsThatNeedFiles: ReadonlySet<string> = new Set(['E17', 'E18', 'E19', 'E23', 'E44']);

/** The bytes a case speaks of, or `undefined` where it names none. */
export function bytesOfCase({ text, hex }: CaseFile): Uint8Array | undefined {
  if (hex !== undefined) return Uint8Array.from(Buffer.from(hex, 'hex'));
  return text === undefined ? undefined : new TextEncoder().encode(text);
}

/** Puts the file of a case into a directory, as `f.txt`, with its mode and its links. */
export function layOutCase(root: string, { file, fileMode }: Pick<EditCase, 'file' | 'fileMode'>): void {
  if (file === undefined) return;
  const path = join(root, 'f.txt');
  writeFileSync(path, bytesOfCase(file) ?? '');
  if (fileMode !== undefined) chmodSync(path, Number.parseInt(fileMode, 8));
  if (file.linkedAs !== undefined) symlinkSync('f.txt', join(root, file.linkedAs));
  if (file.hardLinkedAs !== undefined) linkSync(path, join(root, file.hardLinkedAs));
}

/** The calls of a case: one, several at once, or one after a read and another program's write, which is done here. */
export function callsOfCase(root: string, { call }: Pick<EditCase, 'call'>): readonly EditCase['call'][] {
  const { concurrently, call: later, then_another_program_appends: appended } = call;
  if (Array.isArray(concurrently)) return concurrently;
  if (later === undefined) return [call];
  const file = join(root, 'f.txt');
  const expectation = digest(readFileSync(file));
  writeFileSync(file, String(appended), { flag: 'a' });
  return [{ ...(later as EditCase['call']), expect: expectation }]; // an object in the case file
}
