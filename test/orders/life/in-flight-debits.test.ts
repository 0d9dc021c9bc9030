// The most that orders in flight may take: for each kind of order, before and after its fills. Orders that rest or have ended take nothing.

import { expect, it } from 'vitest';
import type { MicroDollars, MicroShares } from '../../../src/core/domain/numbers.ts';
import type { Order } from '../../../src/core/domain/order.ts';
import type { OrderRequest } from '../../../src/core/domain/order-request.ts';
import { NOTHING_FILLED } from '../../../src/core/domain/order-sums.ts';
import { noPosition } from '../../../src/core/domain/position.ts';
import { inFlightDebits } from '../../../src/orders/life/worst-cost.ts';
import { at, storedOrder } from '../../core/store/orders/order-rig.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';
import { shares, TOKEN_SELL, YES_BUY } from './orders-rig.ts';

const TOKEN_BUY: OrderRequest = { ...TOKEN_SELL, side: 'BUY' };
const SPEND: OrderRequest = {
  venue: 'venue_a',
  tokenId: '1001',
  type: 'MARKET',
  side: 'BUY',
  dollars: 5_000_001 as MicroDollars,
  worstPrice: null,
  timeInForce: 'FAK',
};
const NONE: ReadonlySet<never> = new Set();
const YES_SELL = { ...YES_BUY, action: 'SELL' } as const;

/** Returns the debit, in micro-dollars, of one order of `alice`, who holds `held` of the traded token. */
function debitOf(request: OrderRequest, changes: Partial<Order> = {}, held = 0, isCounted = false): number {
  const store = new MemoryLedger();
  const { venue } = request;
  const stored = storedOrder({ number: 1, venue }, { request, status: 'SUBMITTED', ...changes });
  const address = venue === 'venue_a' ? request.tokenId : request.ticker;
  store.change(transaction => {
    transaction.putOrder(stored);
    transaction.putPosition('alice', { ...noPosition(venue, address, at(1)), size: shares(held) });
  });
  return inFlightDebits(store, { podId: 'pod', venue }, isCounted ? new Set([stored.order.orderId]) : NONE);
}

const three = { size: shares(3), cost: 3_000_000n * 5_600n, fees: 0 as MicroDollars };

it.each<[string, OrderRequest, number]>([
  ['ten YES at 0.56', YES_BUY, 5_600_000],
  ['ten NO at 0.56', { ...YES_BUY, side: 'NO' }, 5_600_000],
  ['a sale of ten YES at 0.56, which buys NO', YES_SELL, 4_400_000],
  ['five tokens at 0.56', TOKEN_BUY, 2_800_000],
  ['a sale of tokens', TOKEN_SELL, 0],
  ['so many dollars', SPEND, 5_000_001],
  ['less than a micro-dollar, rounded up', { ...YES_BUY, size: 1 as MicroShares }, 1],
])('%s', (_what, request, debit) => {
  expect(debitOf(request)).toBe(debit);
  expect(debitOf(request, { status: 'PENDING' })).toBe(debit);
});

it('a part that has traded takes no more cash', () => {
  expect(debitOf(YES_BUY, { filled: three })).toBe(7 * 560_000);
  expect(debitOf(YES_BUY, { filled: NOTHING_FILLED, stated: three })).toBe(7 * 560_000);
  expect(debitOf(SPEND, { filled: three })).toBe(5_000_001 - 1_680_000);
});

it('a part that closes a holding costs nothing', () => {
  expect(debitOf(YES_SELL, {}, 4)).toBe(6 * 440_000);
  expect(debitOf(YES_SELL, {}, 40)).toBe(0);
  expect(debitOf(YES_BUY, {}, -4)).toBe(6 * 560_000);
  expect(debitOf(YES_BUY, {}, 4)).toBe(10 * 560_000);
  expect(debitOf(TOKEN_BUY, {}, 4)).toBe(2_800_000);
});

it.each(['OPEN', 'FILLED', 'CANCELLED', 'REJECTED'] as const)('%s is not in flight', status => {
  expect(debitOf(YES_BUY, { status, cancelRequestedAt: at(1) })).toBe(0);
});

it('an order for which the venue holds money back takes no more', () => {
  expect(debitOf(YES_BUY, {}, 0, true)).toBe(0);
});

it('orders of other pods and venues do not count', () => {
  const store = new MemoryLedger();
  store.change(transaction => {
    for (const number of [1, 2])
      transaction.putOrder(storedOrder({ number }, { request: YES_BUY, status: 'SUBMITTED' }));
  });
  expect(inFlightDebits(store, { podId: 'pod', venue: 'venue_b' }, NONE)).toBe(11_200_000);
  expect(inFlightDebits(store, { podId: 'pod', venue: 'venue_a' }, NONE)).toBe(0);
  expect(inFlightDebits(store, { podId: 'pods', venue: 'venue_b' }, NONE)).toBe(0);
});
