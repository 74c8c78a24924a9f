#!/usr/bin/env node
import { renderSize } from '../contract/render-size.ts';
import { maxOperatorBytes } from '../fs/operator-file.ts';
import { startSandbox } from '../runtime/started-sandbox.ts';
import { UsageError } from './usage-error.ts';
import type { TextSink, World } from './world.ts';

// The command's entry: connects the process and nothing else.
const args = process.argv.slice(2);
const world: World = {
  args,
  // The longest wait of all comes first: the rest of the command loads meanwhile.
  ...(args[0] === 'run' || args[0] === 'workflow' ? startEarly() : {}),
  env: process.env,
  out: sinkOf(process.stdout),
  err: sinkOf(process.stderr),
  readStandardInput,
  openTerminal: () => (process.stdin.isTTY && process.stderr.isTTY ? process.stdin : undefined),
  onInterrupt,
};

// Loaded behind the start of the thread, which boots meanwhile. Built as CommonJS, which starts faster and knows no
// await up here.
void import('./command-line.ts')
  .then(({ runCommandLine }) => runCommandLine(world))
  .then((code) => {
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
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever read our output has left: there is nobody to tell.
    if (error.code === 'EPIPE') process.exit();
    if (stream === process.stderr) return;
    process.stderr.write(`error: cannot write the output: ${error.code ?? error.message}\n`);
    process.exit(1);
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
    if (total > maxOperatorBytes)
      throw new UsageError(`standard input holds more than ${renderSize(maxOperatorBytes)}`);
  }
  return Buffer.concat(chunks);
}

function onInterrupt(listener: () => void): () => void {
  let isAsked = false;
  const onSignal = (): void => {
    // Asked twice: whoever asks again does not want to wait.
    if (isAsked) process.exit(130);
    isAsked = true;
    listener();
  };
  // Ctrl-C, and what timeouts, pipelines and containers send.
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
