// The state that all connections of the orders channel share: the feed, the followers of each actor, and the grace periods of
// cancelOnDisconnect. Main thread.

import { EndableTimers, type Timers } from '../../core/runtime/timers.ts';
import type { OrderNews } from '../../orders/engine/engine-messages.ts';
import { OrderDisconnects } from './order-disconnects.ts';
import type { OrderFeed } from './order-feed.ts';
import { OrderFollower, type OrderOutlet, ReadingTurns } from './order-follower.ts';

export class OrderHub {
  readonly disconnects: OrderDisconnects;
  readonly #feed: OrderFeed;
  readonly #timers: EndableTimers;
  readonly #turns: ReadingTurns;
  readonly #followers = new Map<string, Set<OrderFollower>>();
  readonly #stopListening: () => void;

  constructor(feed: OrderFeed, timers: Timers) {
    this.#feed = feed;
    this.#timers = new EndableTimers(timers);
    this.#turns = new ReadingTurns(this.#timers);
    this.disconnects = new OrderDisconnects(feed, this.#timers);
    const stops = [
      feed.listen(news => this.#hear(news)),
      feed.listenProtections(change => {
        for (const follower of this.#followers.get(change.protection.actorId) ?? []) follower.hearProtection(change);
      }),
    ];
    this.#stopListening = () => {
      for (const stop of stops) stop();
    };
  }

  /** Base URL of the gateway that owns the pod; null: this one does. */
  get elsewhere(): string | null {
    return this.#feed.elsewhere;
  }

  /** Returns a follower that sends the actor's events to `outlet` until it is released. */
  follow(actorId: string, outlet: OrderOutlet): OrderFollower {
    const follower = new OrderFollower({ feed: this.#feed, turns: this.#turns, actorId, outlet });
    const followers = this.#followers.get(actorId);
    if (followers === undefined) {
      this.#followers.set(actorId, new Set([follower]));
      this.#feed.follow(actorId, true);
    } else followers.add(follower);
    return follower;
  }

  leave(actorId: string, follower: OrderFollower): void {
    follower.close();
    const followers = this.#followers.get(actorId);
    followers?.delete(follower);
    if (followers?.size !== 0) return;
    this.#followers.delete(actorId);
    this.#feed.follow(actorId, false);
  }

  /** From now on no events are sent, and no grace period runs out. */
  close(): void {
    this.#stopListening();
    this.#timers.end();
  }

  #hear(news: readonly OrderNews[]): void {
    if (this.#followers.size === 0) return;
    for (const [actorId, ofActor] of Map.groupBy(news, it => it.actorId)) {
      for (const follower of this.#followers.get(actorId) ?? []) follower.hear(ofActor);
    }
  }
}
