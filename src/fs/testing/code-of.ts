/** The code a call was refused with, or null if it was done. */
export async function codeOf(call: () => unknown): Promise<string | null> {
  try {
    await call();
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

/** The same for a call that does not wait. */
export function codeNow(call: () => unknown): string | null {
  try {
    call();
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}
