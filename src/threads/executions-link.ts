// The main thread's end of the executions thread: starts it, hears what it tells, and starts it anew when it dies. Main thread.

import { Worker } from 'node:worker_threads';
import { limits } from '../limits.ts';
import type { Log } from '../runtime/log.ts';
import type { Account, OrderEventRecord } from '../store/order-records.ts';
import type { ExecutionsData, FromExecutions } from './executions-worker.ts';

export interface ExecutionsHandlers {
  readonly onEvents: (events: readonly OrderEventRecord[]) => void;
  /** An account has been read for the first time since the start. */
  readonly onRead: (account: Account) => void;
}

export class ExecutionsLink {
  readonly #data: ExecutionsData;
  readonly #handlers: ExecutionsHandlers;
  readonly #log: Log;
  #worker: Worker;
  #isClosing = false;
  #restart: NodeJS.Timeout | null = null;

  constructor(data: ExecutionsData, handlers: ExecutionsHandlers, log: Log) {
    this.#data = data;
    this.#handlers = handlers;
    this.#log = log;
    this.#worker = this.#start();
  }

  /** Lets it finish what it has begun; resolves when its thread has ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#restart !== null) clearTimeout(this.#restart);
    if (this.#worker.threadId === -1) return;
    const ended = new Promise(resolve => this.#worker.once('exit', resolve));
    this.#worker.postMessage('close');
    await ended;
  }

  /** Ends the thread as a fault would: for tests and fault campaigns. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./executions-worker.ts', import.meta.url), { workerData: this.#data });
    worker.on('message', (message: FromExecutions) => {
      if (message.type === 'events') this.#handlers.onEvents(message.events);
      else this.#handlers.onRead(message.account);
    });
    worker.on('error', error => this.#log.warn('executions thread failed', { error: error.message }));
    worker.on('exit', code => {
      if (this.#isClosing) return;
      this.#log.warn('executions thread ended', { code });
      this.#restart = setTimeout(() => {
        this.#worker = this.#start();
      }, limits.executionsRestartMs);
    });
    return worker;
  }
}
