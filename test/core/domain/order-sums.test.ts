// The traded size of an order, by its fills and by the venue's sum, and the maximal size that the order may trade. Prices are in the
// order's own frame: prices of NO orders at venue B are mirrored.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uniformGrid } from '../../../src/core/domain/grid.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import { filledInFrame, priceInFrame } from '../../../src/core/domain/order-frame.ts';
import type { OrderRequest } from '../../../src/core/domain/order-request.ts';
import type { Filled } from '../../../src/core/domain/order-sums.ts';
import { canRest, isExact, isOverfilled, mostSizeOf, traded } from '../../../src/core/domain/order-sums.ts';

const shares = (count: number): MicroShares => Math.round(count * 1_000_000) as MicroShares;
const dollars = (count: number): MicroDollars => Math.round(count * 1_000_000) as MicroDollars;
const at = (count: number, price: number): Filled => ({
  size: shares(count),
  cost: BigInt(price) * BigInt(shares(count)),
  fees: dollars(0.001),
});

const CONTRACTS: OrderRequest = {
  venue: 'venue_b',
  ticker: 'KXGAME-1',
  side: 'YES',
  action: 'BUY',
  size: shares(10),
  price: 5_600 as Ticks,
  timeInForce: 'GTC',
};
const LIMIT: OrderRequest = {
  venue: 'venue_a',
  tokenId: '1',
  type: 'LIMIT',
  side: 'BUY',
  size: shares(10),
  price: 5_600 as Ticks,
  postOnly: false,
  timeInForce: 'GTC',
};
const SPEND: OrderRequest = {
  venue: 'venue_a',
  tokenId: '1',
  type: 'MARKET',
  side: 'BUY',
  dollars: dollars(10),
  worstPrice: null,
  timeInForce: 'FAK',
};

describe('what has been traded', () => {
  it.each([
    ['what the fills say, where the venue states nothing', LIMIT, 4, null, 'filled'],
    ['what the venue states, where it is more', LIMIT, 4, 5, 'stated'],
    ['what the venue states, before any fill is reported', LIMIT, 0, 0.005, 'stated'],
    ['what the fills say, where they say as much', LIMIT, 5, 5, 'filled'],
    ['what the fills say, where they say more', LIMIT, 6, 5, 'filled'],
    ['what the fills say, where venue A has cut off less than a hundredth', LIMIT, 9.990_001, 10, 'filled'],
    ['what the venue states, where a hundredth is missing', LIMIT, 9.99, 10, 'stated'],
    ['what the venue states, where venue B, which cuts off nothing, has more', CONTRACTS, 9.995, 10, 'stated'],
  ] as const)('is %s', (_case, request, reported, said, expected) => {
    const filled = at(reported, 5_500);
    const stated = said === null ? null : at(said, 5_600);
    expect(traded({ filled, stated, request })).toBe(expected === 'filled' ? filled : stated);
  });

  it.each([
    ['shares, all', LIMIT, at(10, 5_600), false],
    ['shares, less than a hundredth more', LIMIT, at(10.009_999, 5_600), false],
    ['shares, a hundredth more', LIMIT, at(10.01, 5_600), true],
    ['contracts, a hundredth more', CONTRACTS, at(10.01, 5_600), true],
    ['dollars, less than a cent more', SPEND, at(20.019_998, 5_000), false],
    ['dollars, a cent more', SPEND, at(20.02, 5_000), true],
  ])('is too much: %s', (_case, request, filled, expected) => {
    expect(isOverfilled(request, filled)).toBe(expected);
  });

  it.each([
    ['sums that are exact', Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, true],
    ['too many shares', Number.MAX_SAFE_INTEGER + 1, 0, false],
    ['too much in fees', 0, Number.MAX_SAFE_INTEGER + 1, false],
  ])('can be counted, or not: %s', (_case, size, fees, expected) => {
    expect(isExact({ size: size as MicroShares, fees: fees as MicroDollars })).toBe(expected);
  });
});

it.each(['GTC', 'IOC', 'FOK'] as const)('an order can rest if it is good till it is cancelled: %s', timeInForce => {
  expect(canRest({ ...CONTRACTS, timeInForce })).toBe(timeInForce === 'GTC');
});

it('a BUY in dollars brings the most at the lowest price of its market', () => {
  expect(mostSizeOf(LIMIT, uniformGrid(100 as Ticks))).toBe(shares(10));
  expect(mostSizeOf(SPEND, uniformGrid(100 as Ticks))).toBe(shares(1_000));
  expect(mostSizeOf(SPEND, [])).toBe(shares(100_000));
});

describe('prices in the frame of the order', () => {
  const no: OrderRequest = { ...CONTRACTS, side: 'NO' };
  const filled = at(10, 6_200);

  it('are one dollar less what the venue says for NO, and what it says for all others', () => {
    expect([no, CONTRACTS, LIMIT].map(it => priceInFrame(it, 6_200 as Ticks))).toEqual([3_800, 6_200, 6_200]);
  });

  it('make up what was paid', () => {
    expect(filledInFrame(no, filled)).toEqual({ ...filled, cost: at(10, 3_800).cost });
    expect(filledInFrame(CONTRACTS, filled)).toBe(filled);
    expect(filledInFrame(LIMIT, filled)).toBe(filled);
  });

  it('are what they were after two turns, exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 53 - 1 }), fc.bigInt(0n, 2n ** 80n), (size, cost) => {
        const any: Filled = { size: size as MicroShares, cost, fees: 0 as MicroDollars };
        expect(filledInFrame(no, filledInFrame(no, any))).toEqual(any);
      }),
    );
  });
});
