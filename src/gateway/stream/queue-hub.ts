// Follows the queues of actors that have asked for them lately, or have a subscription. For all other actors nothing is kept. Main thread.

import type { MicroShares } from '../../core/domain/numbers.ts';
import type { OrderRequest } from '../../core/domain/order-request.ts';
import type { EndableTimers } from '../../core/runtime/timers.ts';
import type { OrderFeed } from './order-feed.ts';
import { QueueNews, type QueueNewsParts } from './queue-news.ts';
import { ActorQueues, type QueuesParts } from './queues.ts';

interface QueueHubParts extends QueuesParts {
  readonly feed: Pick<OrderFeed, 'openOrders'>;
  readonly timers: EndableTimers;
  /** Passes the actor's news on to `queues`. Returns a function that stops this. */
  readonly follow: (actorId: string, queues: ActorQueues) => () => void;
}

interface Followed {
  readonly queues: ActorQueues;
  /** Resolves once the actor's open orders are known. Rejects with a StoreError. */
  readonly begun: Promise<void>;
  readonly stop: () => void;
  uses: number;
  askedAt: number;
}

/** How long the queues of an actor are followed after its last question. */
const FOLLOWED_MS = 3_600_000;

export class QueueHub {
  readonly #parts: QueueHubParts;
  readonly #actors = new Map<string, Followed>();

  constructor(parts: QueueHubParts) {
    this.#parts = parts;
  }

  /** The actor's queues, which are followed from this call on. Rejects with a StoreError if the actor's orders cannot be read. */
  async of(actorId: string): Promise<Pick<ActorQueues, 'of' | 'leavesAt'>> {
    const followed = this.#follow(actorId);
    followed.askedAt = this.#parts.timers.elapsed();
    await followed.begun;
    return followed.queues;
  }

  /**
   * The leaves quantity of the actor's orders at the price of this order, if the book does not display them. Returns 0 if it does. Rejects
   * with a StoreError.
   */
  async undisplayedAt(actorId: string, request: OrderRequest): Promise<MicroShares> {
    return this.#parts.isDisplayed ? (0 as MicroShares) : (await this.of(actorId)).leavesAt(request);
  }

  /** Sends messages about the actor's queues to a subscription until the returned function is called. */
  sendNews(actorId: string, subscription: Omit<QueueNewsParts, 'queues' | 'timers'>): () => void {
    const { queues, release } = this.#hold(actorId);
    const news = new QueueNews({ ...subscription, queues, timers: this.#parts.timers });
    return () => {
      news.close();
      release();
    };
  }

  /** Does the same as `of`, but keeps the queues until `release` is called. */
  #hold(actorId: string): { readonly queues: ActorQueues; readonly release: () => void } {
    const followed = this.#follow(actorId);
    followed.uses += 1;
    // A subscription tells what comes next. If the orders from before cannot be read, they may be read at a later question.
    followed.begun.catch(() => {});
    const release = (): void => {
      followed.uses -= 1;
      followed.askedAt = this.#parts.timers.elapsed();
    };
    return { queues: followed.queues, release };
  }

  #follow(actorId: string): Followed {
    const known = this.#actors.get(actorId);
    if (known !== undefined) return known;
    const { feed, follow } = this.#parts;
    const queues = new ActorQueues(this.#parts);
    const stop = follow(actorId, queues);
    const begun = queues.begin(feed.openOrders(actorId)).catch((error: unknown) => {
      this.#end(actorId);
      throw error;
    });
    const followed = { queues, begun, stop, uses: 0, askedAt: this.#parts.timers.elapsed() };
    this.#actors.set(actorId, followed);
    this.#endLater(actorId, followed);
    return followed;
  }

  #endLater(actorId: string, followed: Followed): void {
    const { timers } = this.#parts;
    timers.after(FOLLOWED_MS, () => {
      if (this.#actors.get(actorId) !== followed) return;
      if (followed.uses > 0 || timers.elapsed() - followed.askedAt < FOLLOWED_MS) this.#endLater(actorId, followed);
      else this.#end(actorId);
    });
  }

  #end(actorId: string): void {
    const followed = this.#actors.get(actorId);
    this.#actors.delete(actorId);
    followed?.stop();
    followed?.queues.close();
  }
}
