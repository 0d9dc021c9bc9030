// A thread that is there for as long as the gateway: started anew when it dies, later each time if it dies at once, and asked to end
// by the message `close`. Main thread.

import { Worker } from 'node:worker_threads';
import { limits } from '../limits.ts';
import type { Log } from '../runtime/log.ts';
import type { LastingThreadName } from '../runtime/metric-table.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { type Timers, wallTimers } from '../runtime/timers.ts';

interface LastingThreadOptions {
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
  /** `wallTimers` by default. */
  readonly timers?: Timers;
}

export class LastingThread {
  readonly #options: LastingThreadOptions;
  readonly #timers: Timers;
  #worker: Worker;
  #isClosing = false;
  #startedAt = 0;
  #pauseMs: number = limits.threadRestartMs;
  #cancelRestart: () => void = () => {};
  #countLoss: () => void = () => {};

  constructor(options: LastingThreadOptions) {
    this.#options = options;
    this.#timers = options.timers ?? wallTimers;
    this.#worker = this.#start();
  }

  /** From now on `threads_lost_total` has it each time that it dies. */
  countLosses(metrics: Metrics, thread: LastingThreadName): this {
    const slot = metrics.counter('threads_lost_total', thread);
    this.#countLoss = () => metrics.add(slot);
    return this;
  }

  /** Lost if it has just died. */
  send(message: unknown): void {
    this.#worker.postMessage(message);
  }

  /** Lets it finish what it has begun; resolves when it has ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelRestart();
    if (this.#worker.threadId === -1) return;
    const ended = new Promise(resolve => this.#worker.once('exit', resolve));
    this.send('close');
    await ended;
  }

  /** Ends it from outside: for tests in which nothing commits meanwhile. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  #start(): Worker {
    const { name, url, workerData, log, onMessage = () => {}, onLost } = this.#options;
    this.#startedAt = this.#timers.elapsed();
    const worker = new Worker(url, { workerData });
    worker.on('message', onMessage);
    worker.on('error', error => log.warn(`${name} thread failed`, { error: error.message }));
    worker.on('exit', code => {
      if (this.#isClosing) return;
      log.warn(`${name} thread ended`, { code });
      this.#countLoss();
      onLost?.();
      this.#startAnew();
    });
    return worker;
  }

  #startAnew(): void {
    const { threadRestartMs, threadRestartMsMax, threadSettledMs } = limits;
    if (this.#timers.elapsed() - this.#startedAt >= threadSettledMs) this.#pauseMs = threadRestartMs;
    this.#cancelRestart = this.#timers.after(this.#pauseMs, () => {
      this.#worker = this.#start();
      this.#options.onRestart?.();
    });
    this.#pauseMs = Math.min(2 * this.#pauseMs, threadRestartMsMax);
  }
}
