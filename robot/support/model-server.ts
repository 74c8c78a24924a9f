import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { checkRequest } from './model-protocols.ts';
import type { ModelServerOptions, ModelStep, ReceivedRequest, WholeResponse } from './model-steps.ts';

/** A server that speaks both protocols, bound to the loopback address. */
export interface ModelServer {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  readonly close: () => Promise<void>;
}

/** Starts a server for `POST /v1/messages` and `POST /v1/chat/completions` (and Azure's path of it). */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    serve(incoming, response, { options, requests }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // a server that listens on a port has one
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Serving {
  readonly options: ModelServerOptions;
  readonly requests: ReceivedRequest[];
}

async function serve(incoming: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { options, requests } = serving;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const url = new URL(incoming.url ?? '/', 'http://localhost');
  const checked = checkRequest({ incoming, url, text: Buffer.concat(chunks).toString('utf8') }, options);
  if ('refusal' in checked) return send(response, checked.refusal);
  const { request } = checked;
  const index = requests.push(request) - 1;
  if (checked.unsupported !== undefined) return send(response, checked.unsupported);
  const step = typeof options.steps === 'function' ? options.steps(request, index) : nextStep(serving);
  await perform(step, { request, response, render: checked.render });
}

// Requests that were refused for their form took no step.
const taken = new WeakMap<object, number>();

function nextStep({ options: { steps } }: Serving): ModelStep {
  const index = taken.get(steps) ?? 0;
  taken.set(steps, index + 1);
  return (Array.isArray(steps) ? steps[index] : undefined) ?? { status: 500, error: 'the script is over' };
}

interface Performance {
  readonly request: ReceivedRequest;
  readonly response: ServerResponse;
  readonly render: (step: ModelStep) => WholeResponse;
}

async function perform(step: ModelStep, { response, render }: Performance): Promise<void> {
  if (step.waitMs !== undefined) await delay(step.waitMs);
  if (step.cut === 'at once') {
    response.socket?.destroy();
    return;
  }
  const reply = render(step);
  if (step.cut === 'within the body') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.body.length + 100 });
    response.write(reply.body.slice(0, Math.floor(reply.body.length / 2)));
    await delay(20);
    response.socket?.destroy();
    return;
  }
  if (step.split) return sendSplit(response, reply);
  send(response, reply);
}

function send(response: ServerResponse, { status, headers, body }: WholeResponse): void {
  response.writeHead(status, headers).end(body);
}

// Pieces that break characters and tokens wherever it hurts.
async function sendSplit(response: ServerResponse, { status, headers, body }: WholeResponse): Promise<void> {
  response.writeHead(status, headers);
  const bytes = Buffer.from(body);
  for (let at = 0, length = 1; at < bytes.length; at += length, length += 7) {
    response.write(bytes.subarray(at, at + length));
    await delay(1);
  }
  response.end();
}
