import type { LogLine } from '../audit/verify.ts';
import type { AuditEvent } from '../contract/audit-event.ts';
import type { Receipt, ReceiptProposal } from '../contract/receipt.ts';
import { renderVisibleLine } from '../text/visible-text.ts';

/** One event as a line for people; kinds nobody knows yet look like the others. */
export function renderEvent({ time, run, kind, details }: AuditEvent): string {
  const facts = Object.entries(details).map(([name, value]) => `${name}=${renderValue(value)}`);
  // The first eight characters tell runs apart at a glance; --run takes the whole.
  return `${time} ${renderVisibleLine(run).slice(0, 8)} ${renderVisibleLine([kind, ...facts].join(' '))}\n`;
}

/** A line that is no intact event. */
export function renderUnreadable({ file, number }: LogLine): string {
  return `${file}:${number}: not an intact event, see porthole audit verify\n`;
}

/** A receipt for people. */
export function renderReceipt(receipt: Receipt): string {
  const { run, mode, outcome, tools, files, reads, refusals, approvals, more, proposal, auditHead } = receipt;
  const lines = [
    `run ${run}, mode ${mode}: ${outcome}`,
    ...tools.map(({ name, ms, error }) => `  tool      ${name} ${error ?? `${ms ?? '?'} ms`}`),
    ...rest(more.tools, 'tool calls'),
    ...files.map((file) => `  file      ${file.path} ${file.created ? 'created' : 'changed'}, ${file.bytes} bytes`),
    ...rest(more.files, 'files'),
    ...reads.map(({ path, bytes }) => `  read      ${path} ${bytes} bytes`),
    ...rest(more.reads, 'read files'),
    ...refusals.map(({ action, code, reason }) => `  refused   ${action} ${code}: ${reason}`),
    ...rest(more.refusals, 'refusals'),
    ...approvals.map(
      ({ action, level, decision, scope }) =>
        `  approval  ${action} (${level}) ${scope === undefined ? '' : `${scope} `}${decision}`,
    ),
    ...rest(more.approvals, 'approvals'),
    ...(proposal === undefined ? [] : renderProposal(proposal)),
    `  head      ${auditHead}`,
  ];
  return `${lines.map(renderVisibleLine).join('\n')}\n`;
}

function renderProposal(proposal: ReceiptProposal): string[] {
  const { classification, edits, provider, model, inputTokens, outputTokens, requests, outcome, attempts } = proposal;
  return [
    `  proposal  ${classification}, ${edits} ${edits === 1 ? 'edit' : 'edits'}${outcome === undefined ? '' : `: ${outcome}`}`,
    ...(provider === undefined
      ? []
      : [`  model     ${provider} ${model}, ${inputTokens} tokens in, ${outputTokens} out, ${requests} requests`]),
    ...(attempts === undefined ? [] : [`  attempts  ${attempts}`]),
  ];
}

function rest(count: number, what: string): string[] {
  return count === 0 ? [] : [`  … and ${count} more ${what}`];
}

function renderValue(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
