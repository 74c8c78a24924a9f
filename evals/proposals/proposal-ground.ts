import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startModelServer } from '../../robot/support/model-server.ts';
import { createRuntime, isPortholeError } from '../../src/index.ts';
import type { ProposalCase } from './proposal-case.ts';

/** What a case came to. */
export interface Ended {
  readonly classification: string;
  readonly refusals: readonly string[];
  /** Code of what stopped it; empty where nothing did. */
  readonly error: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Runs cases from the question to the bytes: a provider is asked, and what it says is applied. */
export interface ProposalGround extends AsyncDisposable {
  readonly run: (one: ProposalCase) => Promise<Ended>;
}

/** A provider of a policy, as it is written there. */
export interface EvalProvider {
  readonly kind: 'anthropic' | 'openai';
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKeyEnv?: string;
}

/** A provider that answers by a script, over the protocol and a real connection. */
export async function createScriptedGround(
  kind: EvalProvider['kind'],
  answer: (one: ProposalCase) => object,
): Promise<ProposalGround> {
  let current: object = {};
  const server = await startModelServer({ steps: () => ({ answer: current }) });
  const provider = { kind, baseUrl: server.url, model: 'script' };
  return {
    run: (one) => {
      current = answer(one);
      return runOne(one, provider);
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** A provider that somebody configured. */
export function createRealGround(provider: EvalProvider): ProposalGround {
  return { run: (one) => runOne(one, provider), [Symbol.asyncDispose]: () => Promise.resolve() };
}

async function runOne(one: ProposalCase, provider: EvalProvider): Promise<Ended> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-eval-')));
  try {
    for (const [path, text] of Object.entries(one.files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const said = await askAndApply(root, one, provider);
    const read = Object.keys(one.files).map((path) => [path, readFileSync(join(root, path), 'utf8')]);
    return { ...said, files: Object.fromEntries(read) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function askAndApply(root: string, one: ProposalCase, desk: EvalProvider): Promise<Omit<Ended, 'files'>> {
  const { goal, allow = ['**'], scope } = one;
  const permissions = { allow: ['apply(**)'] };
  const policy = { porthole: 1, mode: 'unsafe', permissions, providers: { desk } } as const;
  await using runtime = await createRuntime({ root, mode: 'unsafe', policy });
  const limits = { allow, evidence: [{ name: 'evidence.txt', text: one.evidence }], ...(scope && { scope }) };
  try {
    const asked = await runtime.propose({ ...limits, goal, provider: 'desk' });
    const { verdict, rejected } = await runtime.apply({ ...limits, proposal: asked.verdict });
    const refusals = (rejected.length > 0 ? rejected : asked.rejected).map(({ message }) => message);
    return { classification: verdict.classification, refusals, error: '' };
  } catch (error) {
    if (!isPortholeError(error)) throw error;
    return { classification: 'none', refusals: [], error: `${error.code} ${error.message}` };
  }
}
