// The page that the market channel keeps of a book, against the engine's own book and a hash that shares no code with it.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ASK, BID, type Side } from '../../../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { Engine } from '../../../../src/paper/engine/engine.ts';
import type { EngineEvent } from '../../../../src/paper/engine/engine-types.ts';
import { VenueAMarket } from '../../../../src/paper/venue-a/market.ts';
import { BookPage } from '../../../../src/paper/venue-a/stream/book-page.ts';
import { statedAndOwnHash, type WireBook } from '../venue-a-hash.ts';
import { eventListing, marketListing } from '../venue-a-rig.ts';

const START = 1_790_000_000_000;
const SHARE = 1_000_000;

function desk() {
  const events: EngineEvent[] = [];
  const engine = new Engine({ emit: event => events.push(event) });
  const listing = marketListing();
  const market = new VenueAMarket(engine, listing, eventListing([listing]));
  const account = engine.addAccount((1e9 * SHARE) as MicroDollars);
  let now = START;
  /** Places a resting order, and reports the changed levels to the page. */
  const place = (side: Side, cents: number, shares: number) => {
    events.length = 0;
    now += 1;
    engine.place(
      {
        account,
        market: market.id,
        side,
        effect: 'open',
        price: (cents * 100) as Ticks,
        size: (shares * SHARE) as MicroShares,
        timeInForce: { type: 'GTC' },
        postOnly: true,
        reduceOnly: false,
        selfTrade: 'taker',
      },
      now as UnixMillis,
    );
    market.bookAt = now as UnixMillis;
    return events.filter(event => event.type === 'level');
  };
  return { market, place };
}

it('begins with the book as it stands, worst level first', () => {
  const { market, place } = desk();
  for (const [side, cents] of [
    [BID, 40],
    [BID, 45],
    [ASK, 55],
    [ASK, 50],
  ] as const)
    place(side, cents, 10);
  const page = new BookPage(market);
  const level = (price: string) => ({ price, size: '10' });
  expect(JSON.parse(page.sides(0).bids)).toEqual([level('0.4'), level('0.45')]);
  expect(JSON.parse(page.sides(0).asks)).toEqual([level('0.55'), level('0.5')]);
  expect(JSON.parse(page.sides(1).bids)).toEqual([level('0.45'), level('0.5')]);
  expect(JSON.parse(page.sides(1).asks)).toEqual([level('0.6'), level('0.55')]);
  expect([page.best(BID), page.best(ASK)]).toEqual([4_500, 5_000]);
});

it('knows what would cross', () => {
  const { market, place } = desk();
  expect(new BookPage(market).wouldCross(BID, 9_900 as Ticks)).toBe(false);
  place(BID, 45, 10);
  place(ASK, 50, 10);
  const page = new BookPage(market);
  expect([4_900, 5_000, 5_100].map(price => page.wouldCross(BID, price as Ticks))).toEqual([false, true, true]);
  expect([4_400, 4_500, 4_600].map(price => page.wouldCross(ASK, price as Ticks))).toEqual([true, true, false]);
});

it('after each request, has the engine’s levels and the hash of them', () => {
  const request = fc.record({
    side: fc.constantFrom<Side>(BID, ASK),
    cents: fc.integer({ min: 1, max: 99 }),
    shares: fc.integer({ min: 1, max: 40 }),
    isTraded: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 25 }), requests => {
      const { market, place } = desk();
      const page = new BookPage(market);
      for (const { side, cents, shares, isTraded } of requests) {
        for (const { price, size, side: changed } of place(side, cents, shares)) {
          page.set(changed, price, size, market.bookAt);
        }
        if (isTraded) {
          market.lastTradeText = `0.${100 + cents}`;
          page.setTerms(market.tickSize, market.lastTradeText);
        }
        // A refused request changes the time of the book, but not the page.
        market.bookAt = page.timestamp;
        for (const token of [0, 1] as const) {
          const book = JSON.parse(new BookPage(market).text(token)) as WireBook;
          const { stated, own } = statedAndOwnHash(book, { minOrderSize: '5', negRisk: false });
          expect([page.hash(token), stated]).toEqual([own, own]);
          expect(JSON.parse(page.sides(token).bids)).toEqual(book.bids);
          expect(JSON.parse(page.sides(token).asks)).toEqual(book.asks);
        }
      }
    }),
    { numRuns: 30 },
  );
});
