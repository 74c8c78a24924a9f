import type { Patch } from '../../fs/testing/transpiled-sources.ts';

/** A named set of proofs. */
export type Suite =
  | 'containment'
  | 'containment by path'
  | 'matrix'
  | 'faults'
  | 'attacks'
  | 'interleavings'
  | 'interleavings by path';

/** A source without one of its guards, and the proof that is red without it. */
export interface Mutant extends Patch {
  /** What is missing. */
  readonly guard: string;
  readonly suite: Suite;
  readonly proof: string;
  /** Whether the proof shows something only where tests run as root. */
  readonly needsRoot: boolean;
}

/** One for each guard of the path rules, the walk and the write. */
export const mutants: readonly Mutant[] = [
  ...inFile('fs/path-rules.ts', {
    'a path is a string': [
      `if (typeof input !== 'string') throw`,
      `if (false) throw`,
      'containment',
      'empty, NUL, not a string',
    ],
    'no empty path': [
      `if (path === '')`,
      'if (false)',
      'attacks',
      'names the disk would take are judged before the disk is asked',
    ],
    'no NUL': [
      `if (path.includes('\\0'))`,
      'if (false)',
      'attacks',
      'names the disk would take are judged before the disk is asked',
    ],
    'well-formed Unicode': ['if (!isWellFormed(path))', 'if (false)', 'containment', 'a lone surrogate'],
    'no path too long': [
      'if (utf8Length(path) > maxPathBytes)',
      'if (false)',
      'attacks',
      'names the disk would take are judged before the disk is asked',
    ],
    'no segment too long': [
      'if (path.length * 3 > maxSegmentBytes &&',
      'if (false &&',
      'attacks',
      'names the disk would take are judged before the disk is asked',
    ],
    'no parent segment': [
      `if (input.includes('..') &&`,
      'if (false &&',
      'containment',
      'parent segments, even if they stay inside',
    ],
    'no parent segment behind a backslash': [
      'split(/[/\\\\]/)',
      `split('/')`,
      'containment',
      'parent segment after a backslash',
    ],
    'no home': [`if (input.startsWith('~'))`, 'if (false)', 'containment', 'home expansion'],
    'no drive, UNC or URL': [
      'if (/^(?:[A-Za-z]:[\\\\/]|\\\\|file:)/i.test(path))',
      'if (false)',
      'containment',
      'drive, UNC and URL forms',
    ],
    'nothing outside': [
      "if (relative === null) throw refuse('PATH_OUTSIDE_ROOT'",
      "if (false) throw refuse('PATH_OUTSIDE_ROOT'",
      'containment',
      'an absolute path outside',
    ],
    'a segment border behind the root': [
      '{prefix}/`))',
      '{prefix}`))',
      'containment',
      'a sibling that shares the prefix',
    ],
  }),
  ...inFile('fs/syscalls.ts', {
    'directories are opened without following': [
      'O_PATH | O_DIRECTORY | O_NOFOLLOW',
      'O_PATH | O_DIRECTORY',
      'containment',
      'through a linked directory outside',
    ],
    'files are pinned without following': [
      'pin: O_PATH | O_NOFOLLOW',
      'pin: O_PATH',
      'containment',
      'a link to a file outside',
    ],
  }),
  ...inFile('fs/syscalls.ts', {
    'a temporary is new': [
      'O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW',
      'O_WRONLY | O_CREAT | O_NOFOLLOW',
      'attacks',
      'a link planted under the name of a temporary is not followed',
    ],
    'a temporary is no link': [
      'O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW',
      'O_WRONLY | O_CREAT',
      'attacks',
      'a link planted under the name of a temporary is not followed',
    ],
    'an inode is known by its number': [
      'one.ino === other.ino && one.dev === other.dev',
      'one.dev === other.dev',
      'attacks',
      'a protected place to come is protected, with everything on the way to it',
    ],
    'an identity changes with the size and the times': [
      'facts: FileFacts): string {',
      'facts: FileFacts): string {\n  if (facts.ino > 0n) return String(facts.ino);',
      'attacks',
      'a file that was not read is compared by its identity',
    ],
  }),
  ...inFile('fs/strict-walk.ts', {
    'special trees by their path': [
      'if (root.special.holdPath(',
      'if (false && root.special.holdPath(',
      'attacks',
      'what lies below a special tree is judged by its path',
    ],
    'no link out of a special tree': [
      'if (root.special.holdInode(',
      'if (false && root.special.holdInode(',
      'attacks',
      'a link found in a procfs that is mounted elsewhere is not followed',
    ],
    'a limit on links': [
      'hints <= maxHints',
      'hints <= 99',
      'attacks',
      'nine links on one path are too many, eight are not',
    ],
    'a link is no file': [
      'if (!leaf?.facts.isSymbolicLink()) return',
      'if (true) return',
      'attacks',
      'a link that loops outside, and one to nothing behind a file outside, are outside',
    ],
  }),
  ...inFile('fs/link-hint.ts', {
    'a link leads inside': [
      'if (!isAtOrBelow(target, rootPath)) throw',
      'if (false) throw',
      'containment',
      'a link to a file outside',
    ],
    'a link to nothing leads inside': [
      'if (!isAtOrBelow(place, rootPath)) throw',
      'if (false) throw',
      'attacks',
      'a link that loops outside, and one to nothing behind a file outside, are outside',
    ],
  }),
  ...inFile('fs/disk-file.ts', {
    'special trees by what is mounted': [
      'if (trees.holdInode(facts, host))',
      'if (false)',
      'attacks',
      'a file found in a procfs that is mounted elsewhere is not opened',
    ],
    'a directory is no file': ['if (facts.isDirectory())', 'if (false)', 'containment', 'a directory'],
    'a slash means a directory': [
      'if (path.mustBeDirectory)',
      'if (false)',
      'containment',
      'a trailing slash on a file',
    ],
    'only regular files': ['if (!facts.isFile())', 'if (false)', 'containment', 'a FIFO is refused at once'],
    'nothing is read after closing': [
      'disk.refuseIfClosed();\n        try',
      'try',
      'attacks',
      'nothing works after the root was closed (by descriptor)',
    ],
    'nothing is opened after closing': [
      'disk.refuseIfClosed();\n  const place',
      'const place',
      'attacks',
      'nothing works after the root was closed (by path)',
    ],
  }),
  ...inFile('fs/disk-target.ts', {
    'what is written is a regular file': [
      'if (leaf !== null) refuseUnlessRegular',
      'if (false) refuseUnlessRegular',
      'containment',
      'writing to a directory',
    ],
    'nothing new in special trees': [
      'if (facts !== undefined && disk.special.holdInode(',
      'if (facts === undefined && disk.special.holdInode(',
      'attacks',
      'a file found in a procfs that is mounted elsewhere is not opened',
    ],
    'a new file has no slash': [
      'if (leaf === null && path.mustBeDirectory)',
      'if (false)',
      'matrix',
      'replacing nothing, spelled with a slash',
    ],
    'protected places': [
      'if (cover !== undefined)',
      'if (cover === null)',
      'attacks',
      'a protected place to come is protected, with everything on the way to it',
    ],
    'one name only': [
      'if (nlink <= 1n || disk.maySplitLinks) return;',
      'return;',
      'attacks',
      'a second name given between plan and commit is noticed',
    ],
    'one name only, until the end': [
      'if (now !== null) refuseManyLinks',
      'if (false) refuseManyLinks',
      'attacks',
      'a second name given between plan and commit is noticed',
    ],
    'read-only by its bits': [
      'if ((leaf.facts.mode & 0o222n) === 0n)',
      'if (false)',
      'containment',
      'a read-only file is not replaced',
      'as root',
    ],
    'read-only for this user': [
      `if (isErrno(error, 'EACCES', 'EPERM', 'EROFS'))`,
      'if (false)',
      'attacks',
      'a file its user may not write is read-only',
    ],
    'nothing is opened after closing': [
      'disk.refuseIfClosed();\n  const place',
      'const place',
      'attacks',
      'nothing works after the root was closed (by path)',
    ],
    'nothing is replaced after closing': [
      'disk.refuseIfClosed();\n  try',
      'try',
      'attacks',
      'nothing works after the root was closed (by descriptor)',
    ],
  }),
  ...inFile('fs/pinned-content.ts', {
    'the bytes that were read': [
      '!holds(sys, leaf, before, path)',
      'false',
      'attacks',
      'a file that was changed in place, to the same length between plan and commit is left alone (w)',
    ],
    'the same inode': [
      '!isSameInode(now, leaf.facts) ||',
      '',
      'attacks',
      'a file that was exchanged for another with the same content between plan and commit is left alone (w)',
    ],
    'the same mode': [
      '|| now.mode !== leaf.facts.mode',
      '',
      'attacks',
      'a file that was made read-only between plan and commit is left alone (w)',
    ],
    'the same identity': [
      'if (before === undefined && identityOf(now)',
      'if (false && identityOf(now)',
      'attacks',
      'a file that was not read is compared by its identity',
    ],
    'there as before, gone as before': [
      'if (leaf !== null || now !== null) throw',
      'if (false) throw',
      'attacks',
      'a file that was removed between plan and commit is left alone (w)',
    ],
    'the end of the bytes': [
      'return at === bytes.length',
      'return true',
      'attacks',
      'a file that was made shorter between plan and commit is left alone (w)',
    ],
  }),
  ...inFile('fs/protected-places.ts', {
    'things by their inode': [
      '|| isThing(sys, path, wanted)',
      '',
      'attacks',
      'a protected file is protected under its other names, a protected directory behind its links',
    ],
    'places by their name': [
      '|| isName(directory, path, wanted)',
      '',
      'attacks',
      'a protected place to come is protected, with everything on the way to it',
    ],
    'names in another case': [
      '|| fold(one) === fold(other)',
      '',
      'attacks',
      'a protected place to come is protected, with everything on the way to it',
    ],
    'directories with all they hold': [
      'if (facts.isDirectory()) return',
      'if (false) return',
      'attacks',
      'a protected file is protected under its other names, a protected directory behind its links',
    ],
  }),
  ...inFile('fs/atomic-write.ts', {
    'no wider than the target': [
      'existing === null ? 0o666 : 0o600',
      '0o666',
      'attacks',
      'a temporary never grants more than the file it replaces',
    ],
    'all bytes': [
      'for (let at = 0; at < bytes.length; )',
      'for (let at = 0; at < Math.min(bytes.length, 1); )',
      'containment',
      'short writes complete',
    ],
    'a disk that takes nothing': [
      'if (written <= 0) throw',
      'if (false) throw',
      'attacks',
      'a disk that takes nothing is an error and no endless loop',
    ],
    'owner and mode': [
      'if (existing !== null) keepOwnerAndMode',
      'if (false) keepOwnerAndMode',
      'attacks',
      'content is on the disk before it takes the name, and the name after that',
    ],
    owner: [
      'const hasGroup = keepOwner(sys, fd, existing)',
      'const hasGroup = true',
      'attacks',
      'owner and group are kept where the process may give files away',
      'as root',
    ],
    'group bits for a foreign group': [
      'hasGroup ? wantedMode & 0o070 :',
      'true ? wantedMode & 0o070 :',
      'attacks',
      'a file that cannot stay in its group grants the new group no more than everybody',
      'as root',
    ],
    'no inherited privileges': [
      'Number(existing.mode) & 0o777',
      'Number(existing.mode) & 0o7777',
      'attacks',
      'new content does not inherit the right to act as somebody else',
    ],
    'content on the disk': [
      '    sys.fsync(fd);\n    const { size }',
      '    const { size }',
      'attacks',
      'content is on the disk before it takes the name, and the name after that',
    ],
    'size as told': [
      'if (size !== BigInt(bytes.length))',
      'if (false)',
      'faults',
      'creating with a write that keeps half and claims all',
    ],
    'unchanged until the end': [
      '      proveUnchanged();\n',
      '',
      'attacks',
      'a file that was changed in place, to the same length between plan and commit is left alone (w)',
    ],
    'no temporary behind': [
      'removeQuietly(sys, `',
      'String(`',
      'attacks',
      'a file that was changed in place, to the same length between plan and commit is left alone (w)',
    ],
    'name on the disk': [
      'if (syncing !== null) syncEntries',
      'if (false) syncEntries',
      'attacks',
      'content is on the disk before it takes the name, and the name after that',
    ],
  }),
  ...inFile('fs/descriptor-walk.ts', {
    'a number is forgotten before it is closed': [
      '      current = null;\n',
      '',
      'attacks',
      'closing twice closes once',
    ],
    'what was opened is closed': ['      closeQuietly(sys, closing);\n', '', 'faults', 'replacing with EIO'],
  }),
  ...inFile('fs/verified-open.ts', {
    'what was opened is what was looked at': [
      '    isSameInode(opened, facts) &&\n',
      '',
      'attacks',
      'by path, a file that was exchanged before it was opened is not taken for the other',
    ],
    'a directory is proven again': [
      'if (!isAtOrBelow(now, rootPath) ||',
      'if (false &&',
      'interleavings by path',
      'creating while the directory is swapped',
    ],
  }),
  ...inFile('fs/missing-directories.ts', {
    'no link is entered': [
      `if (typeof below === 'string')`,
      'if (false)',
      'attacks',
      'a link put where a directory was just made is not entered',
    ],
    'no directory behind': [
      'if (isMade &&',
      'if (false &&',
      'attacks',
      'directories made for a file that could not be written are removed again',
    ],
  }),
  ...inFile('cores/read-file.ts', {
    'only UTF-8': [
      'if (!isUtf8Throughout(bytes)) throw',
      'if (false) throw',
      'containment',
      'invalid UTF-8 is not replaced',
    ],
  }),
  ...inFile('cores/write-file.ts', {
    'the digest the caller read': [
      'if (request.expect !== null && (',
      'if (false && (',
      'attacks',
      'a digest that is not the one of the file is refused',
    ],
    'an offset that is there': ['if (offset > length)', 'if (false)', 'containment', 'insert past the end'],
    'the bytes go along': [
      'target.replace(after, before ?? undefined)',
      'target.replace(after)',
      'attacks',
      'a second name given between plan and commit is noticed',
    ],
  }),
  ...inFile('cores/arguments.ts', {
    'whole numbers from 0': [
      'Number.isSafeInteger(value) && value >= 0',
      'true',
      'containment',
      'bad windows are refused',
    ],
  }),
];

type Change = readonly [from: string, to: string, suite: Suite, proof: string, needsRoot?: 'as root'];

function inFile(file: string, changes: Readonly<Record<string, Change>>): readonly Mutant[] {
  return Object.entries(changes).map(([guard, [from, to, suite, proof, needsRoot]]) => ({
    file,
    guard,
    from,
    to,
    suite,
    proof,
    needsRoot: needsRoot !== undefined,
  }));
}
