// The state that all connections of the orders channel share: the feed, the followers of each actor, and the grace periods of
// cancelOnDisconnect. Main thread.

import { EndableTimers, type Timers } from '../../core/runtime/timers.ts';
import type { OrderNews } from '../../orders/engine/engine-messages.ts';
import { type HaltChange, isAbout } from '../../orders/engine/halt-change.ts';
import { OrderDisconnects } from './order-disconnects.ts';
import type { OrderFeed } from './order-feed.ts';
import { OrderFollower, type OrderOutlet, ReadingTurns } from './order-follower.ts';
import { QueueHub } from './queue-hub.ts';
import type { QueuesParts } from './queues.ts';

/** Takes in the news of one actor. */
interface ActorListener {
  handleNews(news: readonly OrderNews[]): void;
  handleHalt?(change: HaltChange): void;
}

export class OrderHub {
  readonly disconnects: OrderDisconnects;
  /** The queues ahead of working orders. Null if the hub was made without books. */
  readonly queues: QueueHub | null;
  readonly #feed: OrderFeed;
  readonly #timers: EndableTimers;
  readonly #turns: ReadingTurns;
  readonly #followers = new Map<string, Set<ActorListener>>();
  readonly #stopListening: () => void;

  constructor(feed: OrderFeed, timers: Timers, books: Omit<QueuesParts, 'timers'> | null = null) {
    this.#feed = feed;
    this.#timers = new EndableTimers(timers);
    this.#turns = new ReadingTurns(this.#timers);
    this.disconnects = new OrderDisconnects(feed, this.#timers);
    const follow = (actorId: string, listener: ActorListener): (() => void) => {
      this.#add(actorId, listener);
      return () => this.#remove(actorId, listener);
    };
    this.queues = books === null ? null : new QueueHub({ ...books, feed, timers: this.#timers, follow });
    const stops = [
      feed.listen(this.#handleNews),
      feed.listenHalts(change => {
        for (const [actorId, followers] of this.#followers)
          if (isAbout(change, actorId)) for (const follower of followers) follower.handleHalt?.(change);
      }),
    ];
    this.#stopListening = () => {
      for (const stop of stops) stop();
    };
  }

  /** The base URL of the gateway that owns the pod. Null means that this gateway owns it. */
  get otherOwner(): string | null {
    return this.#feed.otherOwner;
  }

  /** Returns a follower that sends the actor's events to `outlet` until `leave` is called. */
  follow(actorId: string, outlet: OrderOutlet): OrderFollower {
    const follower = new OrderFollower({ feed: this.#feed, turns: this.#turns, actorId, outlet });
    this.#add(actorId, follower);
    return follower;
  }

  leave(actorId: string, follower: OrderFollower): void {
    follower.close();
    this.#remove(actorId, follower);
  }

  /** Stops all events and all grace periods. */
  close(): void {
    this.#stopListening();
    this.#timers.end();
  }

  #add(actorId: string, listener: ActorListener): void {
    const followers = this.#followers.get(actorId);
    if (followers === undefined) {
      this.#followers.set(actorId, new Set([listener]));
      this.#feed.follow(actorId, true);
    } else followers.add(listener);
  }

  #remove(actorId: string, listener: ActorListener): void {
    const followers = this.#followers.get(actorId);
    followers?.delete(listener);
    if (followers?.size !== 0) return;
    this.#followers.delete(actorId);
    this.#feed.follow(actorId, false);
  }

  readonly #handleNews = (news: readonly OrderNews[]): void => {
    if (this.#followers.size === 0) return;
    for (const [actorId, ofActor] of Map.groupBy(news, it => it.actorId)) {
      for (const follower of this.#followers.get(actorId) ?? []) follower.handleNews(ofActor);
    }
  };
}
