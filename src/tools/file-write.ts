import { z } from 'zod';
import { judgedWriteFile } from '../calls/file-calls.ts';
import { writeModes } from '../cores/write-request.ts';
import { showPath } from './show-path.ts';
import type { Tool } from './tool.ts';

const schema = z.strictObject({
  path: z.string().describe('The file, relative to the root; its directory must exist.'),
  content: z.string().describe('What is written, exactly: nothing is added to it.'),
  mode: z
    .enum(writeModes)
    .nullish()
    .describe('"w" replaces the whole file, "a" appends, "insert" inserts before character offset. Default: "w".'),
  offset: z.int().min(0).nullish().describe('Mode "insert": the character (code point) to insert before. Default: 0.'),
  expect: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .nullish()
    .describe(
      'Digest that a read returned; the write is refused if the file has changed since. Default: not compared.',
    ),
});

/** The tool `file_write`: a whole file, an append or an insert; never a torn file. */
export const fileWriteTool: Tool = {
  name: 'file_write',
  description: 'Writes a text file under the root: whole, appended to, or inserted into. Directories are not created.',
  changesFiles: true,
  schema,
  run: async (args, { target, ...caller }) => {
    const { result, settle } = await judgedWriteFile(target, { ...caller, name: 'file_write' }, args);
    settle();
    const { shownPath: path, charsWritten, bytesBefore, bytesAfter, created } = result;
    const text =
      `[FILE_WRITE_SUCCESS] ${showPath(path)} ${result.mode}: ` +
      `${charsWritten} chars written, now ${bytesAfter} bytes`;
    const digest = result.digest();
    return { text, result: { path, mode: result.mode, charsWritten, bytesBefore, bytesAfter, created, digest } };
  },
};
