// Documents with which a venue's server could do harm: the venue's own documents with any value in any place. Everything that is read keeps
// the rules of a market, and nothing throws.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/core/domain/json.ts';
import { isTokenId } from '../../src/core/domain/market.ts';
import type { Quote } from '../../src/core/domain/market-summary.ts';
import { type MicroShares, TICKS_PER_DOLLAR } from '../../src/core/domain/numbers.ts';
import { isPositive, readBestPrices } from '../../src/venues/market-read-http.ts';
import { readMarketDocument as readVenueA } from '../../src/venues/venue-a/market-document.ts';
import { readMarketDocument as readVenueD } from '../../src/venues/venue-d/market-read.ts';
import { readMarketDocument as readVenueE, unwrap } from '../../src/venues/venue-e/market-document.ts';
import { roundMicrosOf, ticksOf, unixTimeOf } from '../../src/venues/wire-values.ts';

const OF_A = {
  condition_id: '0x1',
  question: 'X?',
  ...{ active: true, closed: false, archived: false, accepting_orders: true, end_date_iso: '2026-11-21T06:00:00Z' },
  tokens: [
    { token_id: '11', outcome: 'Yes', winner: false },
    { token_id: '22', outcome: 'No', winner: false },
  ],
};
const OF_D = {
  ...{ slug: 'x', title: 'X?', status: 'FUNDED', expired: false, expirationTimestamp: 1_800_000_000_000 },
  ...{ tokens: { yes: '11', no: '22' }, tradeType: 'clob', prices: [0.55, 0.45], outcomeTokens: ['Up', 'Down'] },
  tradePrices: { buy: { market: [0.6, 0.5] }, sell: { market: [0.5, 0.4] } },
};
const OF_E = {
  ...{ marketId: 7, marketTitle: 'X?', marketType: 0, status: 2, yesTokenId: '11', noTokenId: '22', yesLabel: 'YES' },
  ...{ noLabel: 'NO', cutoffAt: 1_800_000_000, childMarkets: [{ marketId: 8 }] },
};
const BOOK = { tokenId: '11', bids: [{ price: '0.2', size: '1.5' }], asks: [{ price: 0.4, size: 1e6 }] };

/** Any JSON value, and the values at which readers stumble. */
const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('', '0', '-1', '1e3', '0.5', '99999999999999999999', 'amm', 'RESOLVED'),
  fc.constantFrom(0, -1, 1e300, 1e-300, 42.8, null),
  fc.double(),
  fc.array(fc.double({ noNaN: true }), { maxLength: 3 }),
);

/** Returns the document with a few of its values replaced by other values. */
function tampered(document: object): fc.Arbitrary<unknown> {
  const change = fc.tuple(fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }), anything);
  return fc
    .array(change, { minLength: 1, maxLength: 4 })
    .map(changes => changes.reduce<unknown>((whole, [path, value]) => replaced(whole, path, value), document));
}

/** Replaces the value at a path. Each number of the path selects a key by its place, modulo the number of keys. */
function replaced(whole: unknown, [first, ...rest]: readonly number[], value: unknown): unknown {
  if (first === undefined || typeof whole !== 'object' || whole === null) return value;
  const keys = Object.keys(whole);
  const key = keys[first % keys.length];
  if (key === undefined) return value;
  const inner = replaced((whole as Record<string, unknown>)[key], rest, value);
  return Array.isArray(whole) ? whole.with(Number(key), inner) : { ...whole, [key]: inner };
}

function expectQuote({ bid, ask, mid }: Quote): void {
  for (const price of [bid, ask]) {
    expect(price === null || (Number.isInteger(price) && price >= 0 && price <= TICKS_PER_DOLLAR)).toBe(true);
  }
  if (bid !== null && ask !== null) expect([bid <= ask, mid]).toEqual([true, (bid + ask) * 50]);
  if (mid !== null) expect(Number.isInteger(mid) && mid >= 0 && mid <= 1_000_000).toBe(true);
}

const expectTime = (time: number | null): void => {
  if (time !== null) expect(new Date(time).toISOString()).toMatch(/^\d{4}-/);
};
const TOKEN = /^[1-9]\d{0,77}$/;

describe('a tampered document', () => {
  it('of venue A', () => {
    const check = (body: unknown): void => {
      const document = readVenueA(body);
      if (document.type !== 'market') return;
      const { tokens, title, expiresAt } = document.market;
      for (const { tokenId, name } of tokens) expect([isTokenId(tokenId), name === '']).toEqual([true, false]);
      expect(typeof title).toBe('string');
      expectTime(expiresAt);
    };
    expect(readVenueA(OF_A).type).toBe('market');
    fc.assert(fc.property(fc.oneof(tampered(OF_A), anything), check), { numRuns: 2_000 });
  });

  it('of venue D', () => {
    const check = (body: unknown): void => {
      const document = readVenueD(body);
      if (document.type === 'group') expect(document.members.every(it => typeof it === 'string')).toBe(true);
      if (document.type !== 'market') return;
      const { outcomes, expiresAt, marketId } = document.market;
      for (const outcome of outcomes) {
        expectQuote(outcome);
        expect([TOKEN.test(outcome.outcomeId), outcome.name === '']).toEqual([true, false]);
      }
      expect(marketId).not.toBe('');
      expectTime(expiresAt);
    };
    expect(readVenueD(OF_D).type).toBe('market');
    fc.assert(fc.property(fc.oneof(tampered(OF_D), tampered({ ...OF_D, tradeType: 'amm' }), anything), check), {
      numRuns: 3_000,
    });
  });

  it('of venue E', () => {
    const alone = { ...OF_E, childMarkets: undefined };
    const check = (body: unknown): void => {
      const document = readVenueE(body);
      if (document.type === 'group') expect(document.members.every(isObject)).toBe(true);
      if (document.type !== 'market') return;
      const { outcomes, expiresAt, marketId } = document.market;
      for (const { outcomeId, name } of outcomes) expect([TOKEN.test(outcomeId), name === '']).toEqual([true, false]);
      expect(marketId).toMatch(/^[1-9]\d{0,15}$/);
      expectTime(expiresAt);
    };
    expect([readVenueE(alone).type, readVenueE(OF_E).type]).toEqual(['market', 'group']);
    fc.assert(fc.property(fc.oneof(tampered(alone), tampered(OF_E), anything), check), { numRuns: 3_000 });
  });

  it('that is an order book', () => {
    expect(readBestPrices(BOOK, '11')).toEqual({ bid: 2_000, ask: 4_000, mid: 300_000 });
    const check = (body: unknown): void => {
      const quote = readBestPrices(body, '11');
      if (quote !== null) expectQuote(quote);
    };
    fc.assert(fc.property(fc.oneof(tampered(BOOK), anything), check), { numRuns: 2_000 });
  });

  it('that is an envelope', () => {
    const whole = { errno: 0, errmsg: '', result: { data: OF_E } };
    fc.assert(
      fc.property(fc.nat(600), fc.oneof(tampered(whole), anything), (status, body) => {
        const unwrapped = unwrap({ type: 'json', status, body });
        if (unwrapped.type === 'result') expect([status, isObject(unwrapped.result)]).toEqual([200, true]);
      }),
    );
  });
});

describe('numbers', () => {
  /** Computes the micros with big integers, digit by digit. */
  const naiveMicros = (whole: number, fraction: string): bigint =>
    BigInt(whole) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));

  it('of millionths are cut, never rounded, for any number of digits', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 20 });
    fc.assert(
      fc.property(fc.nat(999_999), digits, (whole, fraction) => {
        const text = fraction === '' ? String(whole) : `${whole}.${fraction}`;
        expect(roundMicrosOf(text)).toBe(Number(naiveMicros(whole, fraction)) as MicroShares);
      }),
    );
  });

  it.each<[value: unknown, ticks: number | null, micros: number | null]>([
    [0.713, 7_130, 713_000],
    ['0.7130000', 7_130, 713_000],
    [1e-7, null, 0],
    [0.1 + 0.2, null, 300_000],
    [-0.5, null, null],
    [1.5, null, 1_500_000],
    ['0,5', null, null],
    [Number.NaN, null, null],
    [1e21, null, null],
    [true, null, null],
  ])('%j', (value, ticks, micros) => {
    expect([ticksOf(value), roundMicrosOf(value)]).toEqual([ticks, micros]);
  });

  it.each<[value: unknown, millis: number | null]>([
    [1_782_066_600_000, 1_782_066_600_000],
    ['1798779540000', 1_798_779_540_000],
    [0, null],
    ['Jun 21, 2026', null],
    [-1, null],
    [1.5, null],
    [1e15, null],
  ])('%j as a time', (value, millis) => {
    expect(unixTimeOf(value)).toBe(millis);
  });

  it('of seconds are a thousand times as many milliseconds', () => {
    const times = [1_798_675_200, 0, 1e12].map(seconds => unixTimeOf(seconds, 1_000));
    expect(times).toEqual([1_798_675_200_000, null, null]);
  });

  it('of sizes say whether there is something', () => {
    for (const size of [1, '0.000000000000001', '42.896379525593005', 1e6]) expect(isPositive(size)).toBe(true);
    for (const size of [0, '0', '0.00', '', -1, null, 'x', 1e-9])
      expect([size, isPositive(size)]).toEqual([size, false]);
  });
});
