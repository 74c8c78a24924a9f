import { Worker } from 'node:worker_threads';
import { PortholeError } from '../contract/errors.ts';
import { createControlBlock, HostControl } from './control-block.ts';
import type { HelperReply, WorkerMessage, WorkerSettings, WorkMessage } from './messages.ts';
import { type Resolvers, withResolvers } from './with-resolvers.ts';

/** What the pool does with a worker's messages while a program runs. */
export interface ChannelListener {
  onMessage(message: Exclude<WorkerMessage, { kind: 'ready' }>): void;
  /** The thread died by itself. */
  onDeath(reason: Error): void;
}

/** The files a worker needs, loaded by the runtime; the sandbox reads none itself. */
export interface SandboxFiles {
  /** Entry of the worker thread, self-contained. */
  readonly workerUrl: URL;
  /** Entry of the thread that erases types. */
  readonly stripWorkerUrl: URL;
  readonly engine: WebAssembly.Module | Promise<WebAssembly.Module>;
  readonly image: Uint8Array;
}

// The guest's 256 KiB overflow a default thread's stack; 16 MiB held in every probe.
const threadStackMb = 16;

/** The host's end of one worker thread. */
export class WorkerChannel {
  /** Settles when the thread has warmed up; rejects with `RUNTIME_UNAVAILABLE` when it cannot. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #control: HostControl;
  readonly #boot: Resolvers<void>;
  #listener: ChannelListener | undefined;
  #dead = false;

  constructor(files: SandboxFiles, ceilings: { readonly memoryBytes: number; readonly resultBytes: number }) {
    const control = createControlBlock();
    this.#control = new HostControl(control);
    const settings: WorkerSettings = { image: files.image, control, ...ceilings };
    // No environment, no flags of the host's process: a thread of guests inherits nothing.
    this.#worker = new Worker(files.workerUrl, {
      workerData: settings,
      resourceLimits: { stackSizeMb: threadStackMb },
      execArgv: [],
      env: {},
    });
    const boot = withResolvers<void>();
    this.#boot = boot;
    this.ready = boot.promise;
    this.ready.catch(() => {}); // whoever awaits it sees the failure; there may be nobody
    this.#worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'ready') boot.resolve();
      else this.#listener?.onMessage(message);
    });
    this.#worker.on('error', (error) => this.#die(error));
    this.#worker.on('exit', (code) => this.#die(new Error(`the worker thread ended with code ${code}`)));
    Promise.resolve(files.engine).then(
      (engine) => this.#worker.postMessage(engine),
      (error: Error) => this.#die(error),
    );
    // Behind the listeners: adding one to a thread's port makes it keep the process alive again.
    this.unref();
  }

  /** Starts a program or a batch; its messages go to the listener until {@link release}. */
  start(work: WorkMessage, listener: ChannelListener): void {
    this.#listener = listener;
    this.ref();
    this.#control.begin();
    this.#worker.postMessage(work);
  }

  /** Answers the helper call the guest waits in. */
  reply(reply: HelperReply): void {
    this.#control.reply(reply, (message) => this.#worker.postMessage(message));
  }

  /** How much of the program's time does not count; to be said before the call that took it is answered. */
  setPaused(ms: number): void {
    this.#control.setPaused(ms);
  }

  /** Asks the guest's thread to end the program at its next look; native code may not look. */
  askToStop(): void {
    this.#control.askToStop();
  }

  /** The program is over: the thread may serve another, and does not keep the process alive. */
  release(): void {
    this.#listener = undefined;
    this.unref();
  }

  ref(): void {
    this.#worker.ref();
  }

  unref(): void {
    this.#worker.unref();
  }

  get alive(): boolean {
    return !this.#dead;
  }

  /** Ends the thread, wherever it is; what it had sent before still reaches the listener. */
  async terminate(): Promise<void> {
    this.#dead = true;
    this.#boot.reject(new PortholeError('RUNTIME_CLOSED', 'Cannot start the sandbox: the runtime was closed'));
    await this.#worker.terminate();
    this.#listener = undefined;
  }

  #die(reason: Error): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#boot.reject(
      new PortholeError('RUNTIME_UNAVAILABLE', `Cannot start the sandbox: ${reason.message}`, { cause: reason }),
    );
    this.#listener?.onDeath(reason);
    // A thread that never got its engine would wait for it for ever.
    void this.#worker.terminate(); // there is nobody to tell
  }
}
