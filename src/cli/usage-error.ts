/** The command line cannot be understood: exit code 2, whatever the code of the library would be. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
