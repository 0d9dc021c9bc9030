// No answer of the venue makes a reader fail: each value is read as a number in its bounds, or not at all.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../../src/domain/intent.ts';
import type { UnixMillis } from '../../../../src/domain/numbers.ts';
import { cancelOutcome, postOutcome } from '../../../../src/venues/venue-a/trading/answers.ts';
import { NO_FEES, readMarketTerms } from '../../../../src/venues/venue-a/trading/market-terms.ts';
import { readShownOrder } from '../../../../src/venues/venue-a/trading/open-orders.ts';
import { verdictOn } from '../../../../src/venues/venue-a/trading/refusals.ts';
import { fillsOf, lostOf, readTrade } from '../../../../src/venues/venue-a/trading/trades.ts';
import { EVERYBODY } from './reported-trades.ts';
import { limit } from './trading-rig.ts';

const NOW = 1_790_000_000_000 as UnixMillis;
const ID = `0x${'a'.repeat(64)}`;
const INTENT: Intent = { payload: Buffer.from('{"order":{"side":"BUY"}}'), venueOrderId: ID, clientOrderId: 'order' };
const answer = (status: number, body: unknown) => ({ type: 'answer', status, headers: new Map(), body }) as const;
const posted = (status: number, body: unknown) =>
  postOutcome(answer(status, body), { intent: INTENT, request: limit('BUY', 50, 20), fees: null });
const cancelled = (status: number, body: unknown) => cancelOutcome(answer(status, body), ID);

describe('any answer', () => {
  const sample = {
    id: ID,
    asset_id: '123',
    status: 'MATCHED',
    side: 'BUY',
    price: '0.5',
    size: '5',
    original_size: '5',
    size_matched: '1',
    taker_order_id: ID,
    maker_orders: [{ order_id: ID, asset_id: '123', matched_amount: '5', price: '0.5' }],
    orderID: ID,
    success: true,
    makingAmount: '1',
    takingAmount: '2',
    t: [{ t: '11' }, { t: '12' }],
    mts: 0.01,
    mos: 5,
  };
  const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
  const damaged = fc
    .tuple(fc.subarray(Object.keys(sample)), fc.jsonValue())
    .map(([keys, value]) => ({ ...sample, ...Object.fromEntries(keys.map(key => [key, value])) }));

  it('is an order, a trade and a market where nothing is damaged', () => {
    expect([readShownOrder(sample, NOW), readMarketTerms(sample, '0xab', NOW)]).not.toContain(null);
    expect(lostOf(readTrade(sample), EVERYBODY)).toEqual([]);
  });

  it('is an answer, never a failure', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), damaged), fc.integer({ min: 100, max: 599 }), (body, status) => {
        expect(posted(status, body).type).toMatch(/^[a-z-]+$/);
        expect(cancelled(status, body).type).toMatch(/^[a-z-]+$/);
        const shown = readShownOrder(body, NOW);
        if (shown !== null) expect([shown.price, shown.size, shown.matched ?? 0].every(isAmount)).toBe(true);
        const trade = readTrade(body);
        if (trade.type === 'trade') {
          const fills = fillsOf(trade, EVERYBODY, NO_FEES);
          expect(
            fills.every(({ size, price }) => Number.isSafeInteger(size) && size > 0 && price > 0 && price < 10_000),
          ).toBe(true);
        }
        const terms = readMarketTerms(body, '0xab', NOW);
        if (terms !== null)
          expect([terms.sizeMin, terms.fees.numerator, terms.fees.denominator].every(isAmount)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('in words is a verdict, and never a refusal of a server that has failed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 599 }), fc.string(), (status, text) => {
        expect(['unknown', 'not-now', 'exists']).toContain(verdictOn(status, text).type);
      }),
    );
  });
});
