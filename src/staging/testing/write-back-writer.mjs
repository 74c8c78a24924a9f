// Writes back every file of a directory, again and again, each time with another letter, until it is killed. Its
// intents and outcomes go to an audit log; it says `intent` when a file is about to be replaced.
// Usage: fork('write-back-writer.mjs', [ROOT, LOG, ADDRESS-OF-WRITE-BACK-WORLD])
import { createHash } from 'node:crypto';

const [, , root, logPath, worldUrl] = process.argv;
const load = (file) => import(new URL(`../../${file}`, worldUrl).href);
const { createJsonlSink } = await load('audit/jsonl-sink.js');
const { createAuditLog } = await load('audit/log.js');
const { openAppendLog } = await load('fs/append-log.js');
const { copyIn, createWriteBackCalls, writeBackEdits } = await import(worldUrl);

const sha256Hex = (text) => createHash('sha256').update(text).digest('hex');
const sink = createJsonlSink(openAppendLog(logPath, { fsync: false }), sha256Hex);
let events = 0;
const newId = () => `event-${process.pid}-${++events}`;
const log = createAuditLog({ sink, powers: { now: () => 0, newId, sha256Hex } }).openRun(`run-${process.pid}`);
const calls = createWriteBackCalls();
let isWarm = false;
const record = (kind, details, call) => {
  log.record(kind, details, call);
  if (isWarm && kind === 'file.write.intent') process.send('intent');
};
const judged = { ...calls, context: { ...calls.context, log: { ...log, record } } };

for (let round = 0; ; round++) {
  const baseline = copyIn({ from: root, place: '' });
  const letter = String.fromCharCode(0x61 + (round % 26));
  const edits = Object.fromEntries([...baseline.files].map(([path, { bytes }]) => [path, letter.repeat(bytes.length)]));
  await writeBackEdits(baseline, edits, { calls: judged, root });
  isWarm = true;
}
