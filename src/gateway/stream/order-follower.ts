// One subscription to the caller's own orders: it tells each event once, in the order of their cursors. Live events are told as
// they are heard; whatever does not follow on from the last one told (a hole, a client that was away or reads slowly) is read
// from the store instead, page by page, as far as there is room. Nothing is queued here. Main thread.

import type { Order } from '../../domain/order.ts';
import { assert, unreachable } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { TurnQueue } from '../../runtime/turn-queue.ts';
import type { OrderEventRecord } from '../../store/order-records.ts';
import { StoreError } from '../../store/store-error.ts';
import type { OrderMessage, ServerMessage } from '../../wire/messages.ts';
import { fillView, venueOrderView } from '../../wire/order-views.ts';
import type { OrderFeed } from './order-feed.ts';

/** The connection, as far as a follower may use it. */
export interface OrderOutlet {
  send(message: ServerMessage): void;
  batch(task: () => void): void;
  /** Whether it takes more just now. */
  hasRoom(): boolean;
  /** Something waits for room: `catchUp` is called once there is some. */
  postpone(): void;
  /** Ends the connection: we cannot go on. */
  fail(why: string): void;
}

export interface FollowerParts {
  readonly feed: OrderFeed;
  readonly timers: Timers;
  /** Shared by all followers. */
  readonly turns: TurnQueue;
  readonly actorId: string;
  readonly outlet: OrderOutlet;
}

/**
 * `live`: everything known was told. `more`: the next page comes in a while, after other sockets had their turn. `late`: it has
 * heard of what the store does not show yet. `full`: it waits for room.
 */
type Standing = 'live' | 'more' | 'late' | 'full';

/** Open orders that are still to be told, before any event: the next of them, and the others. */
interface Snapshot {
  readonly id: string | null;
  readonly next: IteratorResult<Order>;
  readonly orders: Iterator<Order>;
}

export class OrderFollower {
  readonly #parts: FollowerParts;
  /** Of the last event that was told. */
  #cursor = 0;
  /** The highest that was heard of. */
  #heard = 0;
  #standing: Standing = 'live';
  #snapshot: Snapshot | null = null;
  #cancelNext: () => void = () => {};
  #isClosed = false;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Answers the subscription, and begins after `from`, or with what happens from now on. */
  begin(id: string | null, from: number | null): void {
    this.#guard(() => {
      const { feed, turns, actorId, outlet } = this.#parts;
      this.#cursor = from ?? feed.lastCursor(actorId);
      if (from !== null && feed.events(actorId, from, 1) === null) this.#expire(id, `from: what followed ${from}`);
      else {
        const acknowledgement = { type: 'subscribed', channel: 'orders', accepted: [], rejected: [] } as const;
        outlet.send({ ...acknowledgement, id, cursor: this.#cursor });
      }
      // From now on there is nothing to read yet.
      if (from === null || turns.take()) this.#proceed();
      else this.#stand('more');
    });
  }

  hear(events: readonly OrderEventRecord[]): void {
    this.#guard(() => this.#parts.outlet.batch(() => this.#hear(events)));
  }

  /** Whether there is something that nobody told of. */
  look(): void {
    this.#guard(() => {
      const { feed, actorId } = this.#parts;
      if (this.#standing === 'live' && feed.lastCursor(actorId) > this.#cursor) this.#proceed();
    });
  }

  /** There is room again. False if it was not enough. */
  catchUp(): boolean {
    if (this.#standing === 'full') this.#guard(() => this.#proceed());
    return this.#standing !== 'full';
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelNext();
  }

  #hear(events: readonly OrderEventRecord[]): void {
    for (const event of events) {
      this.#heard = Math.max(this.#heard, event.cursor);
      if (this.#standing !== 'live') continue;
      const isNext = event.cursor === this.#cursor + 1;
      if (isNext && this.#parts.outlet.hasRoom()) this.#tell(event);
      else if (event.cursor > this.#cursor) this.#stand(this.#readOn());
    }
  }

  #proceed(): void {
    this.#parts.outlet.batch(() => this.#stand(this.#readOn()));
  }

  /** Tells what the store has after the last one that was told: a part of a snapshot, or a page of events, before others get their turn. */
  #readOn(): Standing {
    const { feed, actorId, outlet } = this.#parts;
    if (this.#snapshot !== null && outlet.hasRoom()) {
      this.#snapshot = this.#tellPart(this.#snapshot);
      if (this.#snapshot !== null) return 'more';
    }
    if (!outlet.hasRoom()) return 'full';
    const page = feed.events(actorId, this.#cursor, limits.orderEventsPerReadMax);
    if (page === null) {
      // What it has heard of is newer than what the store shows: it was told ahead.
      if (feed.lastCursor(actorId) < this.#heard) return 'late';
      this.#expire(null, `this connection read too slowly: what followed ${this.#cursor}`);
      return 'more';
    }
    for (const event of page) {
      if (!outlet.hasRoom()) return 'full';
      this.#tell(event);
    }
    if (page.length === limits.orderEventsPerReadMax) return 'more';
    return this.#cursor < this.#heard ? 'late' : 'live';
  }

  #stand(standing: Standing): void {
    this.#standing = standing;
    if (this.#isClosed) return;
    switch (standing) {
      case 'live':
        break;
      case 'full':
        this.#parts.outlet.postpone();
        break;
      case 'more':
        this.#cancelNext = this.#parts.turns.add(this.#goOn);
        break;
      case 'late':
        this.#cancelNext = this.#parts.timers.after(limits.orderEventsRereadMs, this.#goOn);
        break;
      default:
        unreachable(standing);
    }
  }

  readonly #goOn = (): void => this.#guard(() => this.#proceed());

  #tell(event: OrderEventRecord): void {
    assert(event.cursor === this.#cursor + 1, `event ${event.cursor} does not follow ${this.#cursor}`);
    this.#cursor = event.cursor;
    this.#parts.outlet.send(orderMessage(event));
  }

  /** The events are gone: the open orders take their place. */
  #expire(id: string | null, what: string): void {
    const { feed, actorId, outlet } = this.#parts;
    const message = `${what} is not kept any more; a snapshot of the open orders follows`;
    outlet.send({ type: 'error', id, code: 'CURSOR_EXPIRED', message, rejected: [] });
    // The cursor first: an order that changes in between is told again, rather than not at all.
    this.#cursor = feed.lastCursor(actorId);
    const orders = feed.openOrders(actorId);
    this.#snapshot = { id, next: orders.next(), orders };
  }

  /** Returns what is left of it; null once it is whole. */
  #tellPart({ id, next: first, orders }: Snapshot): Snapshot | null {
    const part: Order[] = [];
    let next = first;
    for (; next.done !== true && part.length < limits.ordersPerSnapshotMax; next = orders.next()) part.push(next.value);
    const hasMore = next.done !== true;
    const message = {
      type: 'ordersSnapshot',
      id,
      cursor: this.#cursor,
      orders: part.map(venueOrderView),
      hasMore,
    } as const;
    this.#parts.outlet.send(message);
    return hasMore ? { id, next, orders } : null;
  }

  /** A store that cannot be read ends the connection: the client comes back with its cursor and misses nothing. */
  #guard(task: () => void): void {
    try {
      task();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#parts.outlet.fail('the order store cannot be read');
    }
  }
}

function orderMessage({ cursor, event, order, fill }: OrderEventRecord): OrderMessage {
  return { type: 'order', cursor, event, ...venueOrderView(order), fill: fill === null ? null : fillView(fill) };
}
