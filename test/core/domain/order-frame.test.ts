// The venue's frame and the order's: NO orders of venue B are mirrored, all others are not, and twice is not at all.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MicroDollars, MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import { filledInFrame, priceInFrame } from '../../../src/core/domain/order-frame.ts';
import type { OrderRequest } from '../../../src/core/domain/order-request.ts';
import type { Filled } from '../../../src/core/domain/order-sums.ts';

const request = (side: 'YES' | 'NO'): OrderRequest => ({
  venue: 'venue_b',
  ticker: 'KXA',
  side,
  action: 'BUY',
  size: 10_000_000 as MicroShares,
  price: 4_000 as Ticks,
  timeInForce: 'GTC',
});
const token: OrderRequest = {
  venue: 'venue_a',
  tokenId: '1',
  type: 'LIMIT',
  side: 'BUY',
  size: 10_000_000 as MicroShares,
  price: 4_000 as Ticks,
  postOnly: false,
  timeInForce: 'GTC',
};
const filled: Filled = { size: 10_000_000 as MicroShares, cost: 10_000_000n * 6_200n, fees: 7 as MicroDollars };

describe('prices in the frame of the order', () => {
  it('are one dollar less what the venue says for NO, and what it says for all others', () => {
    expect([request('NO'), request('YES'), token].map(it => priceInFrame(it, 6_200 as Ticks))).toEqual([
      3_800, 6_200, 6_200,
    ]);
  });

  it('make up what was paid', () => {
    expect(filledInFrame(request('NO'), filled)).toEqual({ ...filled, cost: 10_000_000n * 3_800n });
    expect(filledInFrame(request('YES'), filled)).toBe(filled);
    expect(filledInFrame(token, filled)).toBe(filled);
  });

  it('are what they were after two turns, exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 53 - 1 }), fc.bigInt(0n, 2n ** 80n), (size, cost) => {
        const any: Filled = { size: size as MicroShares, cost, fees: 0 as MicroDollars };
        expect(filledInFrame(request('NO'), filledInFrame(request('NO'), any))).toEqual(any);
      }),
    );
  });
});
