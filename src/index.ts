export { type ActionName, actionNames, type GrantScope, grantScopes, type Level, levels } from './contract/action.ts';
export type { Change, ContentFacts } from './contract/change-set.ts';
export {
  type CodeFacts,
  type ErrorCode,
  type ErrorDetails,
  errorCodes,
  type GuestErrorName,
  isPortholeError,
  PortholeError,
} from './contract/errors.ts';
export {
  defaultLimits,
  type LimitFacts,
  type LimitName,
  type Limits,
  limitNames,
  limitTable,
} from './contract/limits.ts';
export {
  type FileMode,
  fileModes,
  type HelperName,
  helperNames,
  helpersByMode,
} from './contract/mode.ts';
export type {
  ConsoleLevel,
  ConsoleLine,
  ConsoleOutput,
  Effect,
  ErrorCause,
  OutcomeFacts,
  ProgramEnd,
  ProgramError,
  ReportedLimit,
  RunOutcome,
  Usage,
  Warning,
} from './contract/outcome.ts';
export { reportedLimits } from './contract/outcome.ts';
export type { Powers } from './contract/powers.ts';
export type {
  Receipt,
  ReceiptApproval,
  ReceiptFile,
  ReceiptList,
  ReceiptProposal,
  ReceiptRead,
  ReceiptRefusal,
  ReceiptTool,
} from './contract/receipt.ts';
export type { StagedCopy, StagedOptions } from './contract/staged-options.ts';
export type { WriteBackEnd, WriteBackFile, WriteBackReport, WriteBackSkip } from './contract/write-back.ts';
export type { Containment } from './fs/disk-root.ts';
export type { Action } from './policy/action.ts';
export type { ApprovalCallback, Question, QuestionFile } from './policy/approver.ts';
export type { Classifier } from './policy/classify.ts';
export type { PolicyInput } from './policy/policy-schema.ts';
export type { ApplyReport } from './proposals/apply-proposal.ts';
export type { AttemptReport, AttemptStore } from './proposals/attempts.ts';
export type { FileDiff } from './proposals/land-set.ts';
export type { MigratedDocument, MigrateReport } from './proposals/migrate-files.ts';
export type { LostValue, RespelledValue } from './proposals/migration/document-checks.ts';
export type { DocumentOperation } from './proposals/migration/document-work.ts';
export type { AlreadyEdit, AppliedEdit, RejectedEdit, ScalarForms } from './proposals/plan-edits.ts';
export type { Evidence } from './proposals/prompt.ts';
export type { ProposeReport } from './proposals/propose-edits.ts';
export type { ModelUsage, ProviderProgress } from './proposals/providers/provider.ts';
export type { ScalarEdit, Verdict } from './proposals/verdict.ts';
export { createRuntime } from './runtime/create-runtime.ts';
export { listTools } from './runtime/list-tools.ts';
export type { MigrateAnswer } from './runtime/migrate.ts';
export type { ApplyOptions, MigrateOptions, ProposalLimits, ProposeOptions } from './runtime/proposal-options.ts';
export type { ApplyAnswer, ProposeAnswer } from './runtime/proposals.ts';
export type { RunOptions, SharedRunOptions, ToolCallOptions, WriteBackOptions } from './runtime/run-options.ts';
export type { Runtime } from './runtime/runtime.ts';
export type { AuditOptions, RuntimeOptions } from './runtime/runtime-options.ts';
export type { FilePosition } from './runtime/strict-document.ts';
export type { ToolDescription } from './tools/describe-tools.ts';
export type { ToolAnswer, ToolError, ToolResult } from './tools/tool.ts';
export type {
  Agent,
  AgentFacts,
  AgentFile,
  Body,
  Bridge,
  CodeAgent,
  SourceText,
  TextPlace,
  ToolAgent,
} from './workflow/agent-file.ts';
export type { PlannedAgent, PlannedBridge, PlannedDecision, WorkflowPlan } from './workflow/plan.ts';
export type { WorkflowOptions } from './workflow/run-workflow.ts';
export { checkAgentFile, loadAgentFile, parseAgentFile, planWorkflow, runWorkflow } from './workflow/surface.ts';
export type { AgentReport, WorkflowFacts, WorkflowOutcome, WorkflowPlace } from './workflow/workflow-outcome.ts';
export type { WorkflowProgress } from './workflow/workflow-progress.ts';
