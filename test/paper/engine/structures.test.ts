// The engine's structures against plain structures: the set of occupied prices, the queue of expiring orders, the table of orders. The cost of shares
// is tested against BigInt up to the largest size. No order may cost more than its worst case.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import {
  type AccountId,
  costOfNo,
  type MarketId,
  type NewOrder,
  type OrderId,
  worstCost,
  yesCost,
} from '../../../src/paper/engine/engine-types.ts';
import { Account, Market, type Order } from '../../../src/paper/engine/order.ts';
import { NO_SLOT, SlotSet } from '../../../src/paper/engine/order-book.ts';
import { OrderTable } from '../../../src/paper/engine/order-table.ts';
import { ExpiryQueue } from '../../../src/paper/engine/resting-orders.ts';
import { noFees } from './desk.ts';

const account = new Account(7 as AccountId);
const spec = { isOnGrid: () => true, sizeStep: 1 as MicroShares, fees: noFees };
const market = new Market(3 as MarketId, spec);

function request(expiresAt: number): NewOrder {
  return {
    account: account.id,
    market: market.id,
    side: 1,
    effect: 'open',
    price: 5_000 as Ticks,
    size: 10 as MicroShares,
    timeInForce: { type: 'GTD', expiresAt: expiresAt as UnixMillis },
    postOnly: false,
    reduceOnly: false,
    selfTrade: 'taker',
  };
}

function newOrder(table: OrderTable, expiresAt = 0): Order {
  return table.open(account, market, request(expiresAt), 10 as MicroShares);
}

describe('a set of slots', () => {
  const slot = fc.oneof(fc.nat(10_000), fc.constantFrom(0, 31, 32, 1_023, 1_024, 9_999, 10_000));

  it('is a plain set', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), slot), { maxLength: 60 }), slot, (changes, from) => {
        const set = new SlotSet();
        const plain = new Set<number>();
        for (const [isAdded, member] of changes) {
          set[isAdded ? 'add' : 'delete'](member);
          plain[isAdded ? 'add' : 'delete'](member);
        }
        for (const start of [0, from, from + 1]) {
          const first = Math.min(NO_SLOT, ...[...plain].filter(member => member >= start));
          expect(set.firstFrom(start)).toBe(first);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the queue of what expires', () => {
  it('gives orders by time, then id, after any removals', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.boolean()), { maxLength: 40 }), wishes => {
        const table = new OrderTable(1);
        const queue = new ExpiryQueue();
        const orders = wishes.map(([time]) => newOrder(table, time));
        for (const order of orders) queue.add(order);
        for (const order of orders) if (wishes[order.id]![1]) queue.remove(order);
        const expected = orders.filter(order => !wishes[order.id]![1]);
        expected.sort((a, b) => a.expiresAt! - b.expiresAt! || a.id - b.id);
        const found: Order[] = [];
        for (let due = queue.due(9 as UnixMillis); due !== null; due = queue.due(9 as UnixMillis)) {
          expect(queue.due((due.expiresAt! - 1) as UnixMillis)).toBeNull();
          found.push(due);
          queue.remove(due);
        }
        expect(found.map(order => order.id)).toEqual(expected.map(order => order.id));
      }),
      { numRuns: 500 },
    );
  });
});

describe('the table of orders', () => {
  it('forgets ended orders in the order of their ends, and no other', () => {
    const table = new OrderTable(3);
    const orders = Array.from({ length: 10_000 }, () => newOrder(table));
    const ended = [9_000, 5, 4_096, 8_191, 0] as OrderId[];
    for (const id of ended) {
      orders[id]!.status = 'cancelled';
      table.end(orders[id]!);
    }
    expect(ended.map(id => table.view(id)?.status)).toEqual([
      undefined,
      undefined,
      'cancelled',
      'cancelled',
      'cancelled',
    ]);
    expect(ended.map(id => table.live(id))).toEqual(ended.map(() => undefined));
    expect(table.ownerOfEnded(0 as OrderId)).toBe(account.id);
    expect(table.ownerOfEnded(5 as OrderId)).toBeUndefined();
    expect(table.ownerOfEnded(10_000 as OrderId)).toBeUndefined();
    expect(table.live(1 as OrderId)).toBe(orders[1]);
  });

  it('shows an ended order as it was', () => {
    const table = new OrderTable(2);
    const order = newOrder(table, 99);
    order.addFill('taker', 4 as MicroShares, 2 as never, 1 as never);
    order.addFill('maker', 6 as MicroShares, 3 as never, 2 as never);
    order.resting = 0 as MicroShares;
    order.status = 'filled';
    const before = order.view();
    table.end(order);
    newOrder(table);
    expect(table.view(before.id)).toEqual(before);
    expect(before).toMatchObject({
      filled: 10,
      cost: 5,
      fees: 3,
      filledAsTaker: 4,
      costAsTaker: 2,
      feesAsTaker: 1,
      expiresAt: 99,
    });
  });

  it('lets go of everything about orders that are long gone', () => {
    const table = new OrderTable(10);
    for (let index = 0; index < 20_000; index++) table.end(newOrder(table));
    expect([0, 4_095, 4_096, 19_989].map(id => table.view(id as OrderId))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(table.view(19_990 as OrderId)?.id).toBe(19_990);
  });
});

const price = fc.integer({ min: 0, max: 10_000 }).map(it => it as Ticks);
const size = fc
  .oneof(
    fc.maxSafeNat(),
    fc.nat(30_000),
    fc.nat(30_000).map(it => Number.MAX_SAFE_INTEGER - it),
    // These sizes are just below, at and just above multiples of the divisor, where a rounded quotient could be off by 1.
    fc
      .tuple(fc.integer({ min: 1, max: 900_719_925_473 }), fc.integer({ min: -1, max: 1 }))
      .map(([k, d]) => k * 10_000 + d),
  )
  .map(it => it as MicroShares);

describe('what shares cost', () => {
  it('is exact for every size', () => {
    fc.assert(
      fc.property(price, size, (p, s) => {
        expect(BigInt(yesCost(p, s))).toBe((BigInt(p) * BigInt(s)) / 10_000n);
        expect(BigInt(yesCost(p, s)) + BigInt(costOfNo(p, s))).toBe(BigInt(s));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    [3_333, 1, 0, 1],
    [3_333, 30_003, 9_999, 20_004],
    [5_000, 3, 1, 2],
    [9_999, 9_007_199_254_740_991, 9_006_298_534_815_516, 900_719_925_475],
  ])('%i ticks for %i: YES %i, NO %i', (p, s, yes, no) => {
    expect([yesCost(p as Ticks, s as MicroShares), costOfNo(p as Ticks, s as MicroShares)]).toEqual([yes, no]);
  });
});

describe('the worst case', () => {
  const step = fc.constantFrom(1, 7, 100, 10_000, 30_000);
  const parts = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 12 });

  it('covers an order filled in any parts, and its first part may be odd', () => {
    fc.assert(
      fc.property(step, parts, price, fc.nat(29_999), (one, counts, p, odd) => {
        const fills = [odd % one, ...counts.map(count => count * one)] as MicroShares[];
        const whole = fills.reduce((sum, fill) => sum + fill, 0) as MicroShares;
        const paid = (cost: typeof yesCost) => fills.reduce((sum, fill) => sum + cost(p, fill), 0);
        expect(paid(yesCost)).toBeLessThanOrEqual(worstCost(BID, p, whole, one as MicroShares));
        expect(paid(costOfNo)).toBeLessThanOrEqual(worstCost(ASK, p, whole, one as MicroShares));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is no more than the price where nothing is ever rounded', () => {
    expect(worstCost(ASK, 3_333 as Ticks, 30_000 as MicroShares, 10_000 as MicroShares)).toBe(20_001);
    expect(worstCost(BID, 3_333 as Ticks, 30_000 as MicroShares, 10_000 as MicroShares)).toBe(9_999);
  });
});
