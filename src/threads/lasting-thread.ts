// A thread that is there for as long as the gateway: started anew when it dies, and asked to end by the message `close`. Main thread.

import { Worker } from 'node:worker_threads';
import { limits } from '../limits.ts';
import type { Log } from '../runtime/log.ts';

export interface LastingThreadOptions {
  /** In log lines. */
  readonly name: string;
  readonly url: URL;
  readonly workerData: unknown;
  readonly log: Log;
  readonly onMessage?: (message: unknown) => void;
  /** It died, and what it knew is gone. */
  readonly onLost?: () => void;
  /** Another one is running. */
  readonly onRestart?: () => void;
}

export class LastingThread {
  readonly #options: LastingThreadOptions;
  #worker: Worker;
  #isClosing = false;
  #restart: NodeJS.Timeout | null = null;

  constructor(options: LastingThreadOptions) {
    this.#options = options;
    this.#worker = this.#start();
  }

  /** Lost if it has just died. */
  send(message: unknown): void {
    this.#worker.postMessage(message);
  }

  /** Lets it finish what it has begun; resolves when it has ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#restart !== null) clearTimeout(this.#restart);
    if (this.#worker.threadId === -1) return;
    const ended = new Promise(resolve => this.#worker.once('exit', resolve));
    this.send('close');
    await ended;
  }

  /** Ends it as a fault would: for tests and fault campaigns. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  #start(): Worker {
    const { name, url, workerData, log, onMessage = () => {}, onLost, onRestart } = this.#options;
    const worker = new Worker(url, { workerData });
    worker.on('message', onMessage);
    worker.on('error', error => log.warn(`${name} thread failed`, { error: error.message }));
    worker.on('exit', code => {
      if (this.#isClosing) return;
      log.warn(`${name} thread ended`, { code });
      onLost?.();
      this.#restart = setTimeout(() => {
        this.#worker = this.#start();
        onRestart?.();
      }, limits.threadRestartMs);
    });
    return worker;
  }
}
