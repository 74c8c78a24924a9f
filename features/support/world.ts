import { join } from 'node:path';
import { AfterAll, setWorldConstructor, World } from '@cucumber/cucumber';
import { createWorld } from '../../src/fs/testing/world.ts';
import {
  type ApprovalCallback,
  checkAgentFile,
  createRuntime,
  type FileMode,
  parseAgentFile,
  type Question,
  type RunOptions,
  type RunOutcome,
  type Runtime,
  type RuntimeOptions,
  runWorkflow,
  type ToolAnswer,
  type WorkflowOutcome,
} from '../../src/index.ts';

/** What one scenario has: a temporary folder with a root in it, what the operator chose, and what came of it last. */
export class PortholeWorld extends World {
  readonly folder = createWorld();
  mode: FileMode = 'safe';
  runtimeOptions: RuntimeOptions = { root: this.folder.root, workers: 2 };
  runOptions: Omit<RunOptions, 'source'> = {};
  outcomes: readonly RunOutcome[] = [];
  answer: ToolAnswer | undefined;
  refusal: unknown;
  /** How the last workflow ended. */
  workflow: WorkflowOutcome | undefined;
  /** What the approver was asked, in order. */
  questions: readonly Question[] = [];
  /** Whether the approver was told that its answer no longer counts. */
  isAnswerLate = false;
  /** The hash of the log's last event, as somebody noted it. */
  head: string | undefined;
  /** What a proposal may take its versions from, and what became of the last one. */
  evidence: readonly { readonly name: string; readonly text: string }[] = [];
  applied: Awaited<ReturnType<Runtime['apply']>> | undefined;
  /** How each use of a helper or tool ended, in order. */
  uses: readonly string[] = [];
  /** What the command line printed, and how it ended. */
  command = { exitCode: 0, out: '', err: '' };
  /** The same of the call before. */
  commandBefore = this.command;
  /** What the scenario changed of the process, and how to put it back. */
  readonly putBack: (() => void)[] = [];
  before: Readonly<Record<string, string>> = {};
  #runtime: Promise<Runtime> | undefined;
  #hasOwnRuntime = false;

  /** Makes the scenario about the options of its runtime. */
  useRuntime(options: RuntimeOptions): void {
    this.runtimeOptions = options;
    this.#hasOwnRuntime = true;
  }

  /** Asks this callback from now on, and keeps what it was asked. */
  useApprover(approve: ApprovalCallback): void {
    this.useRuntime({
      ...this.runtimeOptions,
      approve: (question, signal) => {
        this.questions = [...this.questions, question];
        return approve(question, signal);
      },
    });
  }

  /** Ends the runtime; the next call makes another, as a new process would. */
  async restart(options: RuntimeOptions = this.runtimeOptions): Promise<void> {
    await (await this.#runtime)?.close();
    this.#runtime = undefined;
    this.useRuntime(options);
  }

  /** The file of the audit log, for scenarios that keep one. */
  get auditLog(): string {
    return join(this.folder.base, 'audit.jsonl');
  }

  /** The runtime of this scenario, made by the first call that needs it. */
  runtime(): Promise<Runtime> {
    this.#runtime ??= createRuntime({ ...this.runtimeOptions, mode: this.mode });
    return this.#runtime;
  }

  // Programs in safe mode share one runtime, as in any host: its threads are started once.
  #runtimeForPrograms(): Promise<Runtime> {
    return this.mode === 'safe' && !this.#hasOwnRuntime ? runtimeForSafeMode() : this.runtime();
  }

  /** Runs programs at once; what was on the disk before is kept for comparison. */
  async run(sources: readonly string[], more: Partial<RunOptions> = {}): Promise<void> {
    const runtime = await this.#runtimeForPrograms();
    this.before = this.folder.snapshot();
    this.outcomes = await Promise.all(
      sources.map((source) => runtime.run({ ...this.runOptions, ...more, source: this.expand(source) })),
    );
  }

  /** `{root}`, `{outside}`, `{door}` (a link to the root), `{log}`, its noted `{head}` and `{run}` (the last), replaced. */
  expand(text: string): string {
    const [outcome] = this.outcomes.slice(-1);
    return this.folder
      .expand(text)
      .replaceAll('{door}', join(this.folder.base, 'door'))
      .replaceAll('{log}', this.auditLog)
      .replaceAll('{head}', this.head ?? '')
      .replaceAll('{run}', outcome?.runId ?? '');
  }

  /** Calls a tool with the context of the scenario. */
  async callTool(name: string, args: unknown): Promise<ToolAnswer> {
    const runtime = await this.runtime();
    this.before = this.folder.snapshot();
    const { context } = this.runOptions;
    this.answer = await runtime.callTool(name, args, context === undefined ? {} : { context });
    return this.answer;
  }

  /** Runs an agent file with the input and context of the scenario. */
  async runAgentFile(text: string): Promise<void> {
    const runtime = await this.runtime();
    const { input, context } = this.runOptions;
    const given = context === undefined ? { input } : { input, context };
    this.workflow = await runWorkflow(runtime, await parseAgentFile(text), given);
  }

  /** Reads an agent file and compiles what is in it; keeps the refusal. */
  async checkAgentFile(text: string): Promise<void> {
    const runtime = await this.#runtimeForPrograms();
    try {
      await checkAgentFile(runtime, await parseAgentFile(text));
      this.refusal = undefined;
    } catch (error) {
      this.refusal = error;
    }
  }

  /** The outcome of the last run. */
  get outcome(): RunOutcome {
    const [outcome] = this.outcomes.slice(-1);
    if (outcome === undefined) throw new Error('no program has run in this scenario');
    return outcome;
  }

  /** What the last program returned; fails with the whole outcome if it did not get that far. */
  get value(): unknown {
    const { outcome } = this;
    if (outcome.status === 'completed') return outcome.value;
    throw new Error(`the run did not complete: ${showOutcome(outcome)}`);
  }

  /** Ends every thread and removes the folder. */
  async dispose(): Promise<void> {
    if (this.#runtime !== undefined) await (await this.#runtime.catch(() => undefined))?.close();
    for (const step of this.putBack) step();
    await this.folder[Symbol.asyncDispose]();
  }
}

setWorldConstructor(PortholeWorld);

// It has a root all the same: that its programs have no helper is the mode's doing.
const sharedFolder = createWorld();
let shared: Promise<Runtime> | undefined;

function runtimeForSafeMode(): Promise<Runtime> {
  shared ??= createRuntime({ root: sharedFolder.root, workers: 2 });
  return shared;
}

AfterAll(async () => {
  await (await shared)?.close();
  await sharedFolder[Symbol.asyncDispose]();
});

/** An outcome as the message of a failed step. */
export function showOutcome(outcome: RunOutcome): string {
  return JSON.stringify(outcome, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}
