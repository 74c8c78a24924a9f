import type { ProgramEnd } from '../contract/outcome.ts';

/** One step of a workflow. */
export type WorkflowProgress =
  | { readonly kind: 'begin'; readonly agent: string; readonly visit: number }
  | {
      readonly kind: 'end';
      readonly agent: string;
      readonly visit: number;
      readonly status: ProgramEnd['status'];
      readonly ms: number;
    };
