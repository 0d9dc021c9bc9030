// Both venues of an outcome on one axis of prices, against a plain search through all prices. Also the own orders that rest in a ladder.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Level } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import { axisOf } from '../../../src/tools/page/axis.ts';
import { ownSizes } from '../../../src/tools/page/own-orders.ts';

const PRICES = 40;
const levels = fc.uniqueArray(fc.integer({ min: 1, max: PRICES - 1 }), { maxLength: 12 });
const size = fc.integer({ min: 1, max: 9 });

/** A book that is not crossed. */
const ladder = fc
  .record({ prices: levels, split: fc.integer({ min: 0, max: PRICES }), size, state: fc.constantFrom('LIVE', 'STALE') })
  .map(({ prices, split, size: each, state }) => {
    const level = (price: number) => ({ price: price as Ticks, size: (each * price) as MicroShares });
    const sorted = prices.toSorted((one, other) => one - other);
    return {
      state,
      bids: sorted
        .filter(price => price < split)
        .toReversed()
        .map(level),
      asks: sorted.filter(price => price >= split).map(level),
    };
  });

describe('one axis of prices', () => {
  it('has each price once, with what each venue has there, the highest first', () => {
    fc.assert(
      fc.property(fc.array(ladder, { minLength: 1, maxLength: 2 }), ladders => {
        const { above, below } = axisOf(ladders, PRICES);
        const naive = [];
        for (let price = PRICES; price >= 0; price -= 1) {
          const at = (all: readonly Level[], side: 'bid' | 'ask') =>
            all.flatMap(level => (level.price === price ? [{ side, size: level.size }] : []))[0] ?? null;
          const cells = ladders.map(({ bids, asks }) => at(bids, 'bid') ?? at(asks, 'ask'));
          if (cells.some(cell => cell !== null)) naive.push({ price, cells });
        }
        expect([...above, ...below]).toEqual(naive);
      }),
    );
  });

  it('has the spread between the best prices of the live venues, and the rows nearest to it', () => {
    fc.assert(
      fc.property(
        fc.array(ladder, { minLength: 1, maxLength: 2 }),
        fc.integer({ min: 1, max: 5 }),
        (ladders, rowsMax) => {
          const { above, below, bid, ask } = axisOf(ladders, rowsMax);
          const all = axisOf(ladders, PRICES);
          const live = ladders.filter(({ state }) => state === 'LIVE');
          const prices = (side: 'bids' | 'asks') => live.flatMap(it => it[side].map(({ price }) => price));
          expect(bid ?? -1).toBe(Math.max(-1, ...prices('bids')));
          expect(ask ?? PRICES).toBe(Math.min(PRICES, ...prices('asks')));
          expect(above).toEqual(all.above.slice(-rowsMax));
          expect(below).toEqual(all.below.slice(0, rowsMax));
          if (bid === undefined || ask === undefined) return;
          for (const { price } of all.above) expect(2 * price).toBeGreaterThan(bid + ask);
          for (const { price } of all.below) expect(2 * price).toBeLessThanOrEqual(bid + ask);
        },
      ),
    );
  });
});

describe('own orders in a ladder', () => {
  type Orders = Parameters<typeof ownSizes>[0];
  const atA = (tokenId: string, price: string | null, filledShares: string | null = null) => ({
    order: { tokenId, price, size: price === null ? null : '10', filledShares },
  });
  const atB = (side: 'YES' | 'NO', price: string, filledCount: string | null = null) => ({
    order: { ticker: 'K', side, price, size: '7', filledCount },
  });
  const sizes = (orders: readonly object[], route: Parameters<typeof ownSizes>[1]) =>
    [...ownSizes(orders as unknown as Orders, route)].map(([price, micros]) => [price, micros / 1e6]);

  it('stand at their price, with what is still open; an order for the other token stands at what is left of a dollar', () => {
    const route = { market: { venue: 'venue_a', tokenId: '1' }, isNo: false, complement: '2' } as const;
    const orders = [
      atA('1', '0.31'),
      atA('1', '0.31', '4'),
      atA('2', '0.6'),
      atA('3', '0.5'),
      atA('1', null),
      atA('1', '0.2', '10'),
    ];
    expect(sizes(orders, route)).toEqual([
      [3_100, 16],
      [4_000, 10],
    ]);
  });

  it.each([
    [
      false,
      [
        [3_000, 7],
        [2_000, 5],
      ],
    ],
    [
      true,
      [
        [7_000, 7],
        [8_000, 5],
      ],
    ],
  ])('at venue B stand where their side has its price (NO: %j)', (isNo, shown) => {
    const route = { market: { venue: 'venue_b', ticker: 'K' }, isNo, complement: null } as const;
    expect(sizes([atB('YES', '0.3'), atB('NO', '0.8', '2')], route)).toEqual(shown);
  });
});
