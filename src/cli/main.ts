#!/usr/bin/env node
import { maxOperatorBytes } from '../fs/operator-file.ts';
import { startSandbox } from '../runtime/started-sandbox.ts';
import { runCommandLine } from './command-line.ts';
import { UsageError } from './usage-error.ts';
import type { TextSink, World } from './world.ts';

// The command's entry: connects the process and nothing else.
const args = process.argv.slice(2);
const world: World = {
  args,
  // The longest wait of all comes first: the rest of the command loads meanwhile.
  ...(args[0] === 'run' ? startEarly() : {}),
  env: process.env,
  out: sinkOf(process.stdout),
  err: sinkOf(process.stderr),
  readStandardInput,
  onInterrupt,
};

// Built as CommonJS, which starts faster and knows no await up here.
void runCommandLine(world).then((code) => {
  process.exitCode = code;
});

function startEarly(): Pick<World, 'sandbox'> {
  try {
    return { sandbox: startSandbox() };
  } catch {
    // The command meets the same trouble later, where it is reported.
    return {};
  }
}

function sinkOf(stream: NodeJS.WriteStream): TextSink {
  // Whoever read our output has left: there is nobody to tell.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  return { write: (text) => void stream.write(text), isTerminal: stream.isTTY === true };
}

async function readStandardInput(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    total += chunk.length;
    // What has no end is cut where the command refuses it anyway.
    if (total > maxOperatorBytes) throw new UsageError(`standard input holds more than ${maxOperatorBytes} bytes`);
  }
  return Buffer.concat(chunks);
}

function onInterrupt(listener: () => void): () => void {
  let isAsked = false;
  const onSignal = (): void => {
    // Asked twice: whoever presses Ctrl-C again does not want to wait.
    if (isAsked) process.exit(130);
    isAsked = true;
    listener();
  };
  process.on('SIGINT', onSignal);
  return () => process.off('SIGINT', onSignal);
}
