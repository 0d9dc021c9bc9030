// Orders and fills as callers see them. They match the contract's schema, and anybody can recompute their amounts.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fill } from '../../../src/core/domain/fill.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { createOrder, type Order, type OrderId, transition } from '../../../src/core/domain/order.ts';
import type { OrderRequest } from '../../../src/core/domain/order-request.ts';
import { VENUE_B_ORDER, viewFromJson } from '../../../src/core/wire/order-fields.ts';
import { cancelledView, fillView, orderView } from '../../../src/core/wire/order-views.ts';
import { openapiSchemas } from '../../support/contract-schema.ts';

const AT = 1_790_000_000_123 as UnixMillis;
const SHARE = 1_000_000;
const LIMIT: OrderRequest = {
  venue: 'venue_a',
  tokenId: '123',
  type: 'LIMIT',
  side: 'BUY',
  size: (100 * SHARE) as MicroShares,
  price: 5_300 as Ticks,
  postOnly: true,
  timeInForce: 'GTC',
};
const SPEND: OrderRequest = {
  venue: 'venue_a',
  tokenId: '123',
  type: 'MARKET',
  side: 'BUY',
  dollars: 50_250_000 as MicroDollars,
  worstPrice: null,
  timeInForce: 'FOK',
};
const SELL: OrderRequest = {
  venue: 'venue_a',
  tokenId: '123',
  type: 'MARKET',
  side: 'SELL',
  size: (7.5 * SHARE) as MicroShares,
  worstPrice: null,
  timeInForce: 'FAK',
};
const CONTRACTS: OrderRequest = {
  venue: 'venue_b',
  ticker: 'KX-A',
  side: 'NO',
  action: 'BUY',
  size: (3 * SHARE) as MicroShares,
  price: 4_200 as Ticks,
  timeInForce: 'IOC',
};

function orderOf(request: OrderRequest): Order<'PENDING'> {
  const orderId = '5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38' as OrderId;
  return createOrder({ orderId, podId: 'pod', actorId: 'actor', keyId: 'key', idempotencyKey: 'k-1', request, at: AT });
}

function traded(request: OrderRequest, fills: readonly (readonly [shares: number, price: number])[]): Order {
  let order: Order = transition(orderOf(request), { type: 'sent', at: AT });
  for (const [shares, price] of fills) {
    const fill = {
      size: Math.round(shares * SHARE) as MicroShares,
      price: price as Ticks,
      fee: 12_345 as MicroDollars,
    };
    order = transition(order as Order<'OPEN'>, { type: 'fills', at: AT, fill });
  }
  return order;
}

const schemaOf = (order: Order): string =>
  `#/components/schemas/${order.request.venue === 'venue_a' ? 'VenueAOrder' : 'VenueBOrder'}`;

describe('an order', () => {
  it('at venue A shows what was asked in the words it was asked in', () => {
    expect(orderView(orderOf(LIMIT), true)).toMatchObject({
      type: 'LIMIT',
      size: '100',
      price: '0.53',
      amount: null,
      postOnly: true,
    });
    expect(orderView(orderOf(SPEND), true)).toMatchObject({ size: null, price: null, amount: '50.25', postOnly: null });
    expect(orderView(orderOf(SELL), true)).toMatchObject({ amount: '7.5', side: 'SELL' });
  });

  it('at venue B is whole contracts and cents, NO in its own frame', () => {
    expect(orderView(orderOf(CONTRACTS), true)).toMatchObject({
      count: 3,
      size: '3',
      priceCents: 42,
      price: '0.42',
      timeInForce: { type: 'IOC' },
    });
    const finer = { ...CONTRACTS, price: 3_165 as Ticks };
    expect(orderView(orderOf(finer), true)).toMatchObject({ priceCents: null, price: '0.3165' });
    const part = { ...CONTRACTS, size: 220_000 as MicroShares };
    expect(orderView(orderOf(part), true)).toMatchObject({ count: null, size: '0.22' });
  });

  it('has no amounts before it has traded, and exact ones after', () => {
    expect(orderView(orderOf(LIMIT), true)).toMatchObject({
      filledShares: null,
      averagePrice: null,
      feesUsd: null,
      closedAt: null,
    });
    const order = traded(LIMIT, [
      [40, 5_290],
      [20, 5_300],
    ]);
    // (40 × 0.529 + 20 × 0.53) ÷ 60 = 0.52933…
    expect(orderView(order, true)).toMatchObject({ filledShares: '60', averagePrice: '0.529333', feesUsd: '0.02469' });
  });

  it('says why it failed when it is read alone, and not in a list', () => {
    const error = { code: 'NOT_FEASIBLE', message: 'post only cross' } as const;
    const order = transition(orderOf(LIMIT), { type: 'refused', at: AT, error, isReleased: false });
    expect(orderView(order, true)).toMatchObject({ status: 'REJECTED', error, closedAt: '2026-09-21T14:13:20.123Z' });
    expect(orderView(order, false)).toMatchObject({ status: 'REJECTED', error: null });
  });

  it('has the venue’s words beside its error, and like it not in a list', () => {
    const error = { code: 'VENUE_REJECTED', message: 'no' } as const;
    const venueError = { code: 'insufficient_balance', message: 'insufficient balance' };
    const order = transition(orderOf(LIMIT), { type: 'refused', at: AT, error, venueError, isReleased: false });
    expect(orderView(order, true)).toMatchObject({ venueError, cancelReason: null });
    expect(orderView(order, false)).toMatchObject({ venueError: null });
  });

  it('is known by its idempotency key, if that is known', () => {
    expect(orderView(orderOf(LIMIT), false)).toMatchObject({ clientOrderId: 'k-1' });
    expect(orderView({ ...orderOf(CONTRACTS), idempotencyKey: '' }, true)).toMatchObject({ clientOrderId: null });
  });

  it('says why it was cancelled once it is, and not while that is only wanted', () => {
    const sent = transition(orderOf(CONTRACTS), { type: 'sent', at: AT }) as Order<'SUBMITTED'>;
    const wanted = transition(sent, { type: 'cancel-requested', at: AT, reason: 'DEAD_MAN' }) as Order<'SUBMITTED'>;
    expect(orderView(wanted, true)).toMatchObject({ status: 'SUBMITTED', cancelReason: null });
    const ended = transition(wanted, { type: 'ends', at: AT, venueOrderId: null, stated: null });
    expect(orderView(ended, false)).toMatchObject({ status: 'CANCELLED', cancelReason: 'DEAD_MAN' });
  });

  it('is as the contract has it, after any events', () => {
    const trade = fc.tuple(fc.integer({ min: 1, max: 200_000_000 }), fc.integer({ min: 1, max: 9_999 }));
    fc.assert(
      fc.property(
        fc.constantFrom(LIMIT, SPEND, SELL, CONTRACTS),
        fc.array(trade, { maxLength: 5 }),
        (request, trades) => {
          const fills = trades.map(([micros, price]) => [micros / SHARE, price] as const);
          const order = traded(request, fills);
          expect(openapiSchemas.problems(schemaOf(order), orderView(order, true))).toEqual([]);
        },
      ),
    );
  });
});

it('a cancelled order says how much of it was filled', () => {
  const orderId = 'o' as OrderId;
  const filled = cancelledView(orderId, 'venue_a', 1_500_000 as MicroShares);
  expect(filled).toEqual({ orderId, status: 'CANCELLED', filledShares: '1.5' });
  const unfilled = cancelledView(orderId, 'venue_b', 0 as MicroShares);
  expect(unfilled).toEqual({ orderId, status: 'CANCELLED', filledCount: null });
});

it('a fill is as the contract has it', () => {
  const fill: Fill = {
    fillId: 'f',
    venueTradeId: 't',
    price: 4_200 as Ticks,
    size: (0.27 * SHARE) as MicroShares,
    fee: 1_900 as MicroDollars,
    liquidity: null,
    settlement: 'MINED',
    executedAt: AT,
  };
  const view = fillView(fill);
  expect(view).toMatchObject({
    price: '0.42',
    size: '0.27',
    feesUsd: '0.0019',
    executedAt: '2026-09-21T14:13:20.123Z',
  });
  expect(openapiSchemas.problems('#/components/schemas/Fill', view)).toEqual([]);
});

// In the contract and in both codecs, `count` has whole contracts. So with another value our own client could not read the order, nor its
// events.
it.each([
  [19_780_000, null],
  [20_000_000, 20],
  [10_000, null],
])('3143: an order shows only whole contracts as its count: of %d micro-shares, %s', (size, count) => {
  const order = createOrder({
    orderId: '5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38' as OrderId,
    ...{ podId: 'pod', actorId: 'actor', keyId: 'key', idempotencyKey: 'k-1' },
    at: 1_790_000_000_123 as UnixMillis,
    request: {
      ...{ venue: 'venue_b', ticker: 'KX-A', side: 'NO', action: 'BUY', timeInForce: 'GTC' },
      ...{ size: size as MicroShares, price: 4_200 as Ticks },
    },
  });
  const view = orderView(order, true);
  expect(view).toMatchObject({ count });
  expect(openapiSchemas.problems('#/components/schemas/VenueBOrder', view)).toEqual([]);
  expect(viewFromJson(VENUE_B_ORDER, view, 'order')).toMatchObject({ count });
});
