// The running sums of an actor's orders in one market, beside a naive scan of these orders.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MicroDollars, MicroShares, Ticks } from '../../../../src/core/domain/numbers.ts';
import { ORDER_STATUSES } from '../../../../src/core/domain/order.ts';
import type { OrderRequest } from '../../../../src/core/domain/order-request.ts';
import type { StoredOrder } from '../../../../src/core/store/order-records.ts';
import { ExactSum } from '../../../../src/orders/ledger/state/exact-sum.ts';
import { MarketHolds } from '../../../../src/orders/ledger/state/market-holds.ts';
import { orderIdOf, storedOrder } from '../../../core/store/orders/order-rig.ts';
import { naiveHolds } from '../../../support/naive-holds.ts';

const amount = fc.oneof(
  fc.integer({ min: 0, max: 20_000_000 }),
  fc.constantFrom(0, 1, 9_999, 10_000, 100_000, Number.MAX_SAFE_INTEGER),
);
const ended = fc.constantFrom('FOK', 'FAK' as const);
const request: fc.Arbitrary<OrderRequest> = fc.oneof(
  fc.record({ size: amount, side: fc.constantFrom('BUY', 'SELL' as const) }).map(({ size, side }) => {
    const limit = { type: 'LIMIT', price: 3_333 as Ticks, postOnly: false, timeInForce: 'GTC' } as const;
    return { venue: 'venue_a', tokenId: '7', side, size: size as MicroShares, ...limit } as const;
  }),
  fc.record({ size: amount, timeInForce: ended }).map(({ size, timeInForce }) => {
    const market = { venue: 'venue_a', tokenId: '7', type: 'MARKET', side: 'SELL', worstPrice: null } as const;
    return { ...market, size: size as MicroShares, timeInForce };
  }),
  fc.record({ dollars: amount, timeInForce: ended }).map(({ dollars, timeInForce }) => {
    const market = { venue: 'venue_a', tokenId: '7', type: 'MARKET', side: 'BUY', worstPrice: null } as const;
    return { ...market, dollars: dollars as MicroDollars, timeInForce };
  }),
) as fc.Arbitrary<OrderRequest>;
const sum = amount.map(size => ({ size: size as MicroShares, cost: 0n, fees: 0 as MicroDollars }));
const change = fc.record({
  number: fc.nat(5),
  /** The order. Null means that the order is evicted, or that its creation is undone. */
  order: fc.option(
    fc.record({
      request,
      status: fc.constantFrom(...ORDER_STATUSES),
      filled: sum,
      stated: fc.option(sum, { nil: null }),
      isReleased: fc.boolean(),
    }),
    { nil: null },
  ),
});

it('4004: the sums are those of a scan, over all changes of orders', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), fc.nat(40), (changes, asksFrom) => {
      const orders = new Map<number, StoredOrder>();
      const holds = new MarketHolds(orderId => [...orders.values()].find(it => it.order.orderId === orderId)!);
      let asked = 0;
      for (const { number, order } of changes) {
        const before = orders.get(number) ?? null;
        const made = storedOrder({ number });
        const after = order === null ? null : { ...made, order: { ...made.order, ...order } };
        holds.change(orderIdOf(number), before, after);
        if (after === null) orders.delete(number);
        else orders.set(number, after);
        const naive = naiveHolds([...orders.values()]);
        expect([holds.growth(1), holds.growth(-1), holds.bought]).toEqual(naive.sums);
        // The costs are kept from the first question on.
        asked += 1;
        if (asked > asksFrom) expect([holds.cost(1), holds.cost(-1)]).toEqual(naive.costs);
        expect(new Set(holds.immediate)).toEqual(new Set(naive.passing));
      }
      for (const [number, before] of orders) holds.change(orderIdOf(number), before, null);
      orders.clear();
      expect([holds.growth(1), holds.growth(-1), holds.bought, holds.ids.size]).toEqual([0, 0, 0, 0]);
      expect([holds.cost(1), holds.cost(-1)]).toEqual([0, 0]);
    }),
  );
});

it('4004: a sum loses no digit, though it was larger than any number is exact', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger(), { maxLength: 30 }), amounts => {
      const added = new ExactSum();
      let exact = 0n;
      for (const one of amounts) {
        added.add(one);
        exact += BigInt(one);
        expect(added.value).toBe(Number(exact));
      }
      for (const one of amounts) added.add(-one);
      expect(added.value).toBe(0);
    }),
  );
});
