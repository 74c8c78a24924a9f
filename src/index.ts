export { type ActionName, actionNames, type GrantScope, grantScopes, type Level, levels } from './contract/action.ts';
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
  type RunMode,
  runModes,
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
  ReceiptRead,
  ReceiptRefusal,
  ReceiptTool,
} from './contract/receipt.ts';
export type { Containment } from './fs/disk-root.ts';
export type { Action } from './policy/action.ts';
export type { ApprovalCallback, Question, QuestionFile } from './policy/approver.ts';
export type { Classifier } from './policy/classify.ts';
export type { PolicyInput } from './policy/policy-schema.ts';
export { createRuntime } from './runtime/create-runtime.ts';
export { listTools } from './runtime/list-tools.ts';
export type { RunOptions, ToolCallOptions } from './runtime/run-options.ts';
export type { Runtime } from './runtime/runtime.ts';
export type { AuditOptions, RuntimeOptions } from './runtime/runtime-options.ts';
export type { ToolDescription } from './tools/describe-tools.ts';
export type { ToolAnswer, ToolError, ToolResult } from './tools/tool.ts';
