import type { AuditEvent } from '../contract/audit-event.ts';
import type {
  Receipt,
  ReceiptApproval,
  ReceiptFile,
  ReceiptProposal,
  ReceiptRead,
  ReceiptRefusal,
  ReceiptTool,
} from '../contract/receipt.ts';
import { type CappedList, type CappedMap, createCappedList, createCappedMap } from './capped.ts';
import { levelOf, numberOf, numbersOf, textOf } from './details.ts';

/** What a receipt is folded from. */
export type ReceiptEvent = Pick<AuditEvent, 'run' | 'kind' | 'hash' | 'call'> & { readonly details: object };

/** A receipt in the making: events go in, and at any time the receipt so far comes out. */
export interface ReceiptFold {
  readonly add: (event: ReceiptEvent) => void;
  readonly receipt: () => Receipt;
}

/** The receipt of one run; events of other runs are passed over. */
export function foldReceipt(run: string, events: Iterable<ReceiptEvent>): Receipt {
  const fold = createReceiptFold(run);
  for (const event of events) fold.add(event);
  return fold.receipt();
}

/** Folds as the events come, so that a run's events need not be kept for its receipt. */
export function createReceiptFold(run: string): ReceiptFold {
  const state: FoldState = { mode: '', outcome: 'unfinished', limits: undefined, auditHead: '' };
  return {
    add: (event) => {
      if (event.run !== run) return;
      state.auditHead = event.hash;
      takers.get(event.kind)?.(state, event.details, event);
    },
    receipt: () => renderReceipt(run, state),
  };
}

// Most runs end with most lists empty, so a list is made by its first entry.
interface FoldState {
  mode: string;
  outcome: string;
  limits: Readonly<Record<string, number>> | undefined;
  auditHead: string;
  tools?: CappedMap<ReceiptTool>;
  files?: CappedMap<ReceiptFile>;
  reads?: CappedMap<ReceiptRead>;
  refusals?: CappedList<ReceiptRefusal>;
  approvals?: CappedList<ReceiptApproval>;
  proposal?: ReceiptProposal;
}

type Taker = (state: FoldState, details: object, event: ReceiptEvent) => void;

const takers: ReadonlyMap<string, Taker> = new Map<string, Taker>([
  ['run.start', takeStart],
  ['run.end', takeEnd],
  ['tool.call', takeCall],
  ['tool.result', takeResult],
  ['file.read', takeRead],
  ['file.write', takeWritten],
  ['writeback.file', takeWritten],
  ['file.refused', takeRefused],
  ['approval.answered', takeAnswer],
  ['proposal.received', takeProposal],
  ['proposal.applied', takeApplied],
  ['proposal.rejected', takeRejected],
]);

function takeStart(state: FoldState, details: object): void {
  state.mode = textOf(details, 'mode');
  state.limits = numbersOf(details, 'limits');
}

function takeEnd(state: FoldState, details: object): void {
  state.outcome = textOf(details, 'status');
  if (state.outcome !== 'denied') return;
  state.refusals ??= createCappedList();
  state.refusals.add({ action: 'run', code: textOf(details, 'code'), reason: textOf(details, 'reason') });
}

function takeCall(state: FoldState, details: object, { call, hash }: ReceiptEvent): void {
  const tool = { name: textOf(details, 'name'), argumentsDigest: textOf(details, 'arguments') };
  state.tools ??= createCappedMap();
  state.tools.set(call ?? hash, () => tool);
}

function takeResult(state: FoldState, details: object, { call, hash }: ReceiptEvent): void {
  const error = textOf(details, 'error');
  const end = error === '' ? { ms: numberOf(details, 'ms') } : { error };
  state.tools ??= createCappedMap();
  state.tools.set(call ?? hash, (tool) => ({ name: textOf(details, 'name'), argumentsDigest: '', ...tool, ...end }));
}

function takeRead(state: FoldState, details: object): void {
  const path = textOf(details, 'path');
  state.reads ??= createCappedMap();
  state.reads.set(path, (before) => ({ path, bytes: (before?.bytes ?? 0) + numberOf(details, 'bytes') }));
}

function takeWritten(state: FoldState, details: object): void {
  const path = textOf(details, 'path');
  state.files ??= createCappedMap();
  state.files.set(path, (before) => ({
    path,
    mode: textOf(details, 'mode'),
    // A file the run created stays created, however often it is written after that.
    created: before?.created === true || Reflect.get(details, 'created') === true,
    bytes: numberOf(details, 'bytesAfter'),
    digestAfter: textOf(details, 'digestAfter'),
  }));
}

function takeRefused(state: FoldState, details: object): void {
  const action = `${textOf(details, 'action')} ${textOf(details, 'path')}`;
  state.refusals ??= createCappedList();
  state.refusals.add({ action, code: textOf(details, 'code'), reason: textOf(details, 'reason') });
}

function takeAnswer(state: FoldState, details: object): void {
  const scope = textOf(details, 'scope');
  state.approvals ??= createCappedList();
  state.approvals.add({
    action: textOf(details, 'action'),
    level: levelOf(details, 'level'),
    decision: textOf(details, 'decision'),
    ...(scope === '' ? {} : { scope }),
  });
}

function takeProposal(state: FoldState, details: object): void {
  const [inputTokens, outputTokens] = [numberOf(details, 'inputTokens'), numberOf(details, 'outputTokens')];
  const requests = numberOf(details, 'requests');
  const [provider, model] = [textOf(details, 'provider'), textOf(details, 'model')];
  state.proposal = {
    classification: textOf(details, 'classification'),
    edits: numberOf(details, 'edits'),
    ...(provider === '' ? {} : { provider, model, inputTokens, outputTokens, requests }),
  };
}

function takeApplied(state: FoldState, details: object): void {
  endProposal(state, details, 'applied');
}

function takeRejected(state: FoldState, details: object): void {
  endProposal(state, details, textOf(details, 'code') || 'rejected');
}

function endProposal(state: FoldState, details: object, outcome: string): void {
  const attempts = textOf(details, 'attempts');
  state.proposal = {
    classification: '',
    edits: 0,
    ...state.proposal,
    outcome,
    ...(attempts === '' ? {} : { attempts }),
  };
}

function renderReceipt(run: string, state: FoldState): Receipt {
  const { mode, outcome, limits, auditHead, tools, files, reads, refusals, approvals, proposal } = state;
  return {
    run,
    mode,
    outcome,
    tools: tools?.values() ?? [],
    files: files?.values() ?? [],
    reads: reads?.values() ?? [],
    refusals: refusals?.values() ?? [],
    approvals: approvals?.values() ?? [],
    ...(proposal === undefined ? {} : { proposal }),
    ...(limits === undefined ? {} : { limits }),
    more: {
      tools: tools?.more() ?? 0,
      files: files?.more() ?? 0,
      reads: reads?.more() ?? 0,
      refusals: refusals?.more() ?? 0,
      approvals: approvals?.more() ?? 0,
    },
    auditHead,
  };
}
