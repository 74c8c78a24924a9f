/** One file that a staged run left different from what was copied in. */
export interface Change {
  readonly kind: 'create' | 'modify' | 'delete';
  /** Place in the tree, without a leading `/`. */
  readonly path: string;
  /** The copied file; null where the run created it. */
  readonly before: ContentFacts | null;
  /** The file as the run left it; null where the run deleted it. */
  readonly after: ContentFacts | null;
}

/** What a file holds, without its bytes. */
export interface ContentFacts {
  readonly bytes: number;
  /** `sha256:<hex>`. */
  readonly digest: string;
}
