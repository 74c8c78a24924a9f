import type { JudgedCaller, JudgedTarget } from '../calls/judged-target.ts';
import { isPortholeError, type PortholeError } from '../contract/errors.ts';
import { canonicalJsonOfAnyText } from '../text/canonical-json.ts';
import { planQuietly } from './apply-proposal.ts';
import { type AttemptCap, type AttemptReport, checkAttempts } from './attempts.ts';
import { createOpenFiles } from './open-files.ts';
import type { PathRules } from './path-rules.ts';
import type { AlreadyEdit, AppliedEdit, EditPlan, RejectedEdit } from './plan-edits.ts';
import { buildPrompt, type Evidence } from './prompt.ts';
import type { AnswerFormat, ModelUsage, Provider, ProviderProgress } from './providers/provider.ts';
import { readScalars } from './read-scalars.ts';
import { settleVerdict } from './settle-verdict.ts';
import { parseVerdict, type Verdict, verdictJsonSchema } from './verdict.ts';

/** What a model proposes, and what would become of it. Nothing is written. */
export interface ProposeReport {
  /** As it stands after the checks: one whose edits would all be refused escalates. */
  readonly verdict: Verdict;
  /** What applying it now would do. */
  readonly applied: readonly AppliedEdit[];
  readonly already: readonly AlreadyEdit[];
  readonly rejected: readonly RejectedEdit[];
  readonly provider: string;
  readonly model: string;
  readonly usage: ModelUsage;
  /** Files the allowlist covers that the model was not shown. */
  readonly left: readonly { readonly path: string; readonly reason: string }[];
  readonly attempts: AttemptReport;
}

/** What asking for a proposal takes. */
export interface ProposeRequest {
  readonly target: JudgedTarget;
  readonly caller: JudgedCaller;
  /** Files below the root that could be edited; those the rules do not allow are left out. */
  readonly paths: readonly string[];
  readonly rules: PathRules;
  readonly goal: string;
  readonly evidence: readonly Evidence[];
  readonly provider: Provider;
  readonly attempts: AttemptCap | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ProviderProgress) => void) | undefined;
}

// A verdict of some hundred edits.
const maxVerdictTokens = 8_192;

/**
 * Asks a model for a verdict. What would be refused is sent back to it once, with every refusal.
 * @throws PortholeError `ATTEMPTS_SPENT`, `PROVIDER_…`, `VERDICT_INVALID`, `ARGUMENT_INVALID`
 */
export async function proposeEdits(request: ProposeRequest): Promise<ProposeReport> {
  const { target, caller, rules, provider, signal, onProgress } = request;
  const attempts = await checkAttempts(request.attempts);
  const paths = request.paths.filter((path) => rules(path).kind === 'allowed');
  const { scalars, left } = await readScalars(target, caller, paths);
  const { goal, evidence } = request;
  const { system, prompt } = buildPrompt({ goal, evidence, scalars }, caller.context.digestText);
  const { value, usage } = await provider.ask({
    system,
    prompt,
    format: formatFor(request),
    maxTokens: maxVerdictTokens,
    signal,
    onProgress,
  });
  const { plan } = value;
  const verdict = settleVerdict(value.verdict, plan);
  recordProposed(request, verdict, usage);
  const { applied, already, rejected } = plan;
  return { verdict, applied, already, rejected, provider: provider.name, model: provider.model, usage, left, attempts };
}

interface CheckedVerdict {
  readonly verdict: Verdict;
  readonly plan: EditPlan;
}

function formatFor(request: ProposeRequest): AnswerFormat<CheckedVerdict> {
  return {
    name: 'verdict',
    description: 'The verdict on what has to change, with every edit of a single value.',
    schema: verdictJsonSchema(),
    parse: async (value) => {
      try {
        const verdict = parseVerdict(value);
        const plan = await preview(request, verdict);
        const objections = plan.rejected.map(({ edit, message, hint }) => `edit ${edit}: ${message}. ${hint}`);
        return { ok: true, value: { verdict, plan }, objections };
      } catch (error) {
        if (!isPortholeError(error, 'VERDICT_INVALID')) throw error;
        return { ok: false, problems: problemsOf(error) };
      }
    },
  };
}

async function preview({ target, caller, rules, evidence }: ProposeRequest, verdict: Verdict): Promise<EditPlan> {
  using files = createOpenFiles(target, caller, { isPreview: true });
  const texts = evidence.map(({ text }) => text);
  return await planQuietly({ verdict, rules, evidence: texts }, files);
}

function problemsOf(error: PortholeError): readonly string[] {
  const { problems } = error.details;
  return Array.isArray(problems) ? problems.map(String) : [error.message];
}

function recordProposed({ caller, provider }: ProposeRequest, verdict: Verdict, usage: ModelUsage): void {
  const { context, callId } = caller;
  const text = canonicalJsonOfAnyText(verdict);
  const { classification, edits } = verdict;
  const facts = { classification, edits: edits.length, digest: context.digestText(text) };
  const content = context.log.keepsContent ? { content: text.toWellFormed() } : {};
  const { name, model } = provider;
  context.log.record('proposal.received', { ...facts, provider: name, model, ...usage, ...content }, callId);
}
