/** The native functions the prelude is given, in the order of their numbers. */
export const nativeFunctions = ['print', 'consoleRoom', 'callHelper'] as const;

/** Numbers of {@link nativeFunctions}. */
export const printFunction = 0;
/** See {@link nativeFunctions}. */
export const consoleRoomFunction = 1;
/** See {@link nativeFunctions}. */
export const callHelperFunction = 2;
