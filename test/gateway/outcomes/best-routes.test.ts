// The best routes of outcomes beside a naive search over all of them.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FeeModel, parseRate } from '../../../src/domain/fees.ts';
import { fraction } from '../../../src/domain/fraction.ts';
import { BOOK_STATES, type Level, marketKey } from '../../../src/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/domain/numbers.ts';
import { bestRoutes, type KnownRoute, type RouteBook } from '../../../src/gateway/outcomes/best-routes.ts';

const NOW = 1_790_000_000_000 as UnixMillis;

function feesOf(rate: string, exponent: number): FeeModel {
  const rounding = { step: 100 as MicroDollars, rounding: 'UP', waivedUntil: null } as const;
  return { takerRate: parseRate(rate)!, makerRate: fraction(0n), exponent, ...rounding };
}

const level: fc.Arbitrary<Level> = fc.record({
  price: fc.integer({ min: 1, max: 9_999 }) as fc.Arbitrary<Ticks>,
  size: fc.integer({ min: 1, max: 5 }).map(shares => shares * 1_000_000) as fc.Arbitrary<MicroShares>,
});
const book: fc.Arbitrary<RouteBook | null> = fc.option(
  fc.record({
    state: fc.oneof({ weight: 4, arbitrary: fc.constant('LIVE' as const) }, fc.constantFrom(...BOOK_STATES)),
    bid: fc.option(level, { nil: null }),
    ask: fc.option(level, { nil: null }),
    receivedAt: fc.integer({ min: 0, max: 60_000 }).map(ms => (NOW - ms) as UnixMillis),
  }),
  { nil: null, freq: 8 },
);
const fees = fc.option(
  fc.tuple(fc.constantFrom('0', '0.02', '0.05', '0.07', '0.035'), fc.constantFrom(1, 2)).map(it => feesOf(...it)),
  { nil: null, freq: 8 },
);
const known: fc.Arbitrary<KnownRoute> = fc
  .tuple(fc.constantFrom('token', 'YES', 'NO'), fc.integer({ min: 0, max: 999 }), book, fees)
  .map(([way, name, of, charged]) => ({
    route:
      way === 'token'
        ? { market: marketKey('venue_a', String(name)), side: null }
        : { market: marketKey('venue_b', `KX-${name}`), side: way as 'YES' | 'NO' },
    book: of,
    fees: charged,
  }));

/** Everything that one share could cost or bring, in dollars as the venues' sheets compute it. */
function naively({ route, book: of, fees: charged }: KnownRoute): {
  readonly buy: number | null;
  readonly sell: number | null;
} {
  if (of === null || charged === null || of.state !== 'LIVE') return { buy: null, sell: null };
  const isNo = route.side === 'NO';
  const [bid, ask] = isNo ? [of.ask, of.bid] : [of.bid, of.ask];
  const dollars = ({ price }: Level) => (isNo ? 10_000 - price : price) / 10_000;
  const rate = Number(charged.takerRate.numerator) / Number(charged.takerRate.denominator);
  const fee = (price: number) => Math.ceil(rate * (price * (1 - price)) ** charged.exponent * 1e6 - 1e-6) / 1e6;
  return {
    buy: ask === null ? null : dollars(ask) + fee(dollars(ask)),
    sell: bid === null ? null : dollars(bid) - fee(dollars(bid)),
  };
}

describe('the best routes', () => {
  it('are those that a naive search finds', () => {
    fc.assert(
      fc.property(fc.array(known, { maxLength: 6 }), routes => {
        const { outcomes } = bestRoutes([{ name: 'x', routes }], NOW);
        const all = routes.map(naively);
        const buys = all.map(({ buy }) => buy).filter(it => it !== null);
        const sells = all.map(({ sell }) => sell).filter(it => it !== null);
        const [{ buy, sell }] = outcomes as [(typeof outcomes)[number]];
        expect(buy === null).toBe(buys.length === 0);
        expect(sell === null).toBe(sells.length === 0);
        if (buy !== null) expect(buy.netPrice / 1e6).toBeCloseTo(Math.min(...buys), 6);
        if (sell !== null) expect(sell.netPrice / 1e6).toBeCloseTo(Math.max(...sells), 6);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are of LIVE books with known fees, and every other route is named', () => {
    fc.assert(
      fc.property(fc.array(known, { maxLength: 6 }), routes => {
        const { outcomes, omitted } = bestRoutes([{ name: 'x', routes }], NOW);
        const names = new Set(omitted.map(({ route }) => JSON.stringify(route)));
        for (const { route, book: of, fees: charged } of routes) {
          const isSound = of !== null && of.state === 'LIVE' && charged !== null;
          if (!isSound) expect(names).toContain(JSON.stringify(route));
        }
        for (const { buy, sell } of outcomes)
          for (const quote of [buy, sell]) if (quote !== null) expect(quote.state).toBe('LIVE');
      }),
    );
  });

  it('of equal prices take the larger size, then the first', () => {
    const at = (name: string, shares: number): KnownRoute => ({
      route: { market: marketKey('venue_a', name), side: null },
      book: {
        state: 'LIVE',
        bid: null,
        ask: { price: 5_000 as Ticks, size: (shares * 1_000_000) as MicroShares },
        receivedAt: (NOW - 250) as UnixMillis,
      },
      fees: feesOf('0.05', 1),
    });
    const { outcomes } = bestRoutes([{ name: 'x', routes: [at('1', 3), at('2', 5), at('3', 5)] }], NOW);
    expect(outcomes[0]!.buy).toMatchObject({
      route: { market: { tokenId: '2' } },
      price: 5_000,
      fee: 12_500,
      netPrice: 512_500,
      ageMs: 250,
    });
    expect(outcomes[0]!.sell).toBeNull();
  });

  it('go through NO at one dollar less the YES price', () => {
    const yes: RouteBook = {
      state: 'LIVE',
      bid: { price: 6_000 as Ticks, size: 7_000_000 as MicroShares },
      ask: { price: 6_200 as Ticks, size: 9_000_000 as MicroShares },
      receivedAt: NOW,
    };
    const route = { market: marketKey('venue_b', 'KX-1'), side: 'NO' } as const;
    const { outcomes } = bestRoutes([{ name: 'x', routes: [{ route, book: yes, fees: feesOf('0', 1) }] }], NOW);
    expect(outcomes[0]).toMatchObject({
      buy: { price: 4_000, size: 7_000_000 },
      sell: { price: 3_800, size: 9_000_000 },
    });
  });
});
