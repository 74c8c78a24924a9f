import { errorCodes } from '../contract/errors.ts';
import type { WriteBackFile, WriteBackReport, WriteBackSkip } from '../contract/write-back.ts';
import { renderVisibleLine } from '../text/visible-text.ts';

/** The report as lines for the operator: one a file, and the sum of them last. */
export function renderReport(report: WriteBackReport): readonly string[] {
  const { files, skipped, refusal } = report;
  const lines = [
    ...files.flatMap((file) => renderFile(file, report)),
    ...skipped.map(renderSkip),
    ...files.flatMap((file) => renderStop(file, report)),
    ...(refusal === null ? [] : [`${refusal.message}; ${nothing(report)}`]),
    renderSum(report),
  ];
  return lines.map((line) => `write-back: ${line}`);
}

/** How a command that wrote back is to exit, judged by the report alone. */
export function exitCodeOfReport(report: WriteBackReport, options: { readonly failOnSkip: boolean }): number {
  const { files, skipped, refusal } = report;
  if (files.some(({ end }) => end.kind === 'replaced')) return errorCodes.CHANGED_SINCE_READ.exit;
  if (refusal !== null) return errorCodes[refusal.code].exit;
  if (files.some(({ end }) => end.kind === 'failed' || end.kind === 'link')) return 1;
  return options.failOnSkip && skipped.length > 0 ? 1 : 0;
}

function renderFile({ hostPath, end }: WriteBackFile, { dryRun, files, refusal }: WriteBackReport): readonly string[] {
  const shown = renderVisibleLine(hostPath);
  if (end.kind === 'written') return [shown];
  if (end.kind === 'failed') {
    return [`${shown}: ${end.code === 'NO_SPACE' ? 'no space left on device' : renderVisibleLine(end.reason)}`];
  }
  const isStopped = refusal !== null || files.some((file) => file.end.kind !== 'planned');
  return dryRun && !isStopped ? [`would write ${shown}`] : [];
}

function renderStop({ hostPath, end }: WriteBackFile, report: WriteBackReport): readonly string[] {
  const shown = renderVisibleLine(hostPath);
  if (end.kind === 'link') return [`${shown} is a symlink or resolves outside its input; ${nothing(report)}`];
  if (end.kind === 'replaced') return [`${shown} was replaced during the run; ${nothing(report)}`];
  return [];
}

function nothing({ files }: WriteBackReport): string {
  return files.some(({ end }) => end.kind === 'written') ? 'nothing more written' : 'nothing written';
}

function renderSkip({ path, reason }: WriteBackSkip): string {
  const shown = renderVisibleLine(`/${path}`);
  switch (reason) {
    case 'read-only':
      return `${shown} was copied read-only, skipped (use --copy-rw to write it back)`;
    case 'not-from-host':
      return `${shown} was not copied from the host, skipped`;
    case 'deleted':
      return `${shown} was deleted in the run, skipped (deletions are never written back)`;
  }
}

function renderSum({ dryRun, files, skipped, refusal }: WriteBackReport): string {
  const written = files.filter(({ end }) => end.kind === 'written').length;
  const isStopped = refusal !== null || files.some(({ end }) => end.kind !== 'planned' && end.kind !== 'written');
  const skips = `${skipped.length} skipped`;
  if (dryRun && !isStopped) return `would write ${renderCount(files.length)}, ${skips}`;
  const left = files.length - written;
  const sum = `${renderCount(written)} written, ${skips}`;
  return left === 0 ? sum : `${sum}, ${left} not written`;
}

function renderCount(files: number): string {
  return `${files} ${files === 1 ? 'file' : 'files'}`;
}
