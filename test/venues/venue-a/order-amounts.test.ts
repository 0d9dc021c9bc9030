// The amounts of venue A's orders against recorded vectors, and against the amounts that the official client has sent. A naive twin
// computes the same in fractions of BigInt.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MicroShares, parseMicroShares, type Ticks } from '../../../src/core/domain/numbers.ts';
import {
  type AmountRefusal,
  type AmountRules,
  amountRules,
  isInRange,
  isMarketPrice,
  isRounded,
  limitAmounts,
  limitOf,
  marketAmounts,
  type OrderAmounts,
  type TokenAmount,
} from '../../../src/venues/venue-a/order-amounts.ts';
import { BUY, type OrderSide, SELL } from '../../../src/venues/venue-a/typed-data.ts';
import { ticks } from '../../support/amounts.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';

const TICKS = ['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'] as const;

const shares = (text: string): MicroShares => parseMicroShares(text)!;
const amount = (text: string): TokenAmount => parseMicroShares(text)! as number as TokenAmount;
const rules = (tick: string): AmountRules => amountRules(ticks(tick))!;
const sideOf = (text: 'BUY' | 'SELL'): OrderSide => (text === 'BUY' ? BUY : SELL);
const pair = (maker: number, taker: number): OrderAmounts => {
  return { makerAmount: BigInt(maker), takerAmount: BigInt(taker) };
};

describe('amounts', () => {
  it.each([
    ['BUY', '0.53', '10.5', '0.01', 5_565_000, 10_500_000],
    ['SELL', '0.47', '7', '0.01', 7_000_000, 3_290_000],
    ['BUY', '0.82', '19.999', '0.01', 16_391_800, 19_990_000],
    ['BUY', '0.3333', '10.01', '0.0001', 3_336_333, 10_010_000],
    ['SELL', '0.0025', '33.33', '0.0025', 33_330_000, 83_325],
    // Prices between two ticks round half up.
    ['BUY', '0.565', '1', '0.01', 570_000, 1_000_000],
    ['BUY', '0.5649', '1', '0.01', 560_000, 1_000_000],
  ] as const)('limit %s at %s for %s, tick %s', (side, price, size, tick, maker, taker) => {
    const amounts = limitAmounts(sideOf(side), ticks(price), shares(size), rules(tick));
    expect(amounts).toEqual({ ok: true, value: pair(maker, taker) });
  });

  it.each([
    ['BUY', '10', '0.56', '0.01', 10_000_000, 17_857_100],
    ['BUY', '10', '0.54', '0.01', 10_000_000, 18_518_500],
    ['SELL', '20', '0.53', '0.01', 20_000_000, 10_600_000],
    ['BUY', '12.345', '0.057', '0.001', 12_340_000, 216_491_200],
    ['BUY', '10', '0.3', '0.1', 10_000_000, 33_333_300],
    // A price between two ticks rounds down.
    ['SELL', '12.345', '0.0579', '0.001', 12_340_000, 703_300],
    // Amounts that are rounded at the limit would be worth a tick more or less. So the amounts of the tick on the safe side are signed.
    ['BUY', '1', '0.9709', '0.0001', 1_000_000, 1_030_000],
    ['SELL', '1.33', '0.3333', '0.0001', 1_330_000, 443_400],
  ] as const)('market %s of %s at %s, tick %s', (side, given, price, tick, maker, taker) => {
    const amounts = marketAmounts(sideOf(side), amount(given), ticks(price), rules(tick));
    expect(amounts).toEqual({ ok: true, value: pair(maker, taker) });
  });

  it.each([
    // A price above the last price does not exist.
    ['SELL', '1.33', '0.9999', '0.0001'],
    // One tick changes the taker amount of so small an order by less than its last decimal.
    ['SELL', '0.01', '0.3333', '0.0001'],
    ['BUY', '0.01', '0.99', '0.0001'],
  ] as const)('market %s of %s at %s, tick %s: none are worth the price', (side, given, price, tick) => {
    const amounts = marketAmounts(sideOf(side), amount(given), ticks(price), rules(tick));
    expect(amounts).toEqual({ ok: false, error: 'price-lost' });
  });

  /** The amounts as the official client computes them. The venue accepts at most four decimals of a taker amount from any client. */
  it.skipIf(!recordingsPresent)('of all vectors (needs CROSSBOOK_DATA)', () => {
    const vectors: Vectors = JSON.parse(readFileSync(recordingPath('venue-a/amount_vectors.json'), 'utf8'));
    const limit = vectors.limit.map(it =>
      limitAmounts(sideOf(it.side), ticks(String(it.price)), shares(String(it.size)), rules(it.tick)),
    );
    const market = vectors.market.map(it =>
      marketAmounts(sideOf(it.side), amount(String(it.amount)), ticks(String(it.price)), rules(it.tick)),
    );
    expect([limit.length, market.length]).toEqual([13, 7]);
    expect([...limit, ...market]).toEqual(
      [
        ...vectors.limit.map(it => pair(Number(it.makerAmount), Number(it.takerAmount))),
        ...vectors.market.map(it => pair(Number(it.makerAmount), Math.floor(Number(it.takerAmount) / 100) * 100)),
      ].map(value => ({ ok: true, value })),
    );
  });

  it.each(['0.0099', '0.991', '0', '1'])('cannot be made at a price of %s: price-out-of-range', price => {
    const error = 'price-out-of-range';
    expect(limitAmounts(BUY, ticks(price), shares('10'), rules('0.01'))).toEqual({ ok: false, error });
    expect(marketAmounts(SELL, amount('10'), ticks(price), rules('0.01'))).toEqual({ ok: false, error });
  });

  it.each(['0.01', '0.99'])('at a price of %s, the last that a tick of 0.01 has, there are some', price => {
    expect(limitAmounts(BUY, ticks(price), shares('10'), rules('0.01')).ok).toBe(true);
    expect(marketAmounts(SELL, amount('10'), ticks(price), rules('0.01')).ok).toBe(true);
  });

  it('cannot be made of less than two decimals, nor beyond 2^53', () => {
    const nothing = { error: 'nothing-left' };
    expect(limitAmounts(SELL, ticks('0.5'), shares('0.009999'), rules('0.01'))).toMatchObject(nothing);
    expect(marketAmounts(BUY, amount('0.009999'), ticks('0.5'), rules('0.01'))).toMatchObject(nothing);
    const huge = marketAmounts(BUY, amount('1000000'), ticks('0.0001'), rules('0.0001'));
    expect(huge).toMatchObject({ error: 'too-large' });
  });

  it('an unknown tick has no rules', () => {
    expect(amountRules(20 as Ticks)).toBeNull();
    expect(TICKS.map(tick => amountRules(ticks(tick)))).not.toContain(null);
  });
});

describe('back from amounts', () => {
  it.each([
    ['BUY', 5_565_000, 10_500_000, '0.01', { price: 5_300, size: 10_500_000, isExact: true }],
    ['SELL', 7_000_000, 3_290_000, '0.01', { price: 4_700, size: 7_000_000, isExact: true }],
    ['BUY', 10_000_000, 17_857_100, '0.01', { price: 5_600, size: 17_857_100, isExact: false }],
    // The price of 0.535 lies between two ticks of a market of whole cents.
    ['BUY', 5_350_000, 10_000_000, '0.01', { price: 5_400, size: 10_000_000, isExact: false }],
    ['BUY', 20_000_000, 10_000_000, '0.01', { price: 20_000, size: 10_000_000, isExact: true }],
    ['SELL', 10_000_000, 0, '0.01', { price: 0, size: 10_000_000, isExact: true }],
  ] as const)('%s %i for %i', (side, maker, taker, tick, limit) => {
    expect(limitOf(sideOf(side), pair(maker, taker), rules(tick))).toEqual(limit);
  });

  it('no shares have no price', () => {
    expect(limitOf(BUY, pair(10_000_000, 0), rules('0.01'))).toBeNull();
    expect(limitOf(SELL, pair(0, 10_000_000), rules('0.01'))).toBeNull();
  });

  it('amounts as wide as the chain allows have none that can be written', () => {
    const widest = { makerAmount: 2n ** 256n - 1n, takerAmount: 1n };
    expect(limitOf(BUY, widest, rules('0.01'))).toBeNull();
    expect(limitOf(SELL, widest, rules('0.01'))).toBeNull();
  });

  it.each([
    ['BUY', 'limit', 5_565_000, 10_500_000, '0.01', true],
    ['BUY', 'limit', 5_565_010, 10_500_000, '0.01', false],
    ['BUY', 'limit', 5_565_000, 10_501_000, '0.01', false],
    ['SELL', 'limit', 7_000_000, 3_290_100, '0.01', true],
    ['BUY', 'market', 10_000_000, 17_857_100, '0.01', true],
    ['BUY', 'market', 10_001_000, 17_857_100, '0.01', false],
    ['BUY', 'market', 10_000_000, 17_857_150, '0.01', false],
    ['SELL', 'market', 20_000_000, 10_600_100, '0.01', true],
    ['BUY', 'limit', 3_336_333, 10_010_000, '0.0001', true],
    ['BUY', 'market', 9_980_000, 31_582_270, '0.0001', false],
    ['BUY', 'market', 9_980_000, 31_582_200, '0.0001', true],
    ['SELL', 'market', 12_340_000, 703_380, '0.0001', false],
  ] as const)('%s %s of %i for %i is rounded on a tick of %s: %s', (side, kind, maker, taker, tick, expected) => {
    expect(isRounded(sideOf(side), kind, pair(maker, taker), rules(tick))).toBe(expected);
  });

  it.each([
    ['BUY', 9_980_000, 10_131_900, '0.985', true],
    ['BUY', 9_980_000, 10_132_000, '0.985', true],
    ['BUY', 9_980_000, 10_132_100, '0.985', false],
    ['SELL', 1_330_000, 443_400, '0.3334', true],
    ['SELL', 1_330_000, 443_200, '0.3334', false],
  ] as const)('a market %s of %i for %i is one at %s: %s', (side, maker, taker, price, expected) => {
    expect(isMarketPrice(sideOf(side), pair(maker, taker), ticks(price))).toBe(expected);
  });
});

interface Vectors {
  readonly limit: readonly (VectorOutcome & { readonly size: number })[];
  readonly market: readonly (VectorOutcome & { readonly amount: number })[];
}

interface VectorOutcome {
  readonly side: 'BUY' | 'SELL';
  readonly price: number;
  readonly tick: string;
  readonly makerAmount: string;
  readonly takerAmount: string;
}

const anySide = fc.constantFrom(BUY, SELL);
const anyTick = fc.constantFrom(...TICKS);
const anyPrice = fc.integer({ min: 1, max: 9_999 }).map(it => it as Ticks);
const anyAmount = fc.oneof(fc.integer({ min: 10_000, max: 10 ** 9 }), fc.integer({ min: 10_000, max: 9 * 10 ** 15 }));

describe('properties', () => {
  it('limit amounts are those of the naive twin and stand for just their price and size', () => {
    fc.assert(
      fc.property(anySide, anyTick, anyPrice, anyAmount, (side, tick, price, size) => {
        const within = rules(tick);
        fc.pre(isInRange(price, within));
        const amounts = limitAmounts(side, price, size as MicroShares, within);
        if (!amounts.ok) throw new Error(amounts.error);
        expect(amounts.value).toEqual(naiveLimit(side, tick, price, size));
        expect(isRounded(side, 'limit', amounts.value, within)).toBe(true);
        const onTick = price % within.tick === 0;
        const back = limitOf(side, amounts.value, within);
        expect(back?.size).toBe(size - (size % 10_000));
        if (onTick) expect(back).toMatchObject({ price, isExact: true });
      }),
      { numRuns: 2_000 },
    );
  });

  it('market amounts are those of the naive twin, and the venue takes them at the limit or a safer price', () => {
    fc.assert(
      fc.property(anySide, anyTick, anyPrice, anyAmount, (side, tick, price, given) => {
        const within = rules(tick);
        const limit = (price - (price % within.tick)) as Ticks;
        fc.pre(isInRange(limit, within));
        const amounts = marketAmounts(side, given as TokenAmount, limit, within);
        const twin = naiveMarket(side, tick, limit, given);
        expect(amounts.ok ? amounts.value : amounts.error).toEqual(twin);
        if (!amounts.ok) return;
        expect(isRounded(side, 'market', amounts.value, within)).toBe(true);
        const back = limitOf(side, amounts.value, within)!;
        expect(isMarketPrice(side, amounts.value, back.price)).toBe(true);
        expect(side === BUY ? back.price <= limit : back.price >= limit).toBe(true);
        expect(Math.abs(back.price - limit)).toBeLessThanOrEqual(within.tick);
      }),
      { numRuns: 5_000 },
    );
  });

  it('from a dollar or a share on, a market order has amounts at every price but the last', () => {
    const enough = fc.integer({ min: 100, max: 300 }).map(it => (it * 10_000) as TokenAmount);
    fc.assert(
      fc.property(anySide, anyTick, anyPrice, enough, (side, tick, price, given) => {
        const within = rules(tick);
        const limit = (price - (price % within.tick)) as Ticks;
        fc.pre(isInRange((limit - within.tick) as Ticks, within) && isInRange((limit + within.tick) as Ticks, within));
        expect(marketAmounts(side, given, limit, within)).toMatchObject({ ok: true });
      }),
      { numRuns: 5_000 },
    );
  });
});

/** The decimals of price, size and amount for each tick (venue-a.md §2.2). */
const DECIMALS: Readonly<Record<(typeof TICKS)[number], readonly [number, number, number]>> = {
  '0.1': [1, 2, 3],
  '0.01': [2, 2, 4],
  '0.005': [3, 2, 5],
  '0.0025': [4, 2, 6],
  '0.001': [3, 2, 5],
  '0.0001': [4, 2, 6],
};

interface Ratio {
  readonly over: bigint;
  readonly under: bigint;
}

/** Rounds a ratio to a number of decimals, down or half up. */
function rounded({ over, under }: Ratio, decimals: number, way: 'down' | 'half-up'): Ratio {
  const scale = 10n ** BigInt(decimals);
  const whole = way === 'down' ? (over * scale) / under : (2n * over * scale + under) / (2n * under);
  return { over: whole, under: scale };
}

/** Returns a ratio in dollars or shares as millionths. The ratio has at most six decimals. */
function millionths({ over, under }: Ratio): bigint {
  expect((over * 1_000_000n) % under).toBe(0n);
  return (over * 1_000_000n) / under;
}

function naiveLimit(side: OrderSide, tick: (typeof TICKS)[number], price: number, size: number): OrderAmounts {
  const [priceDecimals, sizeDecimals, amountDecimals] = DECIMALS[tick];
  const at = rounded({ over: BigInt(price), under: 10_000n }, priceDecimals, 'half-up');
  const count = rounded({ over: BigInt(size), under: 1_000_000n }, sizeDecimals, 'down');
  const cost = { over: at.over * count.over, under: at.under * count.under };
  const dollars = millionths(rounded(cost, amountDecimals, 'down'));
  const moved = millionths(count);
  return side === BUY ? { makerAmount: dollars, takerAmount: moved } : { makerAmount: moved, takerAmount: dollars };
}

/**
 * Returns the amounts at the limit. The nearest tick to the price of these amounts may be worse than the limit. Then returns the amounts at
 * the next tick on the safe side.
 */
function naiveMarket(
  side: OrderSide,
  tick: (typeof TICKS)[number],
  limit: number,
  given: number,
): OrderAmounts | AmountRefusal {
  const step = rules(tick).tick;
  const makes = rounded({ over: BigInt(given), under: 1_000_000n }, 2, 'down');
  for (const price of side === BUY ? [limit, limit - step] : [limit, limit + step]) {
    if (price >= 10_000) continue;
    const at = { over: BigInt(price), under: 10_000n };
    const exact =
      side === BUY
        ? { over: makes.over * at.under, under: makes.under * at.over }
        : { over: makes.over * at.over, under: makes.under * at.under };
    const [maker, taker] = [millionths(makes), millionths(rounded(exact, 4, 'down'))];
    if (taker === 0n) return 'nothing-left';
    if (taker > 2n ** 53n) return 'too-large';
    const [dollars, shares] = side === BUY ? [maker, taker] : [taker, maker];
    const ticksOff = (Number(dollars) / Number(shares) - limit / 10_000) / (step / 10_000);
    if (side === BUY ? ticksOff < 0.5 - 1e-9 : ticksOff > -0.5 + 1e-9)
      return { makerAmount: maker, takerAmount: taker };
  }
  return 'price-lost';
}
