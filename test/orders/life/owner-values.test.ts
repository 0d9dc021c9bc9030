// The value of holdings and its view, against a naive twin that divides by hand; and the value of a whole pod.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fraction, fraction } from '../../../src/core/domain/fraction.ts';
import type { Venue } from '../../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import {
  type MarketPrices,
  NO_PRICES,
  type Position,
  type PricesOf,
  valued,
} from '../../../src/core/domain/position.ts';
import { positionView } from '../../../src/core/wire/account-views.ts';
import { deriveNo } from '../../../src/market-data/book/derive-no.ts';
import { bookSettlement, unattributedOf } from '../../../src/orders/life/bookings.ts';
import { Valuation } from '../../../src/orders/life/owner-values.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';

const POD = 'pod';
const ACTOR = 'pod/one';
const OTHER = 'pod/two';

function holding(venue: Venue, size: number, average: Fraction, fields: Partial<Position> = {}): Position {
  return {
    venue,
    address: 'KXA',
    size: size as MicroShares,
    average,
    realized: fraction(0n),
    fees: 0 as MicroDollars,
    isRedeemable: false,
    updatedAt: 0 as UnixMillis,
    ...fields,
  };
}

const prices = (bid: number | null, ask: number | null, lastTrade: number | null): MarketPrices => ({
  bid: bid as Ticks | null,
  ask: ask as Ticks | null,
  lastTrade: lastTrade as Ticks | null,
});

const anyTicks = fc.oneof(fc.integer({ min: 1, max: 9_999 }), fc.constantFrom(2_500, 5_000, 7_500));
const anyPrices = fc
  .record({ bid: fc.option(anyTicks), ask: fc.option(anyTicks), lastTrade: fc.option(anyTicks) })
  .map(({ bid, ask, lastTrade }) => prices(bid, ask, lastTrade));
/** Small sizes make halves; large sizes exceed the exact range of doubles. */
const anySize = fc.oneof(
  fc.integer({ min: 1, max: 20 }),
  fc.integer({ min: 1, max: 400 }).map(shares => shares * 250_000),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);
const anyAverage = fc
  .tuple(anyTicks, fc.integer({ min: 0, max: 100 }), fc.integer({ min: 101, max: 1_000 }))
  .map(([ticks, part, of]) => fraction(BigInt(ticks - 1) * BigInt(of) + BigInt(part), BigInt(of)));
const anyHolding = fc
  .record({ venue: fc.constantFrom('venue_a' as const, 'venue_b' as const), size: anySize, isBelow: fc.boolean() })
  .chain(({ venue, size, isBelow }) => anyAverage.map(average => holding(venue, isBelow ? -size : size, average)));

describe('a holding', () => {
  it('is shown as its naive twin, with and without a market', () => {
    fc.assert(
      fc.property(anyHolding, anyPrices, (position, at) => {
        expect(positionView(valued(position, at, null))).toEqual(naiveView(position, at));
      }),
      { numRuns: 3_000 },
    );
  });

  it('has the numbers of the contract document', () => {
    const a = holding('venue_a', 140_500_000, fraction(5_120n));
    expect(positionView(valued(a, prices(5_300, 5_400, null), null))).toMatchObject({
      size: '140.5',
      averagePrice: '0.512',
      mark: '0.535',
      valueUsd: '75.1675',
      unrealizedPnlUsd: '3.2315',
    });
    const no = holding('venue_b', -25_000_000, fraction(4_800n));
    expect(positionView(valued(no, prices(5_300, 5_500, null), null))).toEqual({
      ticker: 'KXA',
      side: 'NO',
      contracts: 25,
      averagePriceCents: 48,
      markCents: 46,
      averagePrice: '0.48',
      mark: '0.46',
      size: '25',
      valueUsd: '11.5',
      unrealizedPnlUsd: '-0.5',
    });
  });

  it('rounds halves to the even cent, and shows whole contracts only', () => {
    const markCents = (bid: number, ask: number) =>
      positionView(valued(holding('venue_b', 2_999_999, fraction(5_150n)), prices(bid, ask, null), null));
    expect(markCents(5_200, 5_300)).toMatchObject({ markCents: 52, averagePriceCents: 52, contracts: 2 });
    expect(markCents(5_300, 5_400)).toMatchObject({ markCents: 54 });
    expect(markCents(3_160, 3_170)).toMatchObject({ size: '2.999999', averagePrice: '0.515', mark: '0.3165' });
  });

  it('is worth the last trade while a side is empty, and what it cost while nothing is known', () => {
    const no = holding('venue_b', -1_000_000, fraction(4_800n));
    expect(positionView(valued(no, prices(5_000, null, 5_600), null))).toMatchObject({ markCents: 44 });
    expect(positionView(valued(no, prices(null, 5_000, null), null))).toMatchObject({
      markCents: 48,
      unrealizedPnlUsd: '0',
    });
  });

  it('that can be redeemed is worth what it pays, not what its book says', () => {
    const won = holding('venue_a', 10_000_000, fraction(4_000n), { isRedeemable: true });
    const shown = { redeemable: true, mark: '1', valueUsd: '10', unrealizedPnlUsd: '6' };
    expect(positionView(valued(won, prices(9_000, 9_100, null), null))).toMatchObject(shown);
    expect(positionView(valued(won, NO_PRICES, 5_000 as Ticks))).toMatchObject({ mark: '0.5', valueUsd: '5' });
  });

  it('of less than nothing at venue A is owed: its price is what it was sold for, and its worth what buying it back costs', () => {
    const owed = holding('venue_a', -8_850_000, fraction(5_800n));
    expect(positionView(valued(owed, prices(4_400, 4_600, null), null))).toEqual({
      tokenId: 'KXA',
      size: '-8.85',
      averagePrice: '0.42',
      mark: '0.45',
      valueUsd: '-3.9825',
      unrealizedPnlUsd: '-0.2655',
      redeemable: false,
    });
    expect(positionView(valued(owed, NO_PRICES, null))).toMatchObject({ mark: '0.42', unrealizedPnlUsd: '0' });
    const lost = { ...owed, isRedeemable: true };
    expect(positionView(valued(lost, NO_PRICES, 10_000 as Ticks))).toMatchObject({ mark: '1', valueUsd: '-8.85' });
  });
});

const ONE = fraction(1n);

describe('a pod', () => {
  const rows = fc.array(
    fc.record({
      owner: fc.constantFrom(ACTOR, OTHER, unattributedOf(POD), 'elsewhere/one'),
      venue: fc.constantFrom('venue_a' as const, 'venue_b' as const),
      address: fc.constantFrom('KXA', 'KXB'),
      size: fc.integer({ min: -50, max: 50 }).map(shares => shares * 10_000),
    }),
    { maxLength: 12 },
  );
  const pricesAt: Readonly<Record<string, MarketPrices>> = {
    KXA: prices(4_000, 4_200, null),
    KXB: prices(null, null, 7_000),
  };
  const pricesOf: PricesOf = (_venue, address) => pricesAt[address] ?? NO_PRICES;

  it('is worth as much as its markets, each once and netted', () => {
    return fc.assert(
      fc.asyncProperty(rows, async held => {
        const store = new MemoryLedger();
        const nets = new Map<string, number>();
        const last = new Map(held.map(row => [`${row.owner} ${row.venue} ${row.address}`, row]));
        store.change(transaction => {
          for (const { owner, venue, address, size } of last.values())
            transaction.putPosition(owner, holding(venue, size, ONE, { address }));
        });
        for (const { owner, venue, address, size } of last.values()) {
          if (owner === 'elsewhere/one') continue;
          nets.set(`${venue} ${address}`, (nets.get(`${venue} ${address}`) ?? 0) + size);
        }
        const expected = [...nets].reduce((sum, [market, size]) => {
          const yes = market.endsWith('KXA') ? 4_100 : 7_000;
          if (market.startsWith('venue_a')) return sum + Math.max(0, size) * yes;
          return sum + (size < 0 ? -size * (10_000 - yes) : size * yes);
        }, 0);
        expect(await new Valuation(store, pricesOf).podValue(POD, [ACTOR, OTHER])).toBe(expected / 10_000);
      }),
      { numRuns: 300 },
    );
  });

  it('counts a redeemable token at what it pays, and an unknown price at what was paid by those who hold it', async () => {
    const store = new MemoryLedger();
    const account = { podId: POD, venue: 'venue_a' } as const;
    store.change(transaction => {
      transaction.putPosition(ACTOR, holding('venue_a', 2_000_000, fraction(3_000n), { address: 'won' }));
      transaction.putPosition(ACTOR, holding('venue_a', 3_000_000, fraction(3_000n), { address: 'lost' }));
      transaction.putPosition(ACTOR, holding('venue_a', 4_000_000, fraction(3_000n), { address: 'half' }));
      transaction.putPosition(ACTOR, holding('venue_b', 3_000_000, fraction(3_000n), { address: 'dark' }));
      transaction.putPosition(OTHER, holding('venue_b', -1_000_000, fraction(8_000n), { address: 'dark' }));
      const owners = [ACTOR, OTHER];
      bookSettlement(transaction, account, owners, { address: 'won', value: 10_000 as Ticks, at: 1 as UnixMillis });
      bookSettlement(transaction, account, owners, { address: 'lost', value: 0 as Ticks, at: 1 as UnixMillis });
      bookSettlement(transaction, account, owners, { address: 'half', value: 5_000 as Ticks, at: 1 as UnixMillis });
    });
    const valuation = new Valuation(store, () => NO_PRICES);
    expect(await valuation.podValue(POD, [ACTOR, OTHER])).toBe(2_000_000 + 2_000_000 + 2 * 300_000);
    const [won] = [...valuation.positions(ACTOR, account, 'won')];
    expect(positionView(valuation.valued(account, won!))).toMatchObject({ redeemable: true, mark: '1', valueUsd: '2' });
    expect([...valuation.positions(ACTOR, account, 'lost')].map(({ size }) => size)).toEqual([0]);
    expect([...valuation.positions(ACTOR, account, 'nothing')]).toEqual([]);
  });
});

/** Computes the view by long division, from the book of the side that is held. */
function naiveView(position: Position, at: MarketPrices): object {
  const isNo = position.venue === 'venue_b' && position.size < 0;
  const level = (price: Ticks | null) => (price === null ? [] : [{ price, size: 1 as MicroShares }]);
  const yes = { bids: level(at.bid), asks: level(at.ask) };
  const { bids, asks } = isNo ? deriveNo(yes) : yes;
  const sign = position.venue === 'venue_a' && position.size < 0 ? -1n : 1n;
  const { denominator } = position.average;
  const numerator = sign < 0n ? 10_000n * denominator - position.average.numerator : position.average.numerator;
  let [top, bottom] = [numerator, denominator];
  if (at.lastTrade !== null) [top, bottom] = [BigInt(isNo ? 10_000 - at.lastTrade : at.lastTrade), 1n];
  if (bids[0] && asks[0]) [top, bottom] = [BigInt(bids[0].price + asks[0].price), 2n];
  const units = sign * BigInt(Math.abs(position.size));
  const valueUsd = decimal(units * top, bottom * 10n ** 10n, 6);
  const gain = units * (top * denominator - numerator * bottom);
  const unrealizedPnlUsd = decimal(gain, bottom * denominator * 10n ** 10n, 6);
  if (position.venue === 'venue_a') {
    return {
      tokenId: 'KXA',
      size: decimal(units, 1_000_000n, 6),
      averagePrice: decimal(numerator, denominator * 10_000n, 6),
      mark: decimal(top, bottom * 10_000n, 6),
      valueUsd,
      unrealizedPnlUsd,
      redeemable: false,
    };
  }
  return {
    ticker: 'KXA',
    side: isNo ? 'NO' : 'YES',
    contracts: Number(units / 1_000_000n),
    averagePriceCents: Number(decimal(numerator, denominator * 100n, 0)),
    markCents: Number(decimal(top, bottom * 100n, 0)),
    averagePrice: decimal(numerator, denominator * 10_000n, 6),
    mark: decimal(top, bottom * 10_000n, 6),
    size: decimal(units, 1_000_000n, 6),
    valueUsd,
    unrealizedPnlUsd,
  };
}

/** Returns the quotient as canonical text, digit by digit. Compares the remainder with a half of the last digit. */
function decimal(top: bigint, bottom: bigint, decimals: number): string {
  let rest = top < 0n ? -top : top;
  let digits = String(rest / bottom);
  rest %= bottom;
  for (let place = 0; place < decimals; place += 1) {
    rest *= 10n;
    digits += String(rest / bottom);
    rest %= bottom;
  }
  const isOdd = Number(digits.at(-1)) % 2 === 1;
  const isUp = rest + rest > bottom || (rest + rest === bottom && isOdd);
  const text = String(BigInt(digits) + (isUp ? 1n : 0n)).padStart(decimals + 1, '0');
  const whole = text.slice(0, text.length - decimals);
  const part = text.slice(text.length - decimals).replace(/0+$/, '');
  const magnitude = part === '' ? whole : `${whole}.${part}`;
  return top < 0n && magnitude !== '0' ? `-${magnitude}` : magnitude;
}
