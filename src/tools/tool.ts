import type { z } from 'zod';
import type { CallContext } from '../calls/call-context.ts';
import type { JudgedTarget } from '../calls/judged-target.ts';
import { type ErrorCode, PortholeError } from '../contract/errors.ts';
import type { Effect } from '../contract/outcome.ts';

/** What a tool call answers: `text` is what a model sees, the rest is the same as data. */
export type ToolAnswer =
  | { readonly ok: true; readonly tool: string; readonly text: string; readonly result: ToolResult }
  | { readonly ok: false; readonly tool: string; readonly text: string; readonly error: ToolError };

/** What a tool returns besides its text; each tool documents its fields. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** Why a tool refused. */
export interface ToolError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  /** As the caller wrote it. */
  readonly path?: string;
}

/** What a tool call works with besides its arguments. */
export interface ToolHost {
  readonly target: JudgedTarget;
  readonly context: CallContext;
  /** Identifies the call within its run. */
  readonly callId: string;
  /** Takes what the call did, where somebody lists that. */
  readonly recordEffect?: ((effect: Effect) => void) | undefined;
}

/** One entry of the table of tools. */
export interface Tool {
  readonly name: string;
  /** What a model is told about it. */
  readonly description: string;
  /** Whether it changes files: then it needs unsafe mode and the flag of the invocation context. */
  readonly changesFiles: boolean;
  /** The arguments: names, shapes, defaults. The core judges their values, and gives the codes. */
  readonly schema: z.ZodObject;
  /** The text of a refusal, for a tool that has its own form. */
  readonly renderRefusal?: (error: PortholeError, path: string) => string;
  readonly run: (args: Readonly<Record<string, unknown>>, host: ToolHost) => Promise<ToolSuccess>;
}

/** What a tool hands back when it did what was asked. */
export interface ToolSuccess {
  readonly text: string;
  readonly result: ToolResult;
}

/** A refusal as an answer. @throws what is no refusal */
export function refusalAnswer({ name: tool, renderRefusal }: Tool, error: unknown, args: unknown): ToolAnswer {
  if (!(error instanceof PortholeError)) throw error;
  const { code, message, hint, path } = error;
  const text = renderRefusal?.(error, pathOf(args)) ?? `[${tool.toUpperCase()}_ERROR] ${code}: ${message}`;
  return { ok: false, tool, text, error: { code, message, hint, ...(path === undefined ? {} : { path }) } };
}

/** The path as the caller wrote it, for a sentence. */
function pathOf(args: unknown): string {
  const path: unknown = typeof args === 'object' && args !== null && 'path' in args ? args.path : undefined;
  return typeof path === 'string' ? path : 'the file';
}
