// An order feed without an engine and a history, with events in arrays. The test decides when news are heard, questions read and answers
// delivered, each in their order.

import type { Fill } from '../../src/core/domain/fill.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { createOrder, type Order, type OrderId } from '../../src/core/domain/order.ts';
import type { OrderEventRecord, OrderQuery } from '../../src/core/store/order-records.ts';
import { StoreError } from '../../src/core/store/store-error.ts';
import type { OpenOrdersPart, OrderFeed } from '../../src/gateway/stream/order-feed.ts';
import type { NewsListener } from '../../src/gateway/trading/engine-news.ts';
import { type HaltListener, Halts } from '../../src/gateway/trading/halts.ts';
import { openOrdersOf } from '../../src/gateway/trading-feed.ts';
import { newsOf } from '../../src/orders/engine/engine-messages.ts';

const AT = 1_790_000_000_000 as UnixMillis;

export const FILL: Fill = {
  fillId: 'fill-1',
  venueTradeId: 'trade-1',
  price: 5_300 as Ticks,
  size: 10_000_000 as MicroShares,
  fee: 180_000 as MicroDollars,
  liquidity: 'MAKER',
  settlement: 'CONFIRMED',
  executedAt: AT,
};

/** Makes an order of venue B, known by its number. */
export function orderOf(actorId: string, number: number): Order {
  const orderId = `00000000-0000-8000-8000-${String(number).padStart(12, '0')}` as OrderId;
  const request = {
    venue: 'venue_b',
    ticker: 'KXTEST-A',
    side: 'YES',
    action: 'BUY',
    size: 25_000_000 as MicroShares,
    price: 5_300 as Ticks,
    timeInForce: 'GTC',
  } as const;
  return createOrder({ orderId, podId: 'pod', actorId, keyId: 'key', idempotencyKey: 'k', request, at: AT });
}

export class MemoryOrderFeed implements OrderFeed {
  otherOwner: string | null = null;
  /** The events that were committed but not heard yet. */
  news: OrderEventRecord[] = [];
  /** The keys whose orders were to be cancelled. */
  readonly cancelled: string[] = [];
  /** For each cancel request, whether it repeats the request before it. */
  readonly isAgain: boolean[] = [];
  /** The number of cancels in a row that cannot begin. */
  refusals = 0;
  /** The open orders, newest first. */
  open: Order[] = [];
  /** The number of questions so far. */
  reads = 0;
  isBroken = false;
  /** Whether questions wait for `read` and `deliver`. Otherwise the feed answers at once. */
  isHeld = false;
  /** The most questions that were under way at a time. */
  underWayMax = 0;
  #underWay = 0;
  readonly reported = new Halts();
  readonly #kept = new Map<string, OrderEventRecord[]>();
  readonly #listeners = new Set<NewsListener>();
  readonly #followed = new Set<string>();
  readonly #unread: (() => void)[] = [];
  readonly #undelivered: (() => void)[] = [];
  /** The events with cursors up to this one are gone. */
  #prunedTo = 0;

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Commits the actor's next event. The news of the event wait for `tell`. */
  commit(actorId: string, event: OrderEventRecord['event'] = 'STATUS'): OrderEventRecord {
    const events = this.#of(actorId);
    const cursor = events.length + 1;
    const fill = event === 'STATUS' ? null : FILL;
    const record = { cursor, actorId, event, order: orderOf(actorId, cursor), fill, at: AT };
    events.push(record);
    this.news.push(record);
    return record;
  }

  /** Delivers the oldest `count` news to the listeners. */
  tell(count = this.news.length): void {
    const events = this.news.splice(0, count);
    for (const hear of this.#listeners) hear(events.map(it => newsOf(it, this.#followed.has(it.actorId))));
  }

  prune(upTo: number): void {
    this.#prunedTo = Math.max(this.#prunedTo, upTo);
  }

  /** Has the history look up the answers to the oldest `count` questions. */
  read(count = this.#unread.length): void {
    for (const look of this.#unread.splice(0, count)) look();
  }

  /** Delivers the oldest `count` answers that were found. */
  deliver(count = this.#undelivered.length): void {
    for (const arrive of this.#undelivered.splice(0, count)) arrive();
  }

  /** Answers everything that waits, and from now on answers each question at once. */
  release(): void {
    this.isHeld = false;
    this.read();
    this.deliver();
  }

  committed(actorId: string): number {
    return this.#of(actorId).length;
  }

  events(actorId: string, after: number, rowsMax: number): Promise<readonly OrderEventRecord[] | null> {
    return this.#ask(() => {
      const events = this.#of(actorId);
      return after < this.#prunedTo || after > events.length ? null : events.slice(after, after + rowsMax);
    });
  }

  lastCursor(actorId: string): Promise<number> {
    return this.#ask(() => this.committed(actorId));
  }

  halts(actorId: string) {
    return this.reported.of(actorId);
  }

  listenHalts(hear: HaltListener): () => void {
    return this.reported.listen(hear);
  }

  openOrders(actorId: string): AsyncIterator<OpenOrdersPart, undefined> {
    return openOrdersOf(query => this.#ask(() => this.#list(query)), actorId);
  }

  follow(actorId: string, isFollowed: boolean): void {
    if (isFollowed) this.#followed.add(actorId);
    else this.#followed.delete(actorId);
  }

  listen(hear: NewsListener): () => void {
    this.#listeners.add(hear);
    return () => this.#listeners.delete(hear);
  }

  cancelAllOf(keyId: string, _actorId: string, _podId: string, isAgain = false): Promise<boolean> {
    this.cancelled.push(keyId);
    this.isAgain.push(isAgain);
    if (this.refusals === 0) return Promise.resolve(true);
    this.refusals -= 1;
    return Promise.resolve(false);
  }

  async #ask<T>(look: () => T): Promise<T> {
    this.reads += 1;
    this.#underWay += 1;
    this.underWayMax = Math.max(this.underWayMax, this.#underWay);
    try {
      if (this.isBroken) throw new StoreError('disk');
      if (!this.isHeld) return look();
      return await new Promise(resolve => {
        this.#unread.push(() => {
          const found = look();
          this.#undelivered.push(() => resolve(found));
        });
      });
    } finally {
      this.#underWay -= 1;
    }
  }

  #list({ venue, status, after, rowsMax }: OrderQuery): readonly Order[] {
    const orders = this.open.filter(order => order.request.venue === venue && order.status === status);
    const from = after === null ? 0 : orders.findIndex(({ orderId }) => orderId === after.orderId) + 1;
    return orders.slice(from, from + rowsMax);
  }

  #of(actorId: string): OrderEventRecord[] {
    const events = this.#kept.get(actorId) ?? [];
    this.#kept.set(actorId, events);
    return events;
  }
}
