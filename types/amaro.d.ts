// What is used of amaro, which ships no declarations.

declare module 'amaro' {
  /** Erases types in place; throws a string that draws the place for syntax that needs code generation. */
  export function transformSync(
    source: string,
    options: { readonly mode: 'strip-only'; readonly filename?: string },
  ): { readonly code: string };
}
