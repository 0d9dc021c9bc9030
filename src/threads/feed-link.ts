// The main thread's end of a feed thread: starts it, asks it for markets, hears its doorbell, and starts it anew when it
// dies. Main thread.

import { Worker } from 'node:worker_threads';
import type { Arena } from '../book/memory.ts';
import { limits } from '../limits.ts';
import type { FeedCounters } from '../runtime/counters.ts';
import type { Log } from '../runtime/log.ts';
import type { FeedRefusal, FeedSubscription } from '../venues/feed.ts';
import { DOORBELL, type FeedTarget, type FeedThreadData, type FromFeed, type ToFeed } from './feed-messages.ts';

export interface FeedLinkOptions {
  readonly target: FeedTarget;
  readonly arena: Arena;
  readonly counters: FeedCounters;
  readonly log: Log;
}

export interface FeedLinkHandlers {
  /** The venue's tape has records. */
  onDoorbell(): void;
  /** The feed knows the market, or says why it does not. */
  onOutcome(address: string, outcome: FeedSubscription | FeedRefusal): void;
  /** The thread died: every book id is void. A new one follows. */
  onLost(): void;
  /** The new thread is running; it knows no market. */
  onRestart(): void;
}

export class FeedLink {
  readonly #options: FeedLinkOptions;
  readonly #handlers: FeedLinkHandlers;
  #worker: Worker;
  #isClosing = false;
  #restart: NodeJS.Timeout | null = null;

  constructor(options: FeedLinkOptions, handlers: FeedLinkHandlers) {
    this.#options = options;
    this.#handlers = handlers;
    this.#worker = this.#start();
  }

  subscribe(address: string): void {
    this.#say({ op: 'subscribe', address });
  }

  unsubscribe(address: string): void {
    this.#say({ op: 'unsubscribe', address });
  }

  /** Lets the feed close its connections; resolves when its thread has ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#restart !== null) clearTimeout(this.#restart);
    const ended = new Promise(resolve => this.#worker.once('exit', resolve));
    if (this.#worker.threadId === -1) return;
    this.#say({ op: 'close' });
    await ended;
  }

  /** Ends the thread as a fault would: for tests and fault campaigns. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  #say(message: ToFeed): void {
    this.#worker.postMessage(message);
  }

  #start(): Worker {
    const { target, arena, counters, log } = this.#options;
    const data: FeedThreadData = { target, arena, counters: counters.memory, logLevel: log.level };
    const worker = new Worker(new URL('./feed-worker.ts', import.meta.url), { workerData: data, stderr: false });
    worker.on('message', (message: FromFeed) => {
      if (message === DOORBELL) this.#handlers.onDoorbell();
      else this.#handlers.onOutcome(message.address, message.outcome);
    });
    worker.on('error', error => log.warn('feed thread failed', { venue: target.venue, error: error.message }));
    worker.on('exit', code => {
      if (this.#isClosing) return;
      log.warn('feed thread ended', { venue: target.venue, code });
      this.#handlers.onLost();
      this.#restart = setTimeout(() => {
        this.#worker = this.#start();
        this.#handlers.onRestart();
      }, limits.feedRestartMs);
    });
    return worker;
  }
}
