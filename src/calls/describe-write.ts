import type { DescribedFile } from '../policy/gate-port.ts';
import { type CallContext, type CallFacts, renderArguments } from './call-context.ts';
import type { PlannedWrite } from './planned-call.ts';

/** What a person is shown of a planned write, and what their yes is bound to. */
export function describeWrite(context: CallContext, call: CallFacts, plan: PlannedWrite<unknown>): DescribedFile {
  const diff = plan.diff();
  const { path } = plan.action;
  return {
    file: {
      path,
      change: plan.creates ? 'create' : 'modify',
      executable: plan.isExecutable,
      bytesBefore: plan.bytesBefore,
      bytesAfter: plan.bytesPlanned,
      diff,
    },
    shown: {
      tool: call.tool,
      argumentsDigest: context.digestText(renderArguments(call)),
      path,
      digestBefore: plan.digestBefore(),
      digestAfter: plan.digestPlanned(),
      diffDigest: context.digestText(diff),
    },
  };
}

/** Bytes as a log that keeps content shows them: as text where they are UTF-8, else in base64. */
export function renderContent(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return `base64:${toBase64(bytes)}`;
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
