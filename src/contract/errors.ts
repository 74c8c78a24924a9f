/** How an error looks inside the sandbox: as a `ValueError`, as a plain `Error`, or it never gets there. */
export type GuestErrorName = 'ValueError' | 'Error' | 'never';

/** What is known about a code without looking at one occurrence of it. */
export interface CodeFacts {
  /** One sentence: what is the case. */
  readonly meaning: string;
  /** What to do next. */
  readonly next: string;
  /** How a guest sees it. */
  readonly guest: GuestErrorName;
  /** Exit code of a command that ends with it. */
  readonly exit: 1 | 2 | 3 | 4 | 5 | 7 | 70;
}

/**
 * The closed set of error codes. NOUN_CONDITION, never reused for something else.
 * Exit codes, the guest's error names and the reference page come from this table.
 */
export const errorCodes = {
  ARGUMENT_INVALID: {
    meaning: 'An argument or option has the wrong shape.',
    next: 'Compare the call with the documented arguments; the message names the one that is wrong.',
    guest: 'ValueError',
    exit: 1,
  },
  PATH_INVALID: {
    meaning: 'The path is not a usable string: missing, empty, with NUL, not well-formed Unicode, or too long.',
    next: 'Pass a non-empty string of at most 4,095 bytes with segments of at most 255 bytes.',
    guest: 'ValueError',
    exit: 1,
  },
  PATH_TRAVERSAL: {
    meaning: 'A segment of the path is "..".',
    next: 'Name the file from the root downwards, without "..".',
    guest: 'ValueError',
    exit: 1,
  },
  PATH_HOME: {
    meaning: 'The path starts with "~"; nothing is expanded.',
    next: 'Write the path relative to the root; a file whose name starts with "~" is written "./~name".',
    guest: 'ValueError',
    exit: 1,
  },
  PATH_OUTSIDE_ROOT: {
    meaning: 'The path leads outside the sandbox root.',
    next: 'Use a path under the root, or run with a root that holds the file.',
    guest: 'ValueError',
    exit: 1,
  },
  PATH_PROTECTED: {
    meaning: 'The file belongs to Porthole itself, or protectedPaths covers it: no run changes it.',
    next: 'Write somewhere else; the operator edits this file by hand.',
    guest: 'ValueError',
    exit: 1,
  },
  LINK_DANGLING: {
    meaning: 'A symbolic link on the path leads to nothing.',
    next: 'Write to the place itself instead of the link, or repair the link.',
    guest: 'ValueError',
    exit: 1,
  },
  LINK_LOOP: {
    meaning: 'The symbolic links on the path form a loop, or there are more than 8.',
    next: 'Use the path of the file itself.',
    guest: 'ValueError',
    exit: 1,
  },
  LINK_COUNT: {
    meaning: 'The file has more than one hard link; replacing it would split it silently.',
    next: 'Write a copy under another name.',
    guest: 'ValueError',
    exit: 1,
  },
  NOT_A_REGULAR_FILE: {
    meaning: 'The path leads to something other than a regular file or directory, or into procfs, sysfs or /dev.',
    next: 'Only regular files can be read and written.',
    guest: 'ValueError',
    exit: 1,
  },
  READ_ONLY: {
    meaning: 'The file is read-only.',
    next: 'Give it write permission first, or write another file.',
    guest: 'ValueError',
    exit: 1,
  },
  NOT_UTF8: {
    meaning: 'The bytes are not UTF-8; nothing is replaced or guessed.',
    next: 'Convert the file to UTF-8; the tool view "lines" can show it as it is.',
    guest: 'ValueError',
    exit: 1,
  },
  FILE_TOO_LARGE: {
    meaning: 'The file or the content is over the limit for one call.',
    next: 'Read it in windows: pass max_chars and offset.',
    guest: 'ValueError',
    exit: 1,
  },
  OFFSET_PAST_END: {
    meaning: 'The insert offset lies behind the end of the file.',
    next: 'Offsets count code points from 0; the length of the file appends.',
    guest: 'ValueError',
    exit: 1,
  },
  CONTENT_NOT_WELL_FORMED: {
    meaning: 'The content holds a lone surrogate and has no UTF-8 form.',
    next: 'Repair the string first: content.toWellFormed() does so by replacing.',
    guest: 'ValueError',
    exit: 1,
  },
  NOT_FOUND: {
    meaning: 'There is no file at that path.',
    next: 'Check the name; paths are relative to the root and names are case-sensitive bytes.',
    guest: 'Error',
    exit: 1,
  },
  PARENT_NOT_FOUND: {
    meaning: 'The directory that would hold the file does not exist; directories are not created.',
    next: 'Create the directory first, or write into one that exists.',
    guest: 'Error',
    exit: 1,
  },
  IS_A_DIRECTORY: {
    meaning: 'The path names a directory.',
    next: 'Name a file.',
    guest: 'Error',
    exit: 1,
  },
  NOT_A_DIRECTORY: {
    meaning: 'A component of the path is not a directory, or a file is written with a trailing slash.',
    next: 'Name the file without a trailing slash.',
    guest: 'Error',
    exit: 1,
  },
  PERMISSION_DENIED: {
    meaning: 'The operating system refuses.',
    next: 'Check owner and mode of the file and its directory.',
    guest: 'Error',
    exit: 1,
  },
  NO_SPACE: {
    meaning: 'The disk or the quota is full; the original is untouched.',
    next: 'Make room and write again.',
    guest: 'Error',
    exit: 1,
  },
  IO_FAILED: {
    meaning: 'The file system failed; its error name is in the message.',
    next: 'Look at the named error; the original file is untouched.',
    guest: 'Error',
    exit: 1,
  },
  WRITE_NOT_DURABLE: {
    meaning: 'The new content is in place, but the disk did not confirm it.',
    next: 'Treat the file as changed; check the disk.',
    guest: 'Error',
    exit: 1,
  },
  TREE_FULL: {
    meaning:
      'The tree of a staged run has no room for more: its quota of bytes or of files and directories is reached.',
    next: 'Copy less in, leave parts out with --exclude, or raise the limit treeBytes or treeNodes.',
    guest: 'ValueError',
    exit: 1,
  },
  CHANGED_SINCE_READ: {
    meaning: 'The file is not what was read; nothing was written.',
    next: 'Read it again and repeat the change on what it holds now.',
    guest: 'ValueError',
    exit: 5,
  },
  UNSAFE_FLAG_MISSING: {
    meaning: 'A write needs _unsafe_mode: true in the invocation context, and only the operator can put it there.',
    next: 'The operator runs with --allow-write, or passes context: { _unsafe_mode: true }.',
    guest: 'ValueError',
    exit: 3,
  },
  MODE_SAFE: {
    meaning: 'The tool changes files and the run is in safe mode.',
    next: 'The operator runs with --unsafe, or with mode: "unsafe".',
    guest: 'ValueError',
    exit: 3,
  },
  FIND_NOT_FOUND: {
    meaning: 'The text to replace does not occur in the file.',
    next: 'Read the file again and copy the text exactly as it stands there.',
    guest: 'never',
    exit: 1,
  },
  FIND_NOT_UNIQUE: {
    meaning: 'The text to replace occurs more than once.',
    next: 'Include more of the surrounding text, or name the line as well.',
    guest: 'never',
    exit: 1,
  },
  FIND_EMPTY: {
    meaning: 'The text to replace is empty.',
    next: 'Name the text to replace, or the line.',
    guest: 'never',
    exit: 1,
  },
  LINE_PAST_END: {
    meaning: 'The file has fewer lines than the number says.',
    next: 'Read the file again with line numbers.',
    guest: 'never',
    exit: 1,
  },
  LINE_MISMATCH: {
    meaning: 'The numbered line does not contain the given text, and no single other line does.',
    next: 'Read the file again with line numbers.',
    guest: 'never',
    exit: 1,
  },
  CONTENT_NOT_ONE_LINE: {
    meaning: 'The new text for one line holds a line break.',
    next: 'Give one line, or replace by find: there both sides may span lines.',
    guest: 'never',
    exit: 1,
  },
  FILE_BINARY: {
    meaning: 'The file, or the new text, holds a NUL byte.',
    next: 'Binary files are only written whole, with mode write.',
    guest: 'never',
    exit: 1,
  },
  EDITS_OVERLAP: {
    meaning: 'Two edits of one call touch the same text.',
    next: 'Join them into one edit; all edits of a call are against the original file.',
    guest: 'never',
    exit: 1,
  },
  NO_CHANGE: {
    meaning: 'The file already reads as the edit would leave it.',
    next: 'Nothing needs to be done; the file was not touched.',
    guest: 'never',
    exit: 1,
  },
  EDIT_GUARD: {
    meaning: 'The result would differ from the file in more than the edit names; nothing was written.',
    next: 'Replace a larger piece of text by find, its line breaks included.',
    guest: 'never',
    exit: 1,
  },
  POLICY_DENIED: {
    meaning: 'A deny rule of the policy covers the action.',
    next: 'porthole policy explain NAME PATH shows the rule; only the operator can change the policy.',
    guest: 'ValueError',
    exit: 3,
  },
  APPROVAL_NEEDED: {
    meaning: 'The action needs a yes and there is nobody to ask.',
    next: 'Run on a terminal, pass --yes for what is at most moderate, allow it in the policy, or give an approver.',
    guest: 'ValueError',
    exit: 4,
  },
  APPROVAL_DENIED: {
    meaning: 'The question was answered with no, was not answered in time, or its yes was already used.',
    next: 'Change what is asked for, or ask again while somebody is there to answer.',
    guest: 'ValueError',
    exit: 4,
  },
  AUDIT_UNAVAILABLE: {
    meaning: 'The audit log could not record what was about to happen, so it did not happen.',
    next: 'Make room for the log, release its lock, or name another file.',
    guest: 'Error',
    exit: 1,
  },
  RESULT_NOT_SERIALIZABLE: {
    meaning: 'The program returned something that cannot cross the border; the message names where.',
    next: 'Return plain data: strings, numbers, arrays, plain objects, Map, Set, Date, bytes.',
    guest: 'never',
    exit: 7,
  },
  NEVER_SETTLES: {
    meaning: 'The program waits for a promise that nothing can settle.',
    next: 'Look for a missing resolve(); there are no timers in the sandbox.',
    guest: 'never',
    exit: 7,
  },
  INPUT_NOT_SERIALIZABLE: {
    meaning: 'The input holds something that cannot cross the border; the message names where.',
    next: 'Pass plain data: strings, numbers, arrays, plain objects, Map, Set, Date, bytes.',
    guest: 'never',
    exit: 2,
  },
  LIMIT_INVALID: {
    meaning: 'A limit is unknown, not a positive whole number, or beyond what it may be.',
    next: 'See the table of limits: porthole describe limits.',
    guest: 'never',
    exit: 2,
  },
  ROOT_INVALID: {
    meaning: 'The sandbox root does not exist or is not a directory.',
    next: 'Name an existing directory.',
    guest: 'never',
    exit: 2,
  },
  POLICY_INVALID: {
    meaning: 'The policy file cannot be used as it stands; nothing runs without it.',
    next: 'Correct the named line; porthole policy check FILE lists every problem.',
    guest: 'never',
    exit: 2,
  },
  PROPOSAL_REJECTED: {
    meaning: 'At least one edit of the proposal was refused, so no file was changed.',
    next: 'Look at the rejections: each says what the file holds and what would be accepted.',
    guest: 'never',
    exit: 1,
  },
  ATTEMPTS_SPENT: {
    meaning: 'The change has used up its attempts; nothing was looked at.',
    next: 'Let a person look at it, or raise --max-attempts knowingly.',
    guest: 'never',
    exit: 1,
  },
  VERDICT_INVALID: {
    meaning: 'The verdict or document does not have the required shape.',
    next: 'Compare it with the schema; the message names every place that is wrong.',
    guest: 'never',
    exit: 1,
  },
  PROVIDER_AUTH: {
    meaning: 'The provider does not accept the key, or there is none.',
    next: 'Put a valid key into the environment variable that the provider names as apiKeyEnv.',
    guest: 'never',
    exit: 1,
  },
  PROVIDER_RATE_LIMITED: {
    meaning: 'The provider is asked too often, and waiting did not help.',
    next: 'Try again later, or raise the limit at the provider.',
    guest: 'never',
    exit: 1,
  },
  PROVIDER_TRUNCATED: {
    meaning: 'The answer was cut off before its end, so none of it is used.',
    next: 'Give less evidence or fewer files, or use a model with more room.',
    guest: 'never',
    exit: 1,
  },
  PROVIDER_REFUSED: {
    meaning: 'The model or a filter before it declined to answer.',
    next: 'Look at the goal and the evidence; a person decides how to go on.',
    guest: 'never',
    exit: 1,
  },
  PROVIDER_EMPTY: {
    meaning: 'The provider answered without an answer in it.',
    next: 'Try again; if it stays so, the model may not support forced answers.',
    guest: 'never',
    exit: 1,
  },
  PROVIDER_INVALID: {
    meaning: 'The provider refused the request as wrong, or answered with something other than its protocol.',
    next: 'Check kind, baseUrl and model of the provider in the policy.',
    guest: 'never',
    exit: 1,
  },
  PROVIDER_TIMEOUT: {
    meaning: 'The provider did not answer in time.',
    next: "Raise the provider's timeoutMs, or ask for less.",
    guest: 'never',
    exit: 1,
  },
  PROVIDER_UNREACHABLE: {
    meaning: 'The provider cannot be reached, or fails on its own side.',
    next: 'Check baseUrl and the network, and try again later.',
    guest: 'never',
    exit: 1,
  },
  AGENT_FILE_INVALID: {
    meaning: 'The agent file cannot be used as it stands; none of it ran.',
    next: 'Correct the named line; porthole workflow validate FILE lists every problem.',
    guest: 'never',
    exit: 2,
  },
  CONTAINMENT_UNAVAILABLE: {
    meaning: 'Race-free containment was required and this machine does not offer it.',
    next: 'Run on Linux with /proc mounted, or drop the requirement and read what the fallback leaves open.',
    guest: 'never',
    exit: 1,
  },
  QUEUE_FULL: {
    meaning: 'Too many runs are waiting for a worker.',
    next: 'Wait for earlier runs, or raise workers or maxQueue.',
    guest: 'never',
    exit: 70,
  },
  RUNTIME_CLOSED: {
    meaning: 'The runtime was closed.',
    next: 'Create a new runtime.',
    guest: 'never',
    exit: 70,
  },
  RUNTIME_UNAVAILABLE: {
    meaning: 'The sandbox could not start; the message says why.',
    next: 'Run porthole doctor.',
    guest: 'never',
    exit: 70,
  },
  PREDICATE_NOT_BOOLEAN: {
    meaning: 'The predicate of a bridge gave something other than true or false.',
    next: 'Compare: input_data.length > 0 instead of input_data.length.',
    guest: 'never',
    exit: 7,
  },
  VISITS_EXCEEDED: {
    meaning: 'An agent was reached more often than its maxVisits, or all agents together too often.',
    next: 'Let a predicate end the cycle earlier, or raise maxVisits.',
    guest: 'never',
    exit: 7,
  },
  AGENT_FAILED: {
    meaning: 'An agent of a workflow failed, or an expression on a bridge did; the message names it.',
    next: 'Mend what the cause says, or lead the failure on with a bridge that has on: error.',
    guest: 'never',
    exit: 7,
  },
} as const satisfies Record<string, CodeFacts>;

/** One of the closed set of codes. */
export type ErrorCode = keyof typeof errorCodes;

/** What an error carries besides its code and message. */
export interface ErrorDetails {
  /** The path as the caller wrote it. */
  readonly path?: string;
  /** What to do next in this very case; the table's general advice where absent. */
  readonly hint?: string;
  readonly cause?: unknown;
  /** Facts a program may want, as plain data. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The one error class that leaves Porthole; tell conditions apart by `code`. */
export class PortholeError extends Error {
  override readonly name = 'PortholeError';
  readonly code: ErrorCode;
  readonly hint: string;
  readonly path: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, more: ErrorDetails = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.hint = more.hint ?? errorCodes[code].next;
    this.path = more.path;
    this.details = more.details ?? {};
  }
}

/** True for an error of this package, with that code if one is given. */
export function isPortholeError(error: unknown, code?: ErrorCode): error is PortholeError {
  return error instanceof PortholeError && (code === undefined || error.code === code);
}
