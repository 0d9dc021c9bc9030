// Numbers and times as the page writes them, and the ladders of a market of the catalog. Also the page's messages on feeds and faults, and quantiles
// from counted buckets, against the sorted durations.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import type { PodFeed, PodStatus } from '../../../src/core/generated/api-types.ts';
import { alarmsOf, feedState } from '../../../src/tools/page/alarms.ts';
import { type Bucket, countedSince, quantileUs } from '../../../src/tools/page/latency.ts';
import { termsOf } from '../../../src/tools/page/order-terms.ts';
import { routesOf } from '../../../src/tools/page/routes-of-market.ts';
import {
  ageText,
  aheadText,
  centDecimals,
  centsText,
  clockText,
  dayText,
  dollarsInCents,
  dollarsText,
  durationText,
  redeemableText,
  shortText,
  sizeText,
} from '../../../src/tools/page/texts.ts';

describe('texts', () => {
  it.each([
    [-5, '0 s'],
    [59_999, '59 s'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h 0 min'],
    [90_000_000, '1 d 1 h'],
  ])('an age of %i ms is %s', (ms, text) => expect(ageText(ms)).toBe(text));

  it.each([
    ['1043.672', '$1,043.67'],
    ['-0.159', '-$0.16'],
    ['-0.001', '$0.00'],
  ])('%s dollars are %s', (dollars, text) => expect(dollarsText(dollars)).toBe(text));

  it.each([
    [null, '–'],
    [999, '999 µs'],
    [1_250, '1.3 ms'],
    [2_000_000, '2 s'],
  ])('a duration of %j µs is %s', (us, text) => expect(durationText(us)).toBe(text));

  it.each([
    [5_300, 0, '53¢'],
    [5_300, 1, '53.0¢'],
    [5_355, 2, '53.55¢'],
    [-120, 1, '-1.2¢'],
    [undefined, 1, '–'],
  ])('a price of %j ticks with %i decimals is %s', (ticks, decimals, text) =>
    expect(centsText(ticks as Ticks, decimals)).toBe(text),
  );

  it.each([
    ['0.01', 0],
    ['0.001', 1],
    ['0.0025', 2],
    ['1', 0],
  ])('a grid of %s dollars has cents with %i decimals', (step, decimals) => expect(centDecimals(step)).toBe(decimals));

  it.each([
    [10_500_000, '10.50'],
    [12_345_678_900_000, '12,345,678.90'],
  ])('a size of %i is %s', (micros, text) => expect(sizeText(micros as MicroShares)).toBe(text));

  it.each([
    ['0.534231', '53.42¢'],
    ['0.5', '50.00¢'],
    ['-0.0123', '-1.23¢'],
    ['1.0175', '101.75¢'],
  ])('%s dollars are %s', (dollars, text) => expect(dollarsInCents(dollars)).toBe(text));

  it('a day is shown with its time, UTC', () => expect(dayText('2026-11-29T18:05:00.000Z')).toBe('29 Nov 18:05'));

  it('a time is shown as the time of the day, and a long name with both ends', () => {
    expect(clockText('2026-11-20T18:00:01.234Z')).toBe('18:00:01.234');
    expect(shortText('abcdefghij', 5)).toBe('ab…ij');
    expect(shortText('abcde', 5)).toBe('abcde');
  });
});

describe('terms of an order', () => {
  const order = (terms: object) => ({ order: terms }) as Parameters<typeof termsOf>[0];

  it('of venue A are shares, or dollars of a market order', () => {
    const limit = { tokenId: '7', side: 'BUY', size: '20', price: '0.05', filledShares: null };
    expect(termsOf(order(limit))).toEqual({ market: '7', does: 'BUY', price: '5.00¢', size: '20.00', filled: '0' });
    const market = { tokenId: '7', side: 'BUY', amount: '12.5', filledShares: '3' };
    expect(termsOf(order(market))).toMatchObject({ price: 'market', size: '$12.50', filled: '3' });
    expect(termsOf(order({ ...market, side: 'SELL' }))).toMatchObject({ does: 'SELL', size: '12.50' });
  });

  it('of venue B have the exact price, also between cents', () => {
    const exact = {
      ticker: 'K',
      side: 'NO',
      action: 'SELL',
      count: null,
      size: '3.22',
      priceCents: null,
      price: '0.535',
    };
    expect(termsOf(order(exact))).toMatchObject({ market: 'K', does: 'SELL NO', price: '53.50¢', size: '3.22' });
  });
});

it('an outcome has the first route to each venue', () => {
  const listing = (ticker: string, side: 'YES' | 'NO') =>
    ({ venue: 'VENUE_B', ticker, side, executable: true }) as const;
  const outcomes = [
    {
      name: 'home',
      listings: [listing('H', 'YES'), { venue: 'VENUE_A', tokenId: '1', executable: true }, listing('A', 'NO')],
    },
    { name: 'away', listings: [listing('H', 'NO')] },
    { name: 'draw', listings: [{ venue: 'VENUE_C', strikeId: 'x', executable: false }] },
  ] as const;
  expect(routesOf({ outcomes })).toEqual([
    {
      name: 'home',
      routes: [
        { market: { venue: 'venue_a', tokenId: '1' }, isNo: false, complement: null },
        { market: { venue: 'venue_b', ticker: 'H' }, isNo: false, complement: null },
      ],
    },
    { name: 'away', routes: [{ market: { venue: 'venue_b', ticker: 'H' }, isNo: true, complement: null }] },
  ]);
});

describe('what can be redeemed', () => {
  it.each([
    [[], ''],
    [['0', '-2'], ''],
    [['10', '0', '0.1', '0.2'], '3 can be redeemed for $10.30'],
  ])('of worths of %j is %j', (worths, text) => {
    expect(redeemableText(worths)).toBe(text);
  });
});

const feed = (changes: Partial<PodFeed> = {}, books: Partial<PodFeed['books']> = {}): PodFeed => ({
  venue: 'venue_b',
  name: null,
  tradable: true,
  marketData: true,
  frameAgeMs: 10,
  ...changes,
  books: { RESYNCING: 0, LIVE: 3, STALE: 0, HALTED: 0, CLOSED: 0, ...books },
});

const WELL: PodStatus['faults'] = {
  ...{ accountsUnread: 0, privateStreamsDown: 0, rowsHeld: 0, engineStalled: 0 },
  ...{ protectionsTriggered: 0, recordingFailed: 0, divergences: 0 },
};

const status = (changes: Partial<PodStatus> = {}): PodStatus => ({
  podId: 'demo',
  version: '1.0.0',
  mode: 'PAPER',
  startedAt: '2026-11-20T17:00:00.000Z',
  recordFault: null,
  stopped: [],
  feeds: [feed()],
  actors: [],
  faults: WELL,
  submissions: 0,
  latencies: [],
  ...changes,
});

describe('a feed is', () => {
  it.each([
    ['LIVE', feed()],
    ['STALE', feed({}, { STALE: 1 })],
    ['STALE', feed({ marketData: false }, { LIVE: 0, STALE: 3 })],
    ['STALE', feed({ marketData: false }, { LIVE: 0, RESYNCING: 3 })],
    ['RESYNCING', feed({}, { LIVE: 0, RESYNCING: 2 })],
    ['IDLE', feed({ frameAgeMs: 60_000 }, { LIVE: 0 })],
    ['LIVE', feed({ frameAgeMs: 60_000 })],
  ] as const)('%s', (state, it_) => expect(feedState(it_)).toBe(state));
});

describe('alarms', () => {
  const nameOf = (venue: string): string => (venue === 'venue_b' ? 'Kalshi (venue B)' : venue);
  it('are none while all is well', () => expect(alarmsOf(status(), nameOf)).toEqual([]));

  it('name each feed and fault', () => {
    const faults = {
      ...WELL,
      accountsUnread: 2,
      engineStalled: 1,
      protectionsTriggered: 1,
      recordingFailed: 1,
      divergences: 3,
    } as const;
    const feeds = [feed({}, { STALE: 1 })];
    expect(alarmsOf(status({ recordFault: 'nothing can be recorded', faults, feeds }), nameOf)).toEqual([
      'nothing can be recorded',
      'Kalshi (venue B) is STALE',
      '2 accounts could not be read',
      'the engine does not answer',
      '1 protections are triggered: their actors place no orders there until the reset',
      'books are not recorded any more',
      '3 statements of venues contradict the ledger, since the start',
    ]);
  });
});

/** Durations that equal the upper ends of their buckets. */
const durations = fc.array(fc.constantFrom(1, 10, 25, 100, 600, 1_000), { maxLength: 30 });

function bucketsOf(values: readonly number[]): Bucket[] {
  const ends = [...new Set(values)].toSorted((a, b) => a - b);
  return ends.map(endUs => ({ endUs, count: values.filter(it => it === endUs).length }));
}

it('a quantile is the duration below which that share is', () => {
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.9, 0.99, 1), (values, share) => {
      const sorted = values.toSorted((a, b) => a - b);
      const at = Math.max(0, Math.ceil(share * sorted.length) - 1);
      expect(quantileUs(bucketsOf(values), share)).toBe(sorted[at] ?? null);
    }),
  );
});

describe('what was counted between two readings', () => {
  it('is what the later one has more', () => {
    fc.assert(
      fc.property(durations, durations, (before, more) => {
        expect(countedSince(bucketsOf(before), bucketsOf([...before, ...more]))).toEqual(bucketsOf(more));
      }),
    );
  });

  it('is all of the later one after a restart', () => {
    expect(countedSince(bucketsOf([1, 1, 10]), bucketsOf([1, 25]))).toEqual(bucketsOf([1, 25]));
    expect(countedSince(bucketsOf([1, 10]), bucketsOf([1, 1]))).toEqual(bucketsOf([1, 1]));
  });
});

it.each([
  [{ low: '2', high: '12.5' }, '2.00–12.50'],
  [{ low: '12', high: '12' }, '12.00'],
  [{ low: '0', high: null }, 'unknown'],
  [null, '–'],
])('%j shares ahead read %s', (range, text) => {
  expect(aheadText(range)).toBe(text);
});
