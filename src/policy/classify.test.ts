import { describe, expect, it } from 'vitest';
import type { ActionName, Level } from '../contract/action.ts';
import type { FileMode } from '../contract/mode.ts';
import { type Classifier, classify, classifyWith } from './classify.ts';

const level = (name: ActionName, path: string, mode: FileMode = 'unsafe') => classify({ name, path }, mode).level;

describe('classify()', () => {
  it.each<[ActionName, string, Level]>([
    ['file_read', 'docs/a.md', 'safe'],
    ['file_write', 'docs/a.md', 'moderate'],
    ['edit_file', 'docs/a.md', 'moderate'],
    ['apply', 'docs/a.md', 'moderate'],
    ['writeback', 'docs/a.md', 'moderate'],
    ['file_read', '.git/config', 'safe'],
    ['file_write', '.git/hooks/pre-commit', 'dangerous'],
    ['edit_file', 'sub/.git/config', 'dangerous'],
    ['file_write', '.git', 'dangerous'],
    ['file_write', '.GIT/config', 'dangerous'],
    ['file_write', '.github/a', 'moderate'],
    ['file_write', '.gitignore', 'moderate'],
  ])('%s %s is %s', (name, path, expected) => {
    expect(level(name, path)).toBe(expected);
  });

  it.each([
    '.ssh/config',
    'home/.ssh/known_hosts',
    '.aws/credentials',
    '.netrc',
    'a/.env',
    '.env.local',
    '.ENV',
    'id_ed25519',
    'certs/server.key',
    'certs/server.pem',
    'a.p12',
    '.git-credentials',
    '.kube/config',
    '.config/gh/hosts.yml',
    '.cargo/credentials.toml',
  ])('%s is dangerous, read or written', (path) => {
    expect(level('file_read', path)).toBe('dangerous');
    expect(level('file_write', path)).toBe('dangerous');
  });

  it.each(['.sshx/a', '.env.example', 'env', 'id_rsa.pub', 'aws/credentials', 'key', 'environment.env.md', '.ssh'])(
    '%s is an ordinary file',
    (path) => {
      expect(level('file_read', path)).toBe('safe');
    },
  );

  it('sees a credential behind either spelling of a linked path', () => {
    expect(classify({ name: 'file_read', path: '.env', writtenAs: 'notes.txt' }, 'safe').level).toBe('dangerous');
    expect(classify({ name: 'file_read', path: 'notes.txt', writtenAs: '.env' }, 'safe').level).toBe('dangerous');
  });

  it('rates a run by its mode', () => {
    expect(level('run', 'sha256:0', 'safe')).toBe('safe');
    expect(level('run', 'sha256:0', 'staged')).toBe('safe');
    expect(level('run', 'sha256:0', 'unsafe')).toBe('moderate');
  });

  it('rates writes on the private copy of a staged run as safe, and their write-back as what it is', () => {
    expect(level('file_write', '.git/config', 'staged')).toBe('safe');
    expect(level('file_read', '.env', 'staged')).toBe('dangerous');
    expect(level('writeback', '.git/config', 'staged')).toBe('dangerous');
    expect(level('writeback', 'a', 'staged')).toBe('moderate');
  });
});

describe('classifyWith()', () => {
  const write = { name: 'file_write', path: 'a' } as const;
  const rated = (classifier: Classifier | undefined, base: Level = 'moderate') =>
    classifyWith(write, { level: base, reason: 'built in' }, classifier);

  it('keeps the built-in level without a classifier', async () => {
    expect(await rated(undefined)).toEqual({ level: 'moderate', reason: 'built in' });
  });

  it('lets a classifier raise a level and never lower it', async () => {
    expect((await rated(() => 'dangerous')).level).toBe('dangerous');
    expect((await rated(() => 'safe')).level).toBe('moderate');
    expect((await rated(() => Promise.resolve('moderate'), 'dangerous')).level).toBe('dangerous');
  });

  it.each<[string, Classifier]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['answers nonsense', () => 'harmless' as Level], // what a caller without types may do
  ])('counts one that %s as moderate', async (_name, classifier) => {
    expect(await rated(classifier, 'safe')).toEqual({ level: 'moderate', reason: 'the classifier failed' });
  });

  it('never asks about a read', async () => {
    let asked = 0;
    const classifier: Classifier = () => {
      asked++;
      return 'dangerous';
    };
    const base = { level: 'safe', reason: 'r' } as const;
    expect(await classifyWith({ name: 'file_read', path: 'a' }, base, classifier)).toBe(base);
    await classifyWith({ name: 'run', path: 'sha256:0' }, base, classifier);
    expect(asked).toBe(1);
  });
});
