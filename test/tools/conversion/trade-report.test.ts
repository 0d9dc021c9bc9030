// The figures of a trade report, calculated by hand for a bot that buys two shares too dear and sells one.

import { expect, it } from 'vitest';
import { ASK, BID, type BookState, type Side } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { RecordedEvent } from '../../../src/market-data/recording/format.ts';
import { csvOf, reportOf } from '../../../src/tools/conversion/report-page.ts';
import type { MarketResult, ReportedFill, ReportedOrder } from '../../../src/tools/conversion/reported-market.ts';
import { tradeReport } from '../../../src/tools/conversion/trade-report.ts';

const START = Date.UTC(2026, 10, 21, 18);
const SHARE = 1_000_000;
const market = { venue: 'venue_b', address: 'KXMADE-26NOV21-M1' } as const;
const NAME = 'venue_b KXMADE-26NOV21-M1';

function book(atS: number, bid: number, ask: number): RecordedEvent {
  const at = (START + atS * 1_000) as UnixMillis;
  const level = (price: number) => [{ price: price as Ticks, size: SHARE as MicroShares }];
  const place = { epoch: 1, seq: 1, venueTime: at, receivedAt: at };
  const facts = { state: 'LIVE', reason: 'SNAPSHOT', checksum: 0, lastTrade: 0 as Ticks } as const;
  return { kind: 'book', market, at, ...place, ...facts, bids: level(bid), asks: level(ask) };
}

function order(fromS: number, toS: number, price: number, more: Partial<ReportedOrder> = {}): ReportedOrder {
  const [createdAt, closedAt] = [START + fromS * 1_000, START + toS * 1_000];
  const [size, filled] = [(2 * SHARE) as MicroShares, 2 * SHARE];
  const terms = { market: NAME, side: BID, price: price as Ticks, size, filled, refusal: null } as const;
  return { ...terms, createdAt, closedAt, ...more };
}

function fill(atS: number, price: number, of: ReportedOrder | null, more: Partial<ReportedFill> = {}): ReportedFill {
  const terms = {
    price: price as Ticks,
    size: (2 * SHARE) as MicroShares,
    fee: 10_000,
    paid: 0,
    isMaker: true,
    order: of,
  };
  return { market: NAME, side: BID, ...terms, at: START + atS * 1_000, ...more };
}

const events: RecordedEvent[] = [
  book(0, 5_000, 5_200),
  book(5, 4_900, 5_100),
  // The bid of 50 cents is the best price again.
  book(10, 4_800, 5_000),
  { kind: 'gap', market, at: (START + 30_000) as UnixMillis, why: 'LAPPED' },
  book(31, 4_800, 5_000),
  book(100, 4_700, 4_900),
];
const orders = [
  order(1, 6, 4_950),
  order(20, 40, 4_800, { side: ASK, size: SHARE as MicroShares, filled: SHARE }),
  order(50, 50, 4_000, { filled: 0, refusal: 'INSUFFICIENT_FUNDS' }),
];
const fills = [
  fill(6, 5_000, orders[0]!),
  fill(40, 4_900, orders[1]!, { side: ASK, size: SHARE as MicroShares, fee: 0, isMaker: false }),
];

it('values what is held, and judges quotes and fills', () => {
  const { markets, points, drawdown, refusals, gaps } = tradeReport(events, orders, fills);
  expect(markets).toEqual([
    {
      ...{ market: NAME, orders: 3, fills: 2, ordered: 3 * SHARE, filled: 3 * SHARE },
      ...{ bought: 2 * SHARE, sold: SHARE, held: SHARE, realized: -10_000, unrealized: -20_000, fees: 10_000 },
      // No bid was displayed at 49.5 cents when that order came.
      ...{ paidOut: 0, queue: { sum: 0, shares: 2 * SHARE } },
      // The bid of 49.5 cents was the best only in the last of its five seconds. The ask at 48 cents was the best whenever a book was known.
      ...{ restedMs: 25_000, bestMs: 1_000 + 19_000 },
      against: [
        // The middle is 50 cents at 7 s. No fill of the ask at 41 s lost money.
        { sum: -100 * 0 + (4_900 - 4_900) * SHARE, shares: 3 * SHARE },
        { sum: (5_000 - 4_900) * 2 * SHARE, shares: 3 * SHARE },
        { sum: (5_000 - 4_900) * 2 * SHARE + (4_800 - 4_900) * SHARE, shares: 3 * SHARE },
      ],
    },
  ]);
  expect(points[0]).toEqual({ at: START + 1_000, profit: 0, realized: 0, fees: 0, held: 0 });
  expect(points.at(-1)).toMatchObject({ profit: -40_000, realized: -10_000, fees: 10_000, held: SHARE });
  expect(drawdown).toBe(40_000);
  expect([...refusals]).toEqual([['INSUFFICIENT_FUNDS', 1]]);
  expect(gaps).toEqual([{ at: START + 30_000, market: NAME, why: 'LAPPED', ms: 1_000, open: 1 }]);
});

it('counts the queue that a resting order found, and only for fills that rested', () => {
  const late = order(11, 60, 4_800);
  const resting = fill(50, 4_800, late, { size: SHARE as MicroShares });
  const [{ queue }] = tradeReport(events, [late], [resting, { ...resting, isMaker: false }]).markets as [MarketResult];
  expect(queue).toEqual({ sum: SHARE * SHARE, shares: SHARE });
});

it('books what payouts pay: of YES, and of NO, which buys YES back', () => {
  const paid = (side: Side, price: number, cash: number) => fill(200, price, null, { side, fee: 0, paid: cash });
  const yes = tradeReport(events, orders, [fill(6, 5_000, orders[0]!), paid(ASK, 10_000, 2_000_000)]).markets[0]!;
  expect(yes).toMatchObject({ held: 0, realized: 1_000_000, unrealized: 0, paidOut: 2_000_000, fills: 1, sold: 0 });
  // NO was bought for 40 cents, and pays 25 cents.
  const no = fill(6, 6_000, orders[0]!, { side: ASK });
  const lost = tradeReport(events, orders, [no, paid(BID, 7_500, 500_000)]).markets[0]!;
  expect(lost).toMatchObject({ held: 0, realized: -300_000, unrealized: 0, paidOut: 500_000, bought: 0 });
});

it('says how long a book was not known, and which orders were open or came meanwhile', () => {
  const at = (s: number) => ({ market, at: (START + s * 1_000) as UnixMillis });
  const state = (s: number, name: BookState): RecordedEvent =>
    ({ ...at(s), kind: 'state', epoch: 1, seq: 1, state: name, reason: 'SNAPSHOT' }) as RecordedEvent;
  const all: RecordedEvent[] = [
    { ...at(0), kind: 'gap', why: 'START' },
    book(0, 4_000, 6_000),
    state(10, 'STALE'),
    state(14, 'LIVE'),
    { ...at(20), kind: 'tradesMissed' },
    { ...at(30), kind: 'gap', why: 'EPOCH' },
    book(30, 4_000, 6_000),
    { ...at(40), kind: 'gap', why: 'START' },
    book(43, 4_000, 6_000),
    state(50, 'HALTED'),
    { ...at(60), kind: 'end' },
    { ...at(65), kind: 'gap', why: 'CUT' },
  ];
  const { gaps } = tradeReport(all, [order(5, 12, 4_000), order(11, 45, 4_000)], []);
  expect(gaps.map(({ why, ms, open }) => [why, ms / 1_000, open])).toEqual([
    ['STALE', 4, 2],
    ['TRADES_MISSED', 0, 1],
    ['START', 3, 1],
    ['END', 5, 0],
  ]);
});

it('is linear: a hundred thousand orders and fills', () => {
  const many = Array.from({ length: 100_000 }, (_, index) => order(index, index + 1, 4_800));
  const all = Array.from(many, (it, index) => fill(index + 1, 4_800, it));
  const { markets, points } = tradeReport(events, many, all);
  expect([markets[0]!.fills, points.length]).toEqual([100_000, 783]);
});

it('is a page without a network, and tables', () => {
  const { page, tables } = reportOf(tradeReport(events, orders, fills), 'A <bot>', ['Latency: none.']);
  expect(Object.keys(tables)).toEqual(['markets', 'profit', 'refusals', 'gaps']);
  expect(page).toContain('<h1>A &lt;bot></h1>');
  expect(page).not.toMatch(/https?:|<script|src=|@import/);
  expect(tables.markets.rows).toHaveLength(1 + 1 + 1);
  expect(csvOf(tables.gaps)).toContain('2026-11-21T18:00:30.000Z,venue_b KXMADE-26NOV21-M1,LAPPED,1,1\n');
  expect(csvOf({ head: ['reason'], rows: [['a, b']] })).toBe('reason\n"a, b"\n');
});

it('has nothing to say of a bot without orders', () => {
  expect(tradeReport(events, [], [])).toMatchObject({ markets: [], drawdown: 0, gaps: [] });
});

it('6005: has a page for an order at the beginning of a recording of days', () => {
  const days = [book(0, 5_000, 5_200), book(100_000, 2_000, 2_200), book(200_000, 5_000, 5_200)];
  const bought = order(1, 2, 5_200);
  const report = tradeReport(days, [bought], [fill(2, 5_200, bought)]);
  const { points, drawdown } = report;
  expect(points.length).toBeLessThanOrEqual(1_201);
  expect([points[0]!.at, points.at(-1)!.at]).toEqual([START + 1_000, expect.closeTo(START + 200_000_000, -6)]);
  // Two shares that cost 52 cents are worth 21 cents, and the fee was one cent.
  expect(drawdown).toBe(630_000);
  expect(reportOf(report, 'Days', []).page).toContain('</html>');
});
