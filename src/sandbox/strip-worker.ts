import { parentPort } from 'node:worker_threads';
import { transformSync } from 'amaro';
import { stripTypes } from './strip-types.ts';

// The entry of the thread that erases types. It may be ended at any moment; when its parser broke, it ends itself,
// so that nothing of a broken parser serves the next program.
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker thread');
port.on('message', (source: string) => port.postMessage(stripTypes(source, transformSync)));
port.postMessage('ready');
