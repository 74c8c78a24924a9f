import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PortholeError } from '../contract/errors.ts';
import { findPolicyFile } from './find-policy.ts';
import { loadPolicyFile } from './policy-file.ts';
import type { DocumentProblem } from './strict-document.ts';

let directory: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-policy-')));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const name = 'porthole.policy.yaml';

function load(text: string | Uint8Array, file = name) {
  writeFileSync(join(directory, file), text);
  return loadPolicyFile(file, directory);
}

// The problems of a policy that does not load, each as `line:column message`.
function problemsOf(text: string | Uint8Array, file = name): string[] {
  try {
    load(text, file);
  } catch (error) {
    if (!(error instanceof PortholeError) || error.code !== 'POLICY_INVALID') throw error;
    const problems = error.details['problems'] as readonly DocumentProblem[] | undefined; // put there by policyError()
    return (
      problems?.map(({ line, column, message, hint }) => `${line}:${column} ${message}${hint ? ` | ${hint}` : ''}`) ?? [
        error.message,
      ]
    );
  }
  return [];
}

const example = `porthole: 1
mode: unsafe
root: ./workspace
tools: [file_read, edit_file]
writablePaths: []
protectedPaths: [".git/**"]
permissions:
  deny:  ["write(**/*.lock)"]
  ask:   ["edit_file(src/**)"]
  allow: ["read(**)", "edit_file(docs/**)"]
approval: { threshold: moderate, timeoutMs: 600000 }
limits:   { timeMs: 10000, memoryBytes: 67108864 }
files:    { createDirectories: false, hardLinks: refuse, maxReadBytes: 16777216, maxWriteBytes: 16777216, requireRaceFree: true }
audit:    { path: ./porthole-audit.jsonl, enabled: true, content: false, fsync: false }
providers: {}
`;

describe('loadPolicyFile()', () => {
  it('loads a whole policy, paths relative to its file', () => {
    const loaded = load(example);
    expect(loaded).toMatchObject({
      file: name,
      root: join(directory, 'workspace'),
      auditPath: join(directory, 'porthole-audit.jsonl'),
      settings: { tools: ['file_read', 'edit_file'], limits: { timeMs: 10000 }, files: { requireRaceFree: true } },
      policy: { file: name, ceiling: 'unsafe', threshold: 'moderate', digest: expect.stringMatching(/^sha256:/) },
    });
    expect(loaded.policy.rules.deny).toMatchObject([{ text: 'write(**/*.lock)', line: 8, column: 11 }]);
    expect(loaded.policy.rules.allow).toMatchObject([
      { line: 10, column: 11 },
      { line: 10, column: 23 },
    ]);
    expect(loaded.policy.protectedPaths.map(({ glob }) => glob.source)).toEqual(['.git/**']);
  });

  it('names problems in the order of the file, wherever they were found', () => {
    const rules = 'permissions:\n  allow: ["read(../b)", "read(../a)"]\n  deny: ["edit(a)"]\n';
    const late = problemsOf(`porthole: 1\n${rules}protectedPaths: ["/x"]\nwritablePaths: [gone]\n`);
    expect(late.map((problem) => problem.split(' ')[0])).toEqual(['3:11', '3:25', '4:10', '5:18', '6:17']);
    expect(problemsOf('porthole: 1\nlimits: { timeMs: x }\nmode: 1\nnope: 1\n')[0]).toMatch(/^2:19 /);
  });

  it('fills in what a short one leaves out', () => {
    expect(load('porthole: 1\n')).toMatchObject({
      root: undefined,
      auditPath: undefined,
      writablePaths: [],
      settings: {
        mode: 'safe',
        approval: { threshold: 'moderate', timeoutMs: 600_000 },
        files: { createDirectories: false, hardLinks: 'refuse', maxReadBytes: 16_777_216, requireRaceFree: false },
        audit: { enabled: true, content: false, fsync: false },
        limits: {},
        providers: {},
      },
    });
  });

  it('loads JSON, and takes nothing for JSON that is not', () => {
    expect(load('{"porthole": 1, "mode": "staged"}', 'p.json').policy.ceiling).toBe('staged');
    expect(problemsOf('{"porthole": 1, // no\n "mode": "staged"}', 'p.json')).toHaveLength(1);
    expect(problemsOf('porthole: 1', 'p.json')).not.toEqual([]);
    expect(problemsOf('porthole: 1')).toEqual([]);
    expect(problemsOf('{"porthole": 1,}', 'p.json')[0]).toContain('it is not JSON');
  });

  it('tells once the file is another one', () => {
    const loaded = load(example);
    expect(loaded.digestNow()).toBe(loaded.policy.digest);
    writeFileSync(join(directory, name), `${example}# more\n`);
    expect(loaded.digestNow()).not.toBe(loaded.policy.digest);
    rmSync(join(directory, name));
    expect(loaded.digestNow()).toBe('gone');
  });

  it.each<[string, string, string]>([
    ['an unknown key', 'porthole: 1\nmdoe: safe\n', '2:1 there is no key "mdoe" | Did you mean "mode"?'],
    [
      'an unknown key within',
      'porthole: 1\nfiles:\n  hardlink: split\n',
      '3:3 there is no key "hardlink" in files | Did you mean "hardLinks"?',
    ],
    [
      'an unknown limit',
      'porthole: 1\nlimits: { timeoutMs: 5 }\n',
      '2:11 there is no key "timeoutMs" in limits | Did you mean "timeMs"?',
    ],
    ['a doubled key', 'porthole: 1\nmode: safe\nmode: unsafe\n', '3:1 the key stands there twice'],
    ['another version', 'porthole: 2\n', '1:11 porthole: expected 1'],
    ['no version', 'mode: safe\n', '1:1 porthole: expected 1'],
    ['an unknown mode', 'porthole: 1\nmode: root\n', '2:7 mode: expected "safe", "staged", "unsafe"'],
    ['a limit out of range', 'porthole: 1\nlimits:\n  timeMs: 0\n', '3:11 limits.timeMs: expected at least 1'],
    [
      'a number as text',
      'porthole: 1\napproval: { timeoutMs: "5" }\n',
      '2:24 approval.timeoutMs: expected a whole number',
    ],
    ['a list as text', 'porthole: 1\npermissions: { deny: x }\n', '2:22 permissions.deny: expected a list'],
    ['a flag as text', 'porthole: 1\naudit: { enabled: no }\n', '2:19 audit.enabled: expected true or false'],
    ['a mapping as list', 'porthole: 1\naudit: []\n', '2:8 audit: expected a mapping of keys to values'],
    [
      'an unknown tool',
      'porthole: 1\ntools: [shell]\n',
      '2:9 tools.0: expected "file_read", "file_write", "edit_file"',
    ],
    ['a list', '- porthole\n', '1:1 the policy: expected a mapping of keys to values'],
    ['nothing', '', '1:1 the policy: expected a mapping of keys to values'],
    [
      'an anchor',
      'porthole: 1\nroot: &x ./a\n',
      '2:10 anchors are not part of a policy | Write the value out where it is used.',
    ],
    ['a tag', 'porthole: 1\nroot: !secret a\n', '2:7 unresolved tag: !secret'],
    [
      'a protected path that nothing fits',
      'porthole: 1\nprotectedPaths: ["../x"]\n',
      '2:18 cannot use pattern "../x": it leads above the root | Name files from the root downwards.',
    ],
    [
      'a writable path that is not there',
      'porthole: 1\nwritablePaths: ["./no"]\n',
      '2:17 cannot use directory "./no": there is no such directory',
    ],
  ])('refuses %s, naming line and column', (_what, text, problem) => {
    expect(problemsOf(text).some((found) => found.startsWith(problem))).toBe(true);
  });

  it('refuses an alias that makes a line mean what stands elsewhere', () => {
    expect(problemsOf('porthole: 1\ntools: &t [file_read]\nwritablePaths: *t\n').join('\n')).toContain('aliases');
  });

  it('refuses a merge key, which is no key it knows', () => {
    expect(problemsOf('porthole: 1\naudit:\n  <<: { enabled: false }\n')).toEqual([
      '3:3 there is no key "<<" in audit | The keys are path, enabled, content, fsync.',
    ]);
  });

  it('refuses several documents in one file', () => {
    expect(problemsOf('porthole: 1\n---\nporthole: 1\n')).toHaveLength(1);
  });

  it('names every rule that can never match, not only the first', () => {
    const text = `porthole: 1\npermissions:\n  deny:\n    - wirte(**)\n    - read(../x)\n  allow: ["read(**)", "run(src/**)"]\n`;
    expect(problemsOf(text).map((problem) => problem.split(' | ')[0])).toEqual([
      '4:7 cannot use rule "wirte(**)": there is no action "wirte"',
      '5:7 cannot use rule "read(../x)": its pattern can never match: it leads above the root',
      '6:23 cannot use rule "run(src/**)": no program has such a digest',
    ]);
  });

  it('says file, line and column in its message', () => {
    expect(() => load('porthole: 1\nmdoe: safe\n')).toThrow(
      'Cannot use policy porthole.policy.yaml:2:1: there is no key "mdoe"',
    );
  });

  it('stops everything when the file cannot be read', () => {
    expect(() => loadPolicyFile(join(directory, 'none.yaml'), directory)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^Cannot read policy .*: there is no such file$/),
        hint: 'Name a policy file: YAML, or JSON where the name ends in .json.',
      }),
    );
    expect(() => loadPolicyFile('none.yaml', directory)).toThrow(expect.objectContaining({ code: 'POLICY_INVALID' }));
    expect(() => loadPolicyFile('.', directory)).toThrow(expect.objectContaining({ code: 'POLICY_INVALID' }));
    expect(problemsOf(new Uint8Array([0xff, 0xfe]))).toEqual([`Cannot read policy ${name}: it is not UTF-8`]);
  });

  it('gives writable paths as what they really are', () => {
    mkdirSync(join(directory, 'real'));
    symlinkSync('real', join(directory, 'link'));
    writeFileSync(join(directory, 'file'), '');
    expect(load('porthole: 1\nwritablePaths: [./link]\n').writablePaths).toEqual([join(directory, 'real')]);
    expect(problemsOf('porthole: 1\nwritablePaths: [./file]\n')[0]).toContain('there is no such directory');
  });

  it('reads providers, and no key of theirs in the file itself', () => {
    const provider = 'kind: openai, baseUrl: "http://127.0.0.1:1234/v1", model: m';
    expect(load(`porthole: 1\nproviders: { local: { ${provider} } }\n`).settings.providers['local']?.model).toBe('m');
    expect(problemsOf(`porthole: 1\nproviders: { local: { ${provider}, apiKey: x } }\n`)[0]).toContain(
      'there is no key "apiKey" in providers.local | The keys are kind, baseUrl, model, apiKeyEnv',
    );
  });
});

describe('findPolicyFile()', () => {
  it('finds the first of the names, and a link that leads nowhere as well', () => {
    expect(findPolicyFile(directory)).toBeUndefined();
    writeFileSync(join(directory, 'porthole.policy.json'), '{}');
    expect(findPolicyFile(directory)).toBe(join(directory, 'porthole.policy.json'));
    symlinkSync('nowhere', join(directory, 'porthole.policy.yml'));
    expect(findPolicyFile(directory)).toBe(join(directory, 'porthole.policy.yml'));
    writeFileSync(join(directory, name), '');
    expect(findPolicyFile(directory)).toBe(join(directory, name));
  });
});
