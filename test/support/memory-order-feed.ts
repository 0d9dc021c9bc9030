// The order feed without a store: events in arrays, news that arrive when and in whatever order a test lets them.

import type { Fill } from '../../src/domain/fill.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import type { Order, OrderId } from '../../src/domain/order.ts';
import { createOrder } from '../../src/domain/order.ts';
import type { OrderFeed } from '../../src/gateway/stream/order-feed.ts';
import type { OrderEventRecord } from '../../src/store/order-records.ts';
import { StoreError } from '../../src/store/store-error.ts';

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

/** An order of venue B, told apart by its number. */
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
  return createOrder({ orderId, podId: 'pod', actorId, keyId: 'key', request, at: AT });
}

export class MemoryOrderFeed implements OrderFeed {
  /** What was committed and not told yet. */
  news: OrderEventRecord[] = [];
  /** Keys whose orders were to be cancelled. */
  readonly cancelled: string[] = [];
  /** So many cancels in a row that cannot be begun. */
  refusals = 0;
  open: Order[] = [];
  /** The newest so many events are not shown yet. */
  hidden = 0;
  /** Reads so far. */
  reads = 0;
  isBroken = false;
  readonly #kept = new Map<string, OrderEventRecord[]>();
  readonly #listeners = new Set<(events: readonly OrderEventRecord[]) => void>();
  readonly #shownTo = new Map<string, number>();
  /** Cursors up to this one are gone. */
  #prunedTo = 0;

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Commits the actor's next event; its news wait. */
  commit(actorId: string, event: OrderEventRecord['event'] = 'STATUS'): OrderEventRecord {
    const events = this.#of(actorId);
    const cursor = events.length + 1;
    const fill = event === 'STATUS' ? null : FILL;
    const record = { cursor, actorId, event, order: orderOf(actorId, cursor), fill, at: AT };
    events.push(record);
    this.news.push(record);
    return record;
  }

  /** Tells all that waits, or those. */
  tell(events: readonly OrderEventRecord[] = this.news.splice(0)): void {
    for (const hear of this.#listeners) hear(events);
  }

  prune(upTo: number): void {
    this.#prunedTo = Math.max(this.#prunedTo, upTo);
  }

  events(actorId: string, after: number, rowsMax: number): readonly OrderEventRecord[] | null {
    this.#read();
    const shown = this.#shown(actorId);
    if (after < this.#prunedTo || after > shown) return null;
    return this.#of(actorId).slice(after, Math.min(shown, after + rowsMax));
  }

  lastCursor(actorId: string): number {
    this.#read();
    return this.#shown(actorId);
  }

  openOrders(): Iterator<Order> {
    this.#read();
    return this.open.values();
  }

  listen(hear: (events: readonly OrderEventRecord[]) => void): () => void {
    this.#listeners.add(hear);
    return () => this.#listeners.delete(hear);
  }

  cancelAllOf(keyId: string): Promise<boolean> {
    this.cancelled.push(keyId);
    if (this.refusals === 0) return Promise.resolve(true);
    this.refusals -= 1;
    return Promise.resolve(false);
  }

  #read(): void {
    this.reads += 1;
    if (this.isBroken) throw new StoreError('disk');
  }

  /** What was shown once stays. */
  #shown(actorId: string): number {
    const shown = Math.max(this.#shownTo.get(actorId) ?? 0, this.#of(actorId).length - this.hidden);
    this.#shownTo.set(actorId, shown);
    return shown;
  }

  #of(actorId: string): OrderEventRecord[] {
    const events = this.#kept.get(actorId) ?? [];
    this.#kept.set(actorId, events);
    return events;
  }
}
