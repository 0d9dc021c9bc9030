// What all connections share of the orders channel: the feed, who follows which actor, and the graces of cancelOnDisconnect.
// Main thread.

import { limits } from '../../limits.ts';
import { EndableTimers, type Timers } from '../../runtime/timers.ts';
import { TurnQueue } from '../../runtime/turn-queue.ts';
import type { OrderEventRecord } from '../../store/order-records.ts';
import { OrderDisconnects } from './order-disconnects.ts';
import type { OrderFeed } from './order-feed.ts';
import { OrderFollower, type OrderOutlet } from './order-follower.ts';

export class OrderHub {
  readonly disconnects: OrderDisconnects;
  readonly #feed: OrderFeed;
  readonly #timers: EndableTimers;
  /** Of followers that have much to read: after a restart all may have. */
  readonly #turns = new TurnQueue(task => void this.#timers.after(0, task));
  readonly #followers = new Map<string, Set<OrderFollower>>();
  readonly #stopListening: () => void;
  #cancelLook: () => void = () => {};

  constructor(feed: OrderFeed, timers: Timers) {
    this.#feed = feed;
    this.#timers = new EndableTimers(timers);
    this.disconnects = new OrderDisconnects(feed, this.#timers);
    this.#stopListening = feed.listen(events => this.#hear(events));
  }

  /** Who tells an actor's events to `outlet`, until it is given back. */
  follow(actorId: string, outlet: OrderOutlet): OrderFollower {
    const follower = new OrderFollower({ feed: this.#feed, timers: this.#timers, turns: this.#turns, actorId, outlet });
    const followers = this.#followers.get(actorId);
    if (this.#followers.size === 0) this.#lookLater();
    if (followers === undefined) this.#followers.set(actorId, new Set([follower]));
    else followers.add(follower);
    return follower;
  }

  leave(actorId: string, follower: OrderFollower): void {
    follower.close();
    const followers = this.#followers.get(actorId);
    followers?.delete(follower);
    if (followers?.size === 0) this.#followers.delete(actorId);
    if (this.#followers.size === 0) this.#cancelLook();
  }

  /** Nobody is told anything any more, and no grace runs out. */
  close(): void {
    this.#stopListening();
    this.#timers.end();
  }

  #hear(events: readonly OrderEventRecord[]): void {
    for (const [actorId, ofActor] of Map.groupBy(events, event => event.actorId)) {
      for (const follower of this.#followers.get(actorId) ?? []) follower.hear(ofActor);
    }
  }

  /** A thread may have died between committing an event and telling it. */
  #lookLater(): void {
    this.#cancelLook = this.#timers.after(limits.orderEventsLookMs, () => {
      this.#lookLater();
      for (const followers of this.#followers.values()) for (const follower of followers) follower.look();
    });
  }
}
