import { describe, expect, it } from 'vitest';
import { parseGlob } from '../text/glob.ts';
import { createPathRules, type PathRuleOptions } from './path-rules.ts';

describe('createPathRules()', () => {
  it.each([
    ['.github/workflows/ci.yaml', '.github/**'],
    ['sub/.github/workflows/ci.yaml', '.github/**'],
    ['.GitHub/workflows/ci.yaml', '.github/**'],
    ['.gitlab-ci.yml', '.gitlab-ci.yml'],
    ['.gitlab/x.yml', '.gitlab/**'],
    ['.circleci/config.yml', '.circleci/**'],
    ['azure-pipelines-release.yml', 'azure-pipelines*.yml'],
    ['Jenkinsfile.prod', 'Jenkinsfile*'],
    ['.buildkite/a.yml', '.buildkite/**'],
    ['.drone.yml', '.drone.yml'],
    ['bitbucket-pipelines.yml', 'bitbucket-pipelines.yml'],
    ['.woodpecker/a.yml', '.woodpecker/**'],
    ['.forgejo/a.yml', '.forgejo/**'],
    ['.gitea/a.yml', '.gitea/**'],
    ['azure-pipelines.yaml', 'azure-pipelines*.yaml'],
    ['.woodpecker.yml', '.woodpecker.yml'],
    ['.woodpecker.yaml', '.woodpecker.yaml'],
    ['.semaphore/semaphore.yml', '.semaphore/**'],
    ['.travis.yml', '.travis.yml'],
    ['.cirrus.yml', '.cirrus.yml'],
    ['.appveyor.yml', '.appveyor.yml'],
    ['appveyor.yml', 'appveyor.yml'],
    ['app/npm-shrinkwrap.json', 'npm-shrinkwrap.json'],
    ['app/package-lock.json', 'package-lock.json'],
    ['pnpm-lock.yaml', 'pnpm-lock.yaml'],
    ['yarn.lock', 'yarn.lock'],
    ['cargo.lock', 'Cargo.lock'],
    ['go.sum', 'go.sum'],
    ['poetry.lock', 'poetry.lock'],
    ['uv.lock', 'uv.lock'],
    ['composer.lock', 'composer.lock'],
    ['Gemfile.lock', 'Gemfile.lock'],
    ['./.github//a.yaml', '.github/**'],
    ['/root/.github/a.yaml', '.github/**'],
  ])('denies %s whatever the operator allows', (path, glob) => {
    const allowed = { allow: ['**'], scope: [path] };
    expect(messageOf(path, allowed)).toBe(`path is denied (${glob})`);
  });

  it('denies what the operator denies, and Porthole’s own files, before it looks at anything else', () => {
    const options = { allow: ['a/**'], deny: ['a/secret.*'], scope: ['a/x.yaml'] };
    const protectedFiles = [{ glob: parseGlob('a/porthole.yaml'), belongsTo: 'the policy file' }];
    expect(messageOf('a/secret.yaml', options)).toBe('path is denied (a/secret.*)');
    expect(messageOf('a/porthole.yaml', { ...options, protectedFiles })).toBe('path is denied (the policy file)');
  });

  it('asks for the scope, then for the allowlist', () => {
    const options = { allow: ['a/*.yaml'], scope: ['./a/x.yaml', 'b/x.yaml'] };
    expect(messageOf('a/x.yaml', options)).toBe('a/x.yaml');
    expect(messageOf('c/x.yaml', options)).toBe('path is outside this change');
    expect(messageOf('b/x.yaml', options)).toBe('path is not in the allowlist');
    expect(messageOf('anything', { allow: ['**'], scope: [] })).toBe('path is outside this change');
  });

  it('gives a path in one spelling', () => {
    expect(messageOf('.//a/./x.yaml', { allow: ['a/x.yaml'] })).toBe('a/x.yaml');
    expect(messageOf('/root/a/x.yaml', { allow: ['a/x.yaml'] })).toBe('a/x.yaml');
  });

  it.each(['', '.', 'a/', 'a/.', '../a', 'a/../../b', '/etc/passwd', '~/a', 'a\0b'])(
    'refuses %j, which breaks the path rules',
    (path) => {
      expect(messageOf(path, { allow: ['**'] })).toMatch(/^Cannot edit /);
    },
  );

  it('names a few patterns of many', () => {
    const allow = Array.from({ length: 12 }, (_, index) => `dir${index}/*`);
    expect(createPathRules({ root, allow })('x')).toMatchObject({
      hint: expect.stringMatching(/: dir0\/\*, .*dir9\/\*, …\.$/),
    });
  });

  it('does not start without an allowlist, or with a pattern that cannot match', () => {
    expect(() => createPathRules({ root, allow: [] })).toThrow('Cannot apply a proposal: the allowlist is empty');
    expect(() => createPathRules({ root, allow: ['../**'] })).toThrow();
  });
});

const root = { spellings: ['/root'] };

function messageOf(path: string, options: Omit<PathRuleOptions, 'root'>): string {
  const judged = createPathRules({ root, ...options })(path);
  return judged.kind === 'allowed' ? judged.path : judged.message;
}
