// Orders in the words of the older family: its statuses, and numbers that anybody can recompute to the last decimal.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MicroDollars, MicroShares } from '../../../src/core/domain/numbers.ts';
import type { Order } from '../../../src/core/domain/order.ts';
import type { OrderRequest } from '../../../src/core/domain/order-request.ts';
import { type Filled, NOTHING_FILLED, traded } from '../../../src/core/domain/order-sums.ts';
import { olderOrderView } from '../../../src/core/wire/older-views.ts';
import { openapiSchemas } from '../../support/contract-schema.ts';
import { storedOrder } from '../store/orders/order-rig.ts';
import { order } from './order-arbitraries.ts';

const { order: PLAIN } = storedOrder({ number: 1, venue: 'venue_b', address: 'KX-A' });
const YES: OrderRequest = PLAIN.request;
const TOKEN: OrderRequest = storedOrder({ number: 2, venue: 'venue_a', address: '123' }).order.request;

/** Returns the sum of fills: shares, a price in ticks, and fees in micro-dollars. */
function filledWith(shares: number, price: number, fees: number): Filled {
  const size = shares * 1_000_000;
  return { size: size as MicroShares, cost: BigInt(size) * BigInt(price), fees: fees as MicroDollars };
}

const shown = (changes: Partial<Order>) => olderOrderView({ ...PLAIN, ...changes });

it.each([
  ['PENDING', 0, 'pending'],
  ['SUBMITTED', 0, 'pending'],
  ['SUBMITTED', 1, 'pending'],
  ['OPEN', 0, 'open'],
  ['OPEN', 1, 'partial'],
  ['FILLED', 1, 'filled'],
  ['CANCELLED', 0, 'cancelled'],
  ['CANCELLED', 1, 'cancelled'],
  ['REJECTED', 0, 'failed'],
] as const)('%s with %d filled is %s', (status, shares, older) => {
  const view = shown({ status, filled: filledWith(shares, 5_000, 0) });
  expect([view.status, view.marketOrders[0].status]).toEqual([older, older]);
});

it('a sum that the venue has stated without fills counts', () => {
  expect(shown({ status: 'OPEN', stated: filledWith(2, 5_000, 0) })).toMatchObject({
    status: 'partial',
    filledAmount: 2,
  });
});

describe('an order', () => {
  it.each<[string, OrderRequest, object]>([
    ['of YES', YES, { type: 'limit', marketInfo: { venue: 'venue_b', outcomeId: 'KX-A:YES' } }],
    ['of NO', { ...YES, side: 'NO' } as OrderRequest, { marketInfo: { venue: 'venue_b', outcomeId: 'KX-A:NO' } }],
    ['of a token', TOKEN, { type: 'limit', marketInfo: { venue: 'venue_a', outcomeId: '123' } }],
    [
      'to spend',
      {
        venue: 'venue_a',
        tokenId: '123',
        type: 'MARKET',
        side: 'BUY',
        dollars: 5 as MicroDollars,
        worstPrice: null,
        timeInForce: 'FOK',
      },
      { type: 'market' },
    ],
  ])('%s names what it trades', (_what, request, market) => {
    expect(shown({ request }).marketOrders[0]).toMatchObject(market);
  });

  it.each<[string, OrderRequest, Filled, cost: number, average: number | null]>([
    ['nothing traded', YES, NOTHING_FILLED, 0, null],
    ['a purchase costs its fees too', YES, filledWith(40, 5_290, 123_456), 21.283456, 0.529],
    [
      'a sale brings what is left after fees',
      { ...YES, action: 'SELL' } as OrderRequest,
      filledWith(40, 5_290, 123_456),
      21.036544,
      0.529,
    ],
    ['a sale of a token likewise', { ...TOKEN, side: 'SELL' } as OrderRequest, filledWith(1, 100, 0), 0.01, 0.01],
    [
      'a sale that costs more than it brings',
      { ...YES, action: 'SELL' } as OrderRequest,
      filledWith(1, 100, 20_000),
      -0.01,
      0.01,
    ],
    [
      'less than a millionth is rounded half to even',
      YES,
      { size: 1 as MicroShares, cost: 5_000n, fees: 0 as MicroDollars },
      0,
      0.5,
    ],
  ])('%s', (_what, request, filled, cost, average) => {
    const view = shown({ request, filled });
    expect([view.executionCost, view.marketOrders[0].executionCost]).toEqual([cost, cost]);
    expect(view.marketOrders[0].averagePrice).toBe(average);
  });

  it('says why it failed, in the venue’s words if there are any', () => {
    expect(shown({ error: null }).marketOrders[0].error).toBeNull();
    expect(shown({ error: { code: 'VENUE_REJECTED', message: 'post only cross' } }).marketOrders[0].error).toEqual({
      message: 'post only cross',
    });
    expect(shown({ error: { code: 'UNKNOWN', message: null } }).marketOrders[0].error).toEqual({ message: 'UNKNOWN' });
  });
});

it('is as the contract has it, and its numbers are exact in JSON, after any events', () => {
  fc.assert(
    fc.property(order, it => {
      const view = olderOrderView(it);
      expect(openapiSchemas.problems('#/components/schemas/OlderOrder', view)).toEqual([]);
      const { size } = traded(it);
      expect(JSON.stringify(view.filledAmount)).toBe(decimal(BigInt(size)));
      expect(JSON.stringify(view.executionCost)).toBe(decimal(costOf(it)));
    }),
  );
});

/** Computes the cost naively, by remainders. */
function costOf(it: Order): bigint {
  const { cost, fees } = traded(it);
  const [whole, rest] = [cost / 10_000n, cost % 10_000n];
  const isUp = rest > 5_000n || (rest === 5_000n && whole % 2n === 1n);
  const isSale = 'action' in it.request ? it.request.action === 'SELL' : it.request.side === 'SELL';
  return whole + (isUp ? 1n : 0n) + (isSale ? -BigInt(fees) : BigInt(fees));
}

function decimal(micros: bigint): string {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0');
  const text = `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
  return micros < 0n ? `-${text}` : text;
}
