// Which orders stay in memory: those that may change without being named, and no others.

import { expect, it } from 'vitest';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { createOrder, type Order, type OrderEvent, type OrderId, transition } from '../../../src/core/domain/order.ts';
import { mustStayInMemory } from '../../../src/core/store/order-records.ts';
import { limits } from '../../../src/limits.ts';

const AT = 1_790_000_000_000 as UnixMillis;
const SHARE = 1_000_000;
const MADE = createOrder({
  ...{ orderId: 'order' as OrderId, podId: 'pod', actorId: 'alice', keyId: 'key', idempotencyKey: 'k', at: AT },
  request: {
    ...{ venue: 'venue_b', ticker: 'TICKER', side: 'YES', action: 'BUY' },
    ...{ size: (10 * SHARE) as MicroShares, price: 5_000 as Ticks, timeInForce: 'GTC' },
  },
});

it('an order that is not terminal stays, however old it is', () => {
  expect(stays(MADE, 100 * limits.accountFirstReadMs)).toBe(true);
  expect(stays(after({ type: 'sent', at: AT }), 100 * limits.accountFirstReadMs)).toBe(true);
});

it('an order that has ended stays while it has unreported fills, for as long as readings look back', () => {
  const stated = { size: (4 * SHARE) as MicroShares, cost: 0n, fees: 0 as MicroDollars };
  const ended = after({ type: 'sent', at: AT }, { type: 'ends', at: AT, venueOrderId: 'v', stated });
  expect([stays(ended, 0), stays(ended, limits.accountFirstReadMs - 1)]).toEqual([true, true]);
  expect(stays(ended, limits.accountFirstReadMs)).toBe(false);
  const fill = { size: (4 * SHARE) as MicroShares, price: 5_000 as Ticks, fee: 0 as MicroDollars };
  expect(stays(transition(ended, { type: 'fills', at: AT, fill } as never), 0)).toBe(false);
});

it('an order without a trace stays as long, and no other refused one', () => {
  const error = { code: 'UNKNOWN', message: null } as const;
  const sent: OrderEvent = { type: 'sent', at: AT };
  const givenUp = after(sent, { type: 'refused', at: AT, error, isReleased: false });
  expect([stays(givenUp, 0), stays(givenUp, limits.accountFirstReadMs)]).toEqual([true, false]);
  expect(stays(after(sent, { type: 'refused', at: AT, error, isReleased: true }), 0)).toBe(false);
  const refused = { code: 'VENUE_REJECTED', message: null } as const;
  expect(stays(after(sent, { type: 'refused', at: AT, error: refused, isReleased: false }), 0)).toBe(false);
});

function after(...events: readonly OrderEvent[]): Order {
  return events.reduce((order: Order, event) => transition(order, event as never), MADE);
}

function stays(order: Order, laterMs: number): boolean {
  return mustStayInMemory({ order, intent: null, refusedAs: null }, (order.updatedAt + laterMs) as UnixMillis);
}
