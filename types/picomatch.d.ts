// What is used of picomatch, which ships no declarations.

declare module 'picomatch' {
  /** Whether a path fits a pattern. */
  export function isMatch(path: string, pattern: string, options?: { readonly dot?: boolean }): boolean;
}
