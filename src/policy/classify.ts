import { higherLevel, type Level } from '../contract/action.ts';
import type { FileMode } from '../contract/mode.ts';
import { type Action, isWriting } from './action.ts';

/** How much an action could hurt, and why. */
export interface Classification {
  readonly level: Level;
  readonly reason: string;
}

/** The operator's own judgement: may raise a level, never lower it. Asked for writes, edits and runs only. */
export type Classifier = (action: Action, level: Level) => Level | Promise<Level>;

/** The level of an action by the built-in rules alone. */
export function classify(action: Action, mode: FileMode): Classification {
  if (action.name === 'run') return classifyRun(mode);
  const spellings = [action.path.toLowerCase()];
  if (action.writtenAs !== undefined) spellings.push(action.writtenAs.toLowerCase());
  const isTreeWrite = mode === 'staged' && action.name !== 'writeback' && isWriting(action);
  if (isTreeWrite) return { level: 'safe', reason: 'it changes the private copy of a staged run' };
  if (spellings.some(isCredential)) return { level: 'dangerous', reason: 'the path is one where credentials are kept' };
  if (!isWriting(action)) return { level: 'safe', reason: 'it reads an ordinary file' };
  if (spellings.some(isGitInternal)) {
    return { level: 'dangerous', reason: 'git runs what its directory says at the next git command' };
  }
  return { level: 'moderate', reason: 'it changes a file' };
}

/** The level after the operator's classifier had its say; one that fails counts as `moderate`. */
export async function classifyWith(
  action: Action,
  base: Classification,
  classifier: Classifier | undefined,
): Promise<Classification> {
  if (classifier === undefined || action.name === 'file_read') return base;
  const said = await askClassifier(classifier, action, base.level);
  const level = higherLevel(base.level, said.level);
  return level === base.level ? base : { level, reason: said.reason };
}

async function askClassifier(classifier: Classifier, action: Action, level: Level): Promise<Classification> {
  try {
    const said = await classifier(action, level);
    if (said === 'safe' || said === 'moderate' || said === 'dangerous') {
      return { level: said, reason: 'the classifier raised it' };
    }
  } catch {
    // A classifier that throws has said nothing, as one that answers nonsense.
  }
  return { level: 'moderate', reason: 'the classifier failed' };
}

function classifyRun(mode: FileMode): Classification {
  if (mode === 'unsafe') return { level: 'moderate', reason: 'its files are the sandbox root, live' };
  return { level: 'safe', reason: mode === 'safe' ? 'it has no files' : 'its files are a private copy' };
}

// Compared in lower case: some file systems do not tell `.ENV` from `.env`, and a level raised in vain costs a question.
const credentialDirectories = new Set(['.ssh', '.gnupg', '.azure', '.password-store']);
const credentialNames = new Set([
  '.netrc',
  '_netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.htpasswd',
  '.git-credentials',
  '.vault-token',
  '.env',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  'id_ecdsa_sk',
  'id_ed25519_sk',
]);
const credentialEnds = [
  '.aws/credentials',
  '.docker/config.json',
  '.kube/config',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.config/gh/hosts.yml',
  '.config/gcloud/application_default_credentials.json',
  '.config/gcloud/credentials.db',
];
const keyFile = /\.(?:pem|key|p12|pfx|ppk|jks|keystore)$/;
// `.env.example` and its like hold names, not values, and are kept in public.
const environmentFile = /^\.env\.(?!(?:example|sample|template|dist)$)/;

function isCredential(path: string): boolean {
  const segments = path.split('/');
  const name = segments.at(-1) ?? '';
  return (
    segments.slice(0, -1).some((segment) => credentialDirectories.has(segment)) ||
    credentialNames.has(name) ||
    environmentFile.test(name) ||
    keyFile.test(name) ||
    credentialEnds.some((end) => path === end || path.endsWith(`/${end}`))
  );
}

// `.git` may also be a file that names another directory; hooks and config act from there as well.
function isGitInternal(path: string): boolean {
  return path.split('/').includes('.git');
}
