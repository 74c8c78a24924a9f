import { PortholeError } from '../contract/errors.ts';
import type { Sha256Hex } from '../contract/powers.ts';
import type { AppendLog } from '../fs/append-log.ts';
import { chainStart, parseEventLine } from './event.ts';
import type { AuditSink, ChainEnd } from './sink.ts';

/**
 * The sink of a JSON Lines file; a chain that is already there goes on.
 * @throws {@link PortholeError} `AUDIT_UNAVAILABLE` when the file ends in something that is no audit event.
 */
export function createJsonlSink(log: AppendLog, sha256Hex: Sha256Hex): AuditSink {
  const end = findChainEnd(log, sha256Hex);
  return {
    path: log.path,
    chain: () => end,
    rotateFor: log.rotateFor,
    append: log.append,
    close: log.close,
  };
}

function findChainEnd(log: AppendLog, sha256Hex: Sha256Hex): ChainEnd {
  const { lastLine, tornBytes } = log.tail;
  if (lastLine === undefined) return { seq: 0, hash: chainStart, tornBytes };
  const { event } = parseEventLine(lastLine, sha256Hex);
  if (event !== undefined) return { seq: event.seq, hash: event.hash, tornBytes };
  throw new PortholeError(
    'AUDIT_UNAVAILABLE',
    `Cannot continue "${log.path}": its last line is no intact audit event`,
    {
      hint: 'porthole audit verify shows what is wrong; name another file to go on.',
    },
  );
}
