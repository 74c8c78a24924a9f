import { describe, expect, it } from 'vitest';
import { fileError, fromSystemError } from './file-error.ts';
import { systemError } from './testing/watched-syscalls.ts';

const path = { verb: 'read', written: 'f' };

describe('fromSystemError()', () => {
  it.each([
    ['ENOENT', 'NOT_FOUND'],
    ['ENOTDIR', 'NOT_A_DIRECTORY'],
    ['EISDIR', 'IS_A_DIRECTORY'],
    ['EACCES', 'PERMISSION_DENIED'],
    ['EPERM', 'PERMISSION_DENIED'],
    ['EROFS', 'READ_ONLY'],
    ['ELOOP', 'LINK_LOOP'],
    ['ENAMETOOLONG', 'PATH_INVALID'],
    ['ENXIO', 'NOT_A_REGULAR_FILE'],
    ['ENOSPC', 'NO_SPACE'],
    ['EDQUOT', 'NO_SPACE'],
  ])('turns %s into %s', (errno, code) => {
    expect(fromSystemError(systemError(errno), path)).toMatchObject({ code, path: 'f' });
  });

  it('names any other error in the message, and keeps it as the cause', () => {
    const cause = systemError('EMFILE');
    const error = fromSystemError(cause, path);
    expect(error).toMatchObject({ code: 'IO_FAILED', cause });
    expect(error.message).toBe('Cannot read "f": the file system failed with EMFILE');
  });

  it('names what is no system error by its class', () => {
    expect(fromSystemError(new TypeError('x'), path).message).toContain('TypeError');
    expect(fromSystemError('x', path).message).toContain('string');
  });

  it('passes on what is converted already', () => {
    const error = fileError('NOT_FOUND', path, 'gone');
    expect(fromSystemError(error, { verb: 'write', written: 'g' })).toBe(error);
  });
});
