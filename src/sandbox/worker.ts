import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { HelperReply, WorkerSettings, WorkMessage } from './messages.ts';
import { createSession } from './worker-session.ts';

// The entry of a worker thread: connects the port to a session and nothing else.
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker thread');

// The compiled engine comes first: the host compiles it while this thread starts.
port.once('message', (engine: WebAssembly.Module) => {
  const settings = workerData as WorkerSettings; // set by worker-channel.ts
  const run = createSession(engine, settings, {
    post: (message, transfer) => port.postMessage(message, [...transfer]),
    receive: () => receiveMessageOnPort(port)?.message as HelperReply, // the host posts before it wakes the worker
    monotonicMs: () => performance.now(),
  });
  port.on('message', (work: WorkMessage) => run(work));
  port.postMessage({ kind: 'ready' });
});
