import { recordStart } from '../calls/judged-run.ts';
import type { JudgedCaller } from '../calls/judged-target.ts';
import { isPortholeError, PortholeError } from '../contract/errors.ts';
import type { Receipt } from '../contract/receipt.ts';
import { type ApplyReport, applyProposal } from '../proposals/apply-proposal.ts';
import { type ProposeReport, proposeEdits } from '../proposals/propose-edits.ts';
import { createProvider } from '../proposals/providers/create-provider.ts';
import type { Provider } from '../proposals/providers/provider.ts';
import { parseVerdict } from '../proposals/verdict.ts';
import type { Glob } from '../text/glob.ts';
import { nearestName } from '../text/nearest-name.ts';
import type { OpenedTarget } from './open-target.ts';
import { readAs, refuseValue } from './option-checks.ts';
import { aSwitch, aText, parseProposalLimits, readProposalOptions } from './proposal-options.ts';
import { providerPowers } from './provider-powers.ts';
import type { Wiring } from './wiring.ts';

/** What became of a proposal, with the receipt of what was done about it. */
export interface ApplyAnswer extends ApplyReport {
  readonly receipt: Receipt;
}

/** What a model proposes, with the receipt of asking it. */
export interface ProposeAnswer extends ProposeReport {
  readonly receipt: Receipt;
}

/** Applies a verdict: a run of its own to gate and log. */
export async function applyInRuntime(given: unknown, wiring: Wiring): Promise<ApplyAnswer> {
  const what = 'apply()';
  const options = readProposalOptions(what, given, ['proposal', 'dryRun']);
  const dryRun = readAs(what, options, 'dryRun', aSwitch) ?? false;
  const { allow, rules, evidence, attempts, signal } = await parseProposalLimits(what, options, wiring);
  return await inProposalRun('apply', { wiring, allow, signal }, (parts) => {
    const verdict = parseVerdict(options['proposal']);
    const texts = evidence.map(({ text }) => text);
    return applyProposal({ ...parts, verdict, rules, evidence: texts, attempts, dryRun });
  });
}

/** Asks a model for a verdict: a run of its own to gate and log, which writes nothing. */
export async function proposeInRuntime(given: unknown, wiring: Wiring): Promise<ProposeAnswer> {
  const what = 'propose()';
  const options = readProposalOptions(what, given, ['goal', 'provider', 'onProgress']);
  const goal = readAs(what, options, 'goal', aText);
  if (goal === undefined) throw refuseValue(what, 'goal', undefined, aText.expected);
  const onProgress = readAs(what, options, 'onProgress', aListener);
  const { rules, evidence, attempts, signal } = await parseProposalLimits(what, options, wiring);
  const provider = findProvider(readAs(what, options, 'provider', aText), wiring);
  return await inProposalRun('propose', { wiring, allow: [], signal }, (parts, { root }) => {
    const paths = root.findFiles({ accepts: isData, enters: (name) => !passedOver.has(name) });
    return proposeEdits({ ...parts, paths, rules, goal, evidence, provider, attempts, signal, onProgress });
  });
}

/** A provider of the policy, by its name. @throws PortholeError `ARGUMENT_INVALID`, `PROVIDER_AUTH`, `POLICY_INVALID` */
export function findProvider(name: string | undefined, { settings }: Wiring): Provider {
  const known = settings.loaded?.settings.providers ?? {};
  const config = name !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
  if (name !== undefined && config !== undefined) return createProvider(name, config, providerPowers);
  const names = Object.keys(known);
  const nearest = name === undefined ? undefined : nearestName(name, names);
  const list =
    names.length === 0 ? 'The policy has none: describe one there, under providers.' : `There are ${names.join(', ')}.`;
  throw new PortholeError(
    'ARGUMENT_INVALID',
    name === undefined
      ? 'Cannot ask a model: no provider was named'
      : `Cannot ask ${JSON.stringify(name)}: there is no such provider`,
    { hint: nearest === undefined ? list : `Did you mean ${nearest}?` },
  );
}

/** What a proposal's run is opened with. */
export interface ProposalRun {
  readonly wiring: Wiring;
  /** What the operator said yes to. */
  readonly allow: readonly Glob[];
  readonly signal: AbortSignal | undefined;
}

/** What the work of a proposal's run is given. */
export interface ProposalParts {
  readonly target: OpenedTarget['forTools'];
  readonly caller: JudgedCaller;
}

/** Opens a run, lets it work, and gives what it answers with the receipt. */
export async function inProposalRun<Report extends object>(
  name: string,
  { wiring, allow, signal }: ProposalRun,
  work: (parts: ProposalParts, target: OpenedTarget) => Promise<Report>,
): Promise<Report & { readonly receipt: Receipt }> {
  const { judging, powers, target } = wiring;
  if (target === undefined) throw new PortholeError('ROOT_INVALID', `Cannot ${name}: the runtime has no root`);
  const { log, context, end } = judging.openRun({
    id: powers.newId(),
    context: {},
    signal,
    proposal: { allow },
    asksOnce: true,
  });
  try {
    recordStart(context, {
      mode: 'unsafe',
      limits: {},
      root: target.root.rootPath,
      policyDigest: judging.policy.digest,
    });
    const report = await work({ target: target.forTools, caller: { name, callId: '1', context } }, target);
    const isRejected = 'outcome' in report && report.outcome === 'rejected';
    log.recordAfter('run.end', isRejected ? { status: 'failed', code: 'PROPOSAL_REJECTED' } : { status: 'completed' });
    return { ...report, receipt: log.receipt() };
  } catch (error) {
    log.recordAfter('run.end', isPortholeError(error) ? { status: 'failed', code: error.code } : { status: 'aborted' });
    throw error;
  } finally {
    end();
  }
}

/** A function that hears of progress. */
export const aListener = {
  accepts: (value: unknown): value is (progress: unknown) => void => typeof value === 'function',
  expected: 'a function',
};

// What a package manager or git keeps is nobody's configuration.
const passedOver: ReadonlySet<string> = new Set(['.git', 'node_modules']);

function isData(path: string): boolean {
  return /\.(?:ya?ml|jsonc?|toml)$/i.test(path);
}
