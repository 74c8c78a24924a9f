import { PortholeError } from '../contract/errors.ts';
import { canonicalJson } from '../text/canonical-json.ts';

/** What one file's part of a question showed; the answer counts for this and nothing else. */
export interface Shown {
  /** The tool or command that asked. */
  readonly tool: string;
  /** Digest of the canonical arguments. */
  readonly argumentsDigest: string;
  readonly path: string;
  /** Digest of the file the diff starts from; null where there is none. */
  readonly digestBefore: string | null;
  readonly digestAfter: string;
  readonly diffDigest: string;
}

/** The right to let something land. */
export interface Permission {
  /** Whether a person was asked, or policy, grant or flag answered. */
  readonly wasAsked: boolean;
  /**
   * Spends the permission for one file, just before it lands.
   * @throws {@link PortholeError} `CHANGED_SINCE_READ` when it is not what was shown, `APPROVAL_DENIED` when spent.
   */
  readonly use: (shown: Shown) => void;
}

/** The permission nobody had to be asked for. */
export const unaskedPermission: Permission = { wasAsked: false, use: () => undefined };

/** The permission of a yes: for each file shown once, byte for byte, under the same policy. */
export function createApproval(files: readonly Shown[], policyDigest: string, digestNow: () => string): Permission {
  const unused = new Map(files.map((shown) => [shown.path, canonicalJson(shown)]));
  return {
    wasAsked: true,
    use: (shown) => {
      const expected = unused.get(shown.path);
      if (expected === undefined) throw spent(shown.path);
      unused.delete(shown.path);
      if (digestNow() !== policyDigest) throw changed(shown.path, 'the policy changed while the question was open');
      if (canonicalJson(shown) !== expected) throw changed(shown.path, 'it is not what was shown and approved');
    },
  };
}

/** One text over everything a question shows, to be digested for the log. */
export function renderShown(files: readonly Shown[], action: string, policyDigest: string): string {
  return canonicalJson({ action, files, policyDigest });
}

function spent(path: string): PortholeError {
  return new PortholeError('APPROVAL_DENIED', `Cannot write "${path}": its approval was already used`, { path });
}

function changed(path: string, why: string): PortholeError {
  return new PortholeError('CHANGED_SINCE_READ', `Cannot write "${path}": ${why}`, { path });
}
