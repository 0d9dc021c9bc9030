// Order stores in a temporary folder, and typical orders and fills, for tests.

import { expect } from 'vitest';
import type { Fill } from '../../../src/domain/fill.ts';
import type { Intent } from '../../../src/domain/intent.ts';
import type { Venue } from '../../../src/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/domain/numbers.ts';
import { createOrder, type Order, type OrderId } from '../../../src/domain/order.ts';
import type { OrderRequest } from '../../../src/domain/order-request.ts';
import type { StoredOrder } from '../../../src/store/order-records.ts';
import { type OpenedOrderStore, type OrderStoreOptions, openOrderStore } from '../../../src/store/order-store.ts';
import { FailingFiles } from '../durable/failing-files.ts';
import { realTimers } from '../durable/store-rig.ts';

export const at = (ms: number): UnixMillis => ms as UnixMillis;

/** The same for the same number. */
export function orderIdOf(number: number): OrderId {
  return `${number.toString(16).padStart(8, '0')}-0000-8000-8000-000000000000` as OrderId;
}

export function openOrders(folder: string, changes: Partial<OrderStoreOptions> = {}): Promise<OpenedOrderStore> {
  return openOrderStore({
    folder,
    mode: 'process-safe',
    role: 'owner',
    timers: realTimers,
    bounds: { storeSegmentBytes: 100_000, storeSyncDelayMs: 4 },
    ...changes,
  });
}

/** Of a store that its owner has open: as a sync that fails on some thread leaves it for all. */
export async function failDiskOf(folder: string): Promise<void> {
  const files = new FailingFiles();
  const member = await openOrders(folder, { role: 'member', files });
  member.change(transaction => transaction.putMark('written', 'and not on disk'));
  files.failing.add('syncSoon');
  await expect(member.durable.durable()).rejects.toThrow('syncSoon failed');
  await member.close();
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
    request: requestOf(venue, address),
    at: at(createdAt),
  });
  return { order: { ...made, ...changes }, intent, idempotencyKey: `key ${number}`, refusedAs: null };
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
