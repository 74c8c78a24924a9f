import { z } from 'zod';
import { judgedEditFile } from '../calls/edit-calls.ts';
import { editModes } from '../cores/edit-arguments.ts';
import { renderEditError, renderEditResult } from '../cores/edit-text.ts';
import type { Tool } from './tool.ts';

const line = z
  .union([z.int().min(1), z.string().regex(/^[1-9][0-9]*$/)])
  .nullish()
  .describe('Mode "replace": the line to replace, as file_read numbered it, from 1. It keeps its own ending.');

const find = z
  .string()
  .nullish()
  .describe(
    'Mode "replace": without line, the exact text to replace, which must occur once; a line break matches any ending. ' +
      'With line, a text that the line must hold.',
  );

const edit = z.strictObject({
  line,
  find,
  content: z.string().describe('What takes the place of the line or text; "" deletes the text.'),
});

const schema = z.strictObject({
  path: z.string().describe('The file, relative to the root; its directory must exist.'),
  mode: z
    .enum(editModes)
    .describe('"write" sets the whole file, "append" adds to its end, "replace" changes one line or one exact text.'),
  content: z
    .string()
    .nullish()
    .describe(
      'What is written, exactly; for a replacement by line one line, by find what takes the place of the text.',
    ),
  line,
  find,
  edits: z
    .array(edit)
    .min(1)
    .nullish()
    .describe('Mode "replace": several replacements in one call, all against the file as it is, all or nothing.'),
  expect: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .nullish()
    .describe('Digest that a read returned; the edit is refused if the file has changed since. Default: not compared.'),
  dry_run: z.boolean().nullish().describe('Check everything, answer with the diff, write nothing. Default: false.'),
});

/** The tool `edit_file`: exact changes of one file; every byte outside the edit stays. */
export const editFileTool: Tool = {
  name: 'edit_file',
  description:
    'Changes a text file under the root exactly: one line by its number, one text that occurs once, or several of ' +
    'these at a time. Read the file first with file_read, view "lines". Nothing is guessed: what does not match is refused.',
  changesFiles: true,
  schema,
  renderRefusal: renderEditError,
  run: async (args, { target, ...caller }) => {
    const result = await judgedEditFile(target, { ...caller, name: 'edit_file' }, args);
    const { path, bytesAfter: bytes, digestAfter: digest, created, dryRun } = result;
    if (!dryRun) caller.recordEffect?.({ helper: 'edit_file', path, bytes, digest, created });
    return { text: renderEditResult(result), result: { ...result } };
  },
};
