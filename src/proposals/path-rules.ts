import { PortholeError } from '../contract/errors.ts';
import { fileError } from '../fs/file-error.ts';
import { parseRootPath, type RootSpellings, showRootPath } from '../fs/path-rules.ts';
import { type Glob, parseGlob } from '../text/glob.ts';
import { type Refusal, refuse } from './refusal.ts';

/** Which files a proposal may touch, as the operator says it. */
export interface PathRuleOptions {
  readonly root: RootSpellings;
  /** Patterns of files that may be edited; at least one. */
  readonly allow: readonly string[];
  /** Patterns of files that may not, besides those that never may. */
  readonly deny?: readonly string[];
  /** The only files that may be edited, such as those of a change under review. */
  readonly scope?: readonly string[];
  /** Porthole's own files below the root, and those that the policy protects. */
  readonly protectedFiles?: readonly { readonly glob: Glob; readonly belongsTo?: string }[];
}

/** A path in the one spelling that is judged, read and written. */
export interface AllowedPath {
  readonly kind: 'allowed';
  readonly path: string;
}

/** Judges paths as they are written. Links are none of its business: a path that goes through one is never opened. */
export type PathRules = (path: string) => AllowedPath | Refusal;

// Files that make machines run something, or that pin what they run by digests nobody types. They are matched at any
// depth and in any case, since a file system may find them by another one.
const deniedEverywhere = [
  '.github/**',
  '.gitlab-ci.yml',
  '.gitlab/**',
  '.circleci/**',
  'azure-pipelines*.yml',
  'azure-pipelines*.yaml',
  'Jenkinsfile*',
  '.buildkite/**',
  '.drone.yml',
  'bitbucket-pipelines.yml',
  '.woodpecker/**',
  '.woodpecker.yml',
  '.woodpecker.yaml',
  '.forgejo/**',
  '.gitea/**',
  '.semaphore/**',
  '.travis.yml',
  '.cirrus.yml',
  '.appveyor.yml',
  'appveyor.yml',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'Cargo.lock',
  'go.sum',
  'poetry.lock',
  'uv.lock',
  'composer.lock',
  'Gemfile.lock',
] as const;

/**
 * Compiles the rules: what is denied first, then the scope, then the allowlist.
 * @throws {@link PortholeError} `ARGUMENT_INVALID` for an empty allowlist or a pattern that no path can fit
 */
export function createPathRules({ root, allow, deny = [], scope, protectedFiles = [] }: PathRuleOptions): PathRules {
  if (allow.length === 0) {
    const hint = 'Name the files that may be edited, by patterns such as deploy/*.yaml.';
    throw new PortholeError('ARGUMENT_INVALID', 'Cannot apply a proposal: the allowlist is empty', { hint });
  }
  const builtIn = deniedEverywhere.map((source) => ({ source, glob: parseGlob(`**/${source.toLowerCase()}`) }));
  const denied = deny.map(parseGlob);
  const allowed = allow.map(parseGlob);
  const inScope = scope && new Set(scope.map((path) => canonical(path, root)));
  return (written) => {
    const path = parsePath(written, root);
    if (typeof path !== 'string') return path;
    const lower = path.toLowerCase();
    const denial =
      builtIn.find(({ glob }) => glob.matches(lower))?.source ??
      denied.find((glob) => glob.matches(path))?.source ??
      protectedFiles.filter(({ glob }) => glob.matches(path)).map(({ glob, belongsTo }) => belongsTo ?? glob.source)[0];
    if (denial !== undefined) return refuse(`path is denied (${denial})`, 'No proposal edits this file; leave it out.');
    if (inScope !== undefined && !inScope.has(path)) {
      return refuse('path is outside this change', 'Edit only the files of the change.');
    }
    if (!allowed.some((glob) => glob.matches(path))) {
      const patterns = allow.slice(0, maxListed).join(', ');
      return refuse(
        'path is not in the allowlist',
        `These may be edited: ${patterns}${allow.length > maxListed ? ', …' : ''}.`,
      );
    }
    return { kind: 'allowed', path };
  };
}

const maxListed = 10;

/** The refusal of whoever opens files, for a path of which any component is a link. */
export function refuseLink(): Refusal {
  return refuse('path goes through a link', 'Name the file by the path on which no link lies.');
}

function parsePath(written: string, root: RootSpellings): string | Refusal {
  try {
    return canonical(written, root);
  } catch (error) {
    if (!(error instanceof PortholeError)) throw error;
    return refuse(error.message, error.hint);
  }
}

function canonical(written: string, root: RootSpellings): string {
  const path = parseRootPath(written, 'edit', root);
  if (path.mustBeDirectory) throw fileError('NOT_A_DIRECTORY', path, 'a file is named without a trailing slash');
  return showRootPath(path);
}
