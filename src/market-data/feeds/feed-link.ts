// The main thread's link to a feed thread: subscribes to markets and answers the feed's doorbell. Main thread.

import type { Venue } from '../../core/domain/market.ts';
import type { FeedCounters } from '../../core/metrics/feed-counters.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { LastingThread } from '../../core/runtime/lasting-thread.ts';
import type { Log } from '../../core/runtime/log.ts';
import { THREADS } from '../../threads.ts';
import type { FeedRefusal, FeedSubscription } from '../../venues/feed.ts';
import type { Arena } from '../book/memory.ts';
import {
  DOORBELL,
  type FeedOutcome,
  type FeedTarget,
  type FeedThreadData,
  type FromFeed,
  type ToFeed,
} from './feed-messages.ts';

interface FeedLinkOptions {
  readonly target: FeedTarget;
  readonly arena: Arena;
  readonly counters: FeedCounters;
  readonly log: Log;
}

export interface FeedLinkHandlers {
  /** Called when the venue's tape has records. */
  onDoorbell(): void;
  /** Called when the feed carries the market, or refuses it and says why. */
  onOutcome(address: string, outcome: FeedSubscription | FeedRefusal): void;
  /** Called when the thread has died: all book ids are void. A new thread follows. */
  onLost(): void;
  /** Called when the new thread runs. The new thread has no market yet. */
  onRestart(): void;
}

export class FeedLink {
  readonly #thread: LastingThread;
  readonly #requests = new LatestRequests();
  readonly #venue: Venue;

  constructor({ target, arena, counters, log }: FeedLinkOptions, handlers: FeedLinkHandlers) {
    this.#venue = target.venue;
    const requests = this.#requests;
    const workerData: FeedThreadData = { target, arena, counters: counters.memory, logLevel: log.level };
    this.#thread = new LastingThread({
      ...THREADS.feed,
      name: `${THREADS.feed.name} ${target.venue}`,
      workerData,
      log,
      onMessage(it) {
        const message = it as FromFeed;
        if (message === DOORBELL) handlers.onDoorbell();
        else if (requests.isLatest(message)) handlers.onOutcome(message.address, message.outcome);
      },
      onLost: () => handlers.onLost(),
      onRestart: () => handlers.onRestart(),
    });
  }

  /** Counts the losses of the thread from now on, as `LastingThread` does. */
  countLosses(metrics: Metrics): void {
    this.#thread.countLosses(metrics, `feed_${this.#venue}`);
  }

  subscribe(address: string): void {
    this.#post({ op: 'subscribe', address, request: this.#requests.make(address) });
  }

  unsubscribe(address: string): void {
    this.#requests.forget(address);
    this.#post({ op: 'unsubscribe', address });
  }

  /** Has the feed close its connections. Resolves when the feed's thread has ended. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  /** Kills the thread, as a fault would. For tests and fault campaigns. */
  kill(): Promise<void> {
    return this.#thread.kill();
  }

  #post(message: ToFeed): void {
    this.#thread.send(message);
  }
}

/** The latest request for each market. An answer to an earlier request is out of date. */
export class LatestRequests {
  readonly #latest = new Map<string, number>();
  #count = 0;

  make(address: string): number {
    this.#count += 1;
    this.#latest.set(address, this.#count);
    return this.#count;
  }

  forget(address: string): void {
    this.#latest.delete(address);
  }

  isLatest({ address, request }: Pick<FeedOutcome, 'address' | 'request'>): boolean {
    return this.#latest.get(address) === request;
  }
}
