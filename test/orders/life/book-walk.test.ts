// The size that an order would take from a still book, beside the fills of the paper exchange.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { VenueAOrderRequest, VenueBOrderRequest } from '../../../src/core/domain/order-request.ts';
import { displayedAt, walk } from '../../../src/orders/life/book-walk.ts';
import { Desk } from '../../paper/engine/desk.ts';
import { shares, YES_BUY } from './orders-rig.ts';

const NOW = 1_800_000_000_000 as UnixMillis;
const level = (cents: number, count: number) => ({ price: (100 * cents) as Ticks, size: shares(count) });
const BOOK = { bids: [level(48, 5), level(45, 20)], asks: [level(50, 10), level(51, 2), level(60, 100)] };

const contract = (side: 'YES' | 'NO', action: 'BUY' | 'SELL', size: number, cents: number): VenueBOrderRequest => ({
  ...YES_BUY,
  ...{ side, action, size: shares(size), price: (100 * cents) as Ticks },
});

const purchase = (dollars: number): VenueAOrderRequest => ({
  ...{ venue: 'venue_a', tokenId: '1', type: 'MARKET', side: 'BUY', worstPrice: null, timeInForce: 'FAK' },
  dollars: (dollars * 1_000_000) as MicroDollars,
});

it('takes the levels up to its limit, in the frame of its side', () => {
  const yes = walk(contract('YES', 'BUY', 15, 51), BOOK, null, NOW);
  expect(yes).toEqual({
    ...{ size: shares(12), worst: 5_100, fees: null, isWhole: false },
    cost: 10_000_000n * 5_000n + 2_000_000n * 5_100n,
  });
  // A sale of NO takes the asks of YES. So the bid for NO is at 0.50.
  const no = walk(contract('NO', 'SELL', 10, 50), BOOK, null, NOW);
  expect(no).toMatchObject({ size: shares(10), worst: 5_000, isWhole: true });
  expect(walk(contract('YES', 'SELL', 1, 49), BOOK, null, NOW)).toMatchObject({ size: 0, worst: null, isWhole: false });
});

it('spends dollars in hundredths of a share', () => {
  expect(walk(purchase(5.51), BOOK, null, NOW)).toMatchObject({ size: shares(11), worst: 5_100, isWhole: true });
  expect(walk(purchase(5.516), BOOK, null, NOW)).toMatchObject({ size: shares(11.01), isWhole: true });
  expect(walk(purchase(100), BOOK, null, NOW)).toMatchObject({ size: shares(112), worst: 6_000, isWhole: false });
});

it('shows what is displayed at its price, on its side', () => {
  expect(displayedAt(contract('YES', 'BUY', 1, 45), BOOK)).toBe(shares(20));
  expect(displayedAt(contract('NO', 'BUY', 1, 50), BOOK)).toBe(shares(10));
  expect(displayedAt(contract('YES', 'BUY', 1, 44), BOOK)).toBe(0);
  expect(displayedAt(purchase(1), BOOK)).toBeNull();
});

it('is what the paper exchange fills from the same book', () => {
  const size = fc.integer({ min: 1, max: 3_000 }).map(it => (it * 10_000) as MicroShares);
  const resting = fc.array(fc.record({ cents: fc.integer({ min: 50, max: 60 }), size }), { maxLength: 12 });
  fc.assert(
    fc.property(resting, size, fc.integer({ min: 48, max: 62 }), fc.boolean(), (levels, wanted, cents, isNo) => {
      const desk = new Desk({ cash: 1e12 });
      const asks = new Map<number, number>();
      for (const it of levels) {
        desk.order(desk.ann, `ask ${it.size / 1_000_000} @ ${it.cents}`);
        asks.set(it.cents, (asks.get(it.cents) ?? 0) + it.size);
      }
      desk.events.length = 0;
      desk.order(desk.bob, `bid ${wanted / 1_000_000} @ ${cents}`);
      const fills = desk.events.flatMap(it => (it.type === 'fill' ? [it] : []));
      const sides = {
        bids: [],
        asks: [...asks].sort(([one], [other]) => one - other).map(([price, total]) => level(price, total / 1_000_000)),
      };
      // A sale of NO is a purchase of YES, and its price is one dollar less that of YES.
      const request = isNo
        ? contract('NO', 'SELL', wanted / 1_000_000, 100 - cents)
        : contract('YES', 'BUY', wanted / 1_000_000, cents);
      const inFrame = (price: number): bigint => BigInt(isNo ? 10_000 - price : price);
      const filled = fills.reduce((sum, it) => sum + it.size, 0);
      expect(walk(request, sides, null, NOW)).toMatchObject({
        size: filled,
        cost: fills.reduce((sum, it) => sum + inFrame(it.price) * BigInt(it.size), 0n),
        isWhole: filled === wanted,
      });
    }),
  );
});
