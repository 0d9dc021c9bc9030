// The history's tables of orders without a journal, and typical orders and fills, for tests.

import type { Fill } from '../../../../src/core/domain/fill.ts';
import type { Venue } from '../../../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { createOrder, type Order, type OrderId } from '../../../../src/core/domain/order.ts';
import type { Intent, OrderRequest } from '../../../../src/core/domain/order-request.ts';
import type { OrderEventRecord, StoredOrder } from '../../../../src/core/store/order-records.ts';
import { OrderReader } from '../../../../src/core/store/orders/order-reader.ts';
import type { OrderWriter } from '../../../../src/core/store/orders/order-writer.ts';
import { PRUNE_FROM_START, pruneSlice, type RetentionBounds } from '../../../../src/core/store/orders/prune.ts';
import { limits } from '../../../../src/limits.ts';
import { HistoryTables } from '../../../../src/orders/history/tables.ts';
import { writeOrders } from '../../../support/write-orders.ts';

export const at = (ms: number): UnixMillis => ms as UnixMillis;

/** Returns an order id. The same number gives the same id. */
export function orderIdOf(number: number): OrderId {
  return `${number.toString(16).padStart(8, '0')}-0000-8000-8000-000000000000` as OrderId;
}

interface Appending {
  /** Appends an event with the actor's next cursor. */
  appendEvent(event: Omit<OrderEventRecord, 'cursor'>): void;
}
type RigWriter = OrderWriter & Appending;

/** The tables of orders, changed as the history's thread changes them. */
export class OrderTables extends OrderReader {
  readonly tables: HistoryTables;
  readonly #retention: RetentionBounds;
  #prunePlace = PRUNE_FROM_START;

  constructor(folder: string, retention: RetentionBounds = limits) {
    const tables = HistoryTables.open(folder);
    super(tables);
    this.tables = tables;
    this.#retention = retention;
  }

  change(work: (to: RigWriter) => void): void {
    this.tables.change(it => writeOrders(it, writer => work(Object.assign(writer, this.#appending(writer)))));
  }

  #appending(writer: OrderWriter): Appending {
    const cursors = new Map<string, number>();
    return {
      appendEvent: event => {
        const { actorId } = event;
        const cursor = (cursors.get(actorId) ?? this.lastCursor(actorId)) + 1;
        cursors.set(actorId, cursor);
        writer.putEvent({ ...event, cursor });
      },
    };
  }

  /** Prunes a slice. Returns whether more is left. */
  prune(now: UnixMillis): boolean {
    let isMore = false;
    this.tables.change(it => {
      const slice = pruneSlice(it, now, this.#prunePlace, this.#retention);
      this.#prunePlace = slice.next;
      isMore = slice.isMore;
    });
    return isMore;
  }

  close(): Promise<void> {
    return this.tables.close();
  }
}

function requestOf(venue: Venue, address: string): OrderRequest {
  const [size, price] = [10_000_000 as MicroShares, 5_000 as Ticks];
  return venue === 'venue_a'
    ? { venue, type: 'LIMIT', tokenId: address, side: 'BUY', size, price, postOnly: false, timeInForce: 'GTC' }
    : { venue, ticker: address, side: 'YES', action: 'BUY', size, price, timeInForce: 'GTC' };
}

interface OrderFacts {
  readonly number: number;
  readonly venue?: Venue;
  readonly address?: string;
  readonly actorId?: string;
  readonly createdAt?: number;
  readonly intent?: Intent | null;
}

export function storedOrder(
  { number, venue = 'venue_b', address = 'TICKER', actorId = 'alice', createdAt = number, intent = null }: OrderFacts,
  changes: Partial<Order> = {},
): StoredOrder {
  const made = createOrder({
    orderId: orderIdOf(number),
    podId: 'pod',
    actorId,
    keyId: 'key_0000000000000000',
    idempotencyKey: `key ${number}`,
    request: requestOf(venue, address),
    at: at(createdAt),
  });
  return { order: { ...made, ...changes }, intent, refusedAs: null };
}

export function fillOf(fillId: string, changes: Partial<Fill> = {}): Fill {
  return {
    fillId,
    venueTradeId: `trade of ${fillId}`,
    price: 5_000 as Ticks,
    size: 1_000_000 as MicroShares,
    fee: 100 as MicroDollars,
    liquidity: 'TAKER',
    settlement: 'CONFIRMED',
    executedAt: at(1),
    ...changes,
  };
}
