// A recording that the house plays as its liquidity. Without traders it ends in the recorded books; traders meet real orders.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASK, BID, type Level, type Venue } from '../../../src/core/domain/market.ts';
import {
  formatMicroShares,
  formatTicks,
  type MicroShares,
  parseMicroShares,
  parseTicks,
  type Ticks,
  type UnixMillis,
} from '../../../src/core/domain/numbers.ts';
import { limits } from '../../../src/limits.ts';
import { recordedCatalog } from '../../../src/paper/flow/recorded-catalog.ts';
import { messagesOf, type RecordedFrame, stepsOf } from '../../../src/paper/flow/recorded-frames.ts';
import { RecordedLiquidity } from '../../../src/paper/flow/recorded-liquidity.ts';
import { PlayedFrames } from '../../../src/paper/replay/played-frames.ts';
import { readRecording } from '../../../src/paper/replay/recording.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { ExchangeDesk } from './exchange-desk.ts';

const SHARE = 1_000_000;
const shares = (count: number) => (count * SHARE) as MicroShares;

function play(
  frames: readonly RecordedFrame[],
  tokensByCondition = new Map<string, [string, string]>(),
  speed = 1,
  loop = false,
) {
  const timers = new VirtualTimers();
  const catalog = recordedCatalog(frames, { now: timers.now(), tokensByCondition });
  const desks = { venueA: ExchangeDesk.ofVenueA(catalog, timers), venueB: ExchangeDesk.ofVenueB(catalog, timers) };
  const played = new PlayedFrames();
  const liquidity = new RecordedLiquidity({ frames, catalog, desks, timers, speed, loop, played });
  return { ...desks, catalog, timers, played, liquidity };
}

async function recorded(path: string): Promise<RecordedFrame[]> {
  const { frames, venue } = await readRecording(recordingPath(path));
  return frames.map(({ atMs, text }) => ({ venue, atMs, text }));
}

const levelsOf = (desk: ExchangeDesk, address: string, side: 0 | 1): Level[] => [
  ...desk.levels(desk.market(address), side),
];
const sum = (levels: readonly Level[]) => levels.reduce((total, { size }) => total + size, 0) as MicroShares;

describe.skipIf(!recordingsPresent)('venue B’s recording (needs the recordings)', async () => {
  interface Final {
    readonly yes_levels: number;
    readonly no_levels: number;
    readonly best_yes_bid: readonly [string, string];
    readonly best_no_bid: readonly [string, string];
    readonly yes_total: string;
    readonly no_total: string;
  }
  const folder = 'venue-b/kalshi-cockpit';
  const frames = recordingsPresent ? await recorded(`${folder}/tests/fixtures/ws_orderbook_stream.json`) : [];
  const final: Record<string, Final> = recordingsPresent
    ? JSON.parse(readFileSync(recordingPath(`${folder}/ws_orderbook_stream.expected_final.json`), 'utf8')).books
    : {};

  it('fills every book at the start', () => {
    const { liquidity, venueB } = play(frames);
    liquidity.start();
    expect(venueB.markets.map(({ address }) => address)).toEqual(Object.keys(final).sort());
    for (const { address } of venueB.markets) expect(levelsOf(venueB, address, BID).length).toBeGreaterThan(20);
  });

  it.each([1, 50])('ends in the recorded books at speed %s', speed => {
    const { liquidity, timers, venueB } = play(frames, new Map(), speed);
    liquidity.start();
    timers.advance(60_000 / speed);
    expect(liquidity.isOver).toBe(true);
    for (const [ticker, expected] of Object.entries(final)) {
      const [bids, asks] = [levelsOf(venueB, ticker, BID), levelsOf(venueB, ticker, ASK)];
      const [noPrice, noSize] = expected.best_no_bid;
      expect([bids.length, asks.length]).toEqual([expected.yes_levels, expected.no_levels]);
      expect([bids[0], asks[0]]).toEqual([
        { price: parseTicks(expected.best_yes_bid[0]), size: parseMicroShares(expected.best_yes_bid[1]) },
        { price: 10_000 - parseTicks(noPrice)!, size: parseMicroShares(noSize) },
      ]);
      expect([sum(bids), sum(asks)]).toEqual([
        parseMicroShares(expected.yes_total),
        parseMicroShares(expected.no_total),
      ]);
    }
    expect(venueB.events.filter(({ type }) => type === 'fill')).toEqual([]);
  });

  it('trades with orders that cross the book', () => {
    const { liquidity, timers, venueB } = play(frames);
    const market = venueB.market('KXMLBGAME-26AUG071910ATHBOS-BOS');
    liquidity.start();
    const best = venueB.best(market, ASK)!;
    expect(venueB.trade(market, BID, best.price, shares(10))).toBe(shares(10));
    expect(venueB.best(market, ASK)).toEqual({ price: best.price, size: best.size - shares(10) });
    timers.advance(60_000);
    expect(liquidity.isOver).toBe(true);
  });
});

describe.skipIf(!recordingsPresent)('venue A’s recording (needs the recordings)', async () => {
  const path = 'venue-a/recorded-btc-2026-08/btc_updown_5m_20260816T0158Z_ws_market.jsonl';
  const frames = recordingsPresent ? await recorded(path) : [];

  it('ends with the sizes that were said last, on both tokens', () => {
    const { liquidity, timers, venueA, catalog } = play(frames);
    const said = new Map<string, string>();
    for (const message of frames.flatMap(messagesOf)) {
      for (const change of (message.price_changes as Record<string, string>[] | undefined) ?? []) {
        said.set(`${change.asset_id} ${change.side} ${change.price}`, change.size!);
      }
    }
    liquidity.start();
    timers.advance(2_000);
    expect([liquidity.isOver, said.size > 20]).toEqual([true, true]);
    const listings = catalog.venueA.events.flatMap(({ markets }) => markets);
    for (const [change, size] of said) {
      const [token = '', side, price] = change.split(' ');
      const listing = listings.find(({ tokens }) => tokens.includes(token))!;
      const isSecond = listing.tokens[1] === token;
      const isBid = (side === 'BUY') !== isSecond;
      const ticks = isSecond ? 10_000 - parseTicks(price!)! : parseTicks(price!)!;
      const level = levelsOf(venueA, listing.conditionId, isBid ? BID : ASK).find(it => it.price === ticks);
      expect(level === undefined ? '0' : formatMicroShares(level.size)).toBe(size);
    }
  });
});

/** Returns a venue B frame in the form of a recording. */
const frameB = (atMs: number, type: string, msg: object): RecordedFrame => ({
  venue: 'venue_b',
  atMs,
  text: JSON.stringify({ type, sid: 1, seq: 1, msg: { market_ticker: 'KXA-B-C', ...msg } }),
});
const opening = frameB(0, 'orderbook_snapshot', {
  yes_dollars_fp: [['0.4000', '100.00']],
  no_dollars_fp: [['0.5000', '50.00']],
});
const delta = (atMs: number, side: string, price: string, by: string) =>
  frameB(atMs, 'orderbook_delta', { side, price_dollars: price, delta_fp: by });

describe('levels of the house', () => {
  const bids = (desk: ExchangeDesk) =>
    levelsOf(desk, 'KXA-B-C', BID).map(({ price, size }) => `${formatTicks(price)} ${formatMicroShares(size)}`);

  it('grow, shrink and go with the recorded ones', () => {
    const { liquidity, timers, venueB } = play([
      opening,
      delta(10, 'yes', '0.4000', '5.50'),
      delta(20, 'yes', '0.4000', '-30.00'),
      delta(30, 'yes', '0.4100', '7.00'),
      delta(40, 'yes', '0.4000', '-75.50'),
    ]);
    liquidity.start();
    const seen = [bids(venueB)];
    for (let frame = 0; frame < 4; frame += 1) {
      timers.advance(10);
      seen.push(bids(venueB));
    }
    expect(seen).toEqual([['0.4 100'], ['0.4 105.5'], ['0.4 75.5'], ['0.41 7', '0.4 75.5'], ['0.41 7']]);
  });

  it('do not bring back what somebody has taken before the recorded book changes there', () => {
    const { liquidity, timers, venueB } = play([
      opening,
      delta(10, 'yes', '0.4100', '5.00'),
      { ...opening, atMs: 20 },
      delta(30, 'yes', '0.4000', '-30.00'),
    ]);
    liquidity.start();
    expect(venueB.trade(venueB.market('KXA-B-C'), ASK, 4_000 as Ticks, shares(60))).toBe(shares(60));
    const seen: string[][] = [];
    for (let frame = 0; frame < 3; frame += 1) {
      timers.advance(10);
      seen.push(bids(venueB));
    }
    expect(seen).toEqual([['0.41 5', '0.4 40'], ['0.4 40'], ['0.4 70']]);
  });

  it('give way to recorded trades, which fill orders that wait behind them', () => {
    const trade = (atMs: number, count: string) =>
      frameB(atMs, 'trade', { yes_price_dollars: '0.4000', count_fp: count, taker_book_side: 'ask' });
    const { liquidity, timers, venueB } = play([
      opening,
      trade(10, '90.00'),
      delta(20, 'yes', '0.4000', '-90.00'),
      frameB(30, 'trade', { yes_price_dollars: '0.3900', count_fp: '15.00', taker_side: 'no' }),
      { ...trade(40, '7.00'), text: trade(40, '7.00').text.replace('}}', ',"is_block_trade":true}}') },
      trade(50, '17.00'),
    ]);
    liquidity.start();
    const market = venueB.market('KXA-B-C');
    venueB.trade(market, BID, 4_000 as Ticks, shares(20));
    const seen: string[][] = [];
    for (let frame = 0; frame < 5; frame += 1) {
      timers.advance(10);
      seen.push(bids(venueB));
    }
    // The 15 at 39¢ traded through the order at 40¢ and left 5 of its 20. The 17 first took the 10 that were ahead of these 5.
    expect(seen).toEqual([['0.4 120'], ['0.4 30'], ['0.4 15'], ['0.4 15'], ['0.4 10']]);
    expect(venueB.events.flatMap(it => (it.type === 'fill' ? [it.size / SHARE] : []))).toEqual([15, 5]);
  });

  it('show no more to an order that has met them than they grow', () => {
    const { liquidity, timers, venueB } = play([
      opening,
      delta(10, 'no', '0.5800', '20.00'),
      delta(20, 'no', '0.5800', '5.00'),
    ]);
    liquidity.start();
    venueB.trade(venueB.market('KXA-B-C'), BID, 4_200 as Ticks, shares(40));
    timers.advance(20);
    expect(venueB.events.flatMap(it => (it.type === 'fill' ? [it.size / SHARE] : []))).toEqual([20, 5]);
  });

  it('meet an order of somebody else that they come across', () => {
    const { liquidity, timers, venueB } = play([opening, delta(10, 'no', '0.5800', '20.00')]);
    liquidity.start();
    const market = venueB.market('KXA-B-C');
    venueB.trade(market, BID, 4_500 as Ticks, shares(12));
    timers.advance(10);
    expect(venueB.events.filter(({ type }) => type === 'fill')).toMatchObject([{ price: 4_500, size: shares(12) }]);
    expect(venueB.best(market, ASK)).toEqual({ price: 4_200, size: shares(8) });
  });

  it('of many small changes are few orders', () => {
    const frames = [opening, ...Array.from({ length: 500 }, (_, index) => delta(index + 1, 'yes', '0.4000', '1.00'))];
    const { liquidity, timers, venueB } = play(frames);
    liquidity.start();
    timers.advance(600);
    expect(bids(venueB)).toEqual(['0.4 600']);
    expect(venueB.queue(venueB.market('KXA-B-C'), BID, 4_000 as Ticks)).toHaveLength(1);
  });

  it('begin again after a pause when the recording is looped, with what callers have taken', () => {
    const frames = [opening, delta(10, 'yes', '0.4000', '-100.00'), delta(20, 'yes', '0.4300', '5.00')];
    const { liquidity, timers, venueB, played } = play(frames, new Map(), 1, true);
    liquidity.start();
    for (let round = 0; round < 3; round += 1) {
      expect(bids(venueB)).toEqual(['0.4 100']);
      venueB.trade(venueB.market('KXA-B-C'), ASK, 4_000 as Ticks, shares(60));
      timers.advance(20);
      expect(bids(venueB)).toEqual(['0.43 5']);
      expect([played.played, played.expected]).toEqual([3, 3]);
      timers.advance(limits.replayLoopPauseMs);
    }
    liquidity.stop();
    expect(timers.pending).toBe(0);
  });

  it('4009: are withdrawn from a book that is lost, until it is stated again', () => {
    const crossing = { ...delta(20, 'yes', '0.6000', '5.00'), lost: ['KXA-B-C'] };
    const { liquidity, timers, venueB } = play([
      opening,
      delta(10, 'yes', '0.4100', '1.00'),
      crossing,
      delta(30, 'yes', '0.4200', '1.00'),
      { ...opening, atMs: 40 },
      delta(50, 'yes', '0.4300', '1.00'),
    ]);
    liquidity.start();
    const market = venueB.market('KXA-B-C');
    const seen: (readonly [string[], number | undefined])[] = [];
    for (let frame = 0; frame < 5; frame += 1) {
      timers.advance(10);
      seen.push([bids(venueB), venueB.best(market, ASK)?.price]);
    }
    expect(seen).toEqual([
      [['0.41 1', '0.4 100'], 5_000],
      [[], undefined],
      [[], undefined],
      [['0.4 100'], 5_000],
      [['0.43 1', '0.4 100'], 5_000],
    ]);
    expect(venueB.events.filter(({ type }) => type === 'fill')).toEqual([]);
  });

  it('stop on command', () => {
    const { liquidity, timers, venueB } = play([opening, delta(10, 'yes', '0.4000', '5.00')]);
    liquidity.start();
    liquidity.stop();
    timers.advance(100);
    expect([bids(venueB), liquidity.isOver]).toEqual([['0.4 100'], false]);
  });
});

describe('venue A’s second token', () => {
  it('is the mirror of the first', () => {
    const book = { event_type: 'book', market: '0xab', asset_id: '2', bids: [{ price: '0.30', size: '9' }], asks: [] };
    const frames: RecordedFrame[] = [{ venue: 'venue_a', atMs: 0, text: JSON.stringify([book]) }];
    const { liquidity, venueA } = play(frames, new Map([['0xab', ['1', '2']]]));
    liquidity.start();
    expect(levelsOf(venueA, '0xab', ASK)).toEqual([{ price: 7_000, size: shares(9) }]);
  });
});

describe('frames that say nothing', () => {
  it.each([
    ['venue_b', 'not JSON'],
    [
      'venue_b',
      '{"type":"orderbook_delta","msg":{"market_ticker":"T","side":"yes","price_dollars":"2","delta_fp":"1"}}',
    ],
    ['venue_b', '{"type":"orderbook_delta"}'],
    ['venue_a', '{"event_type":"price_change","price_changes":[{"asset_id":"1","price":"x","size":"1","side":"BUY"}]}'],
    ['venue_a', '[1,null,"PONG"]'],
  ] as [Venue, string][])('of %s: %s', (venue, text) => {
    expect(stepsOf({ venue, atMs: 0, text })).toEqual([]);
  });

  it('no JSON makes the reader throw', () => {
    const words = fc.constantFrom(
      'type',
      'msg',
      'event_type',
      'book',
      'price_change',
      'price_changes',
      'bids',
      'orderbook_snapshot',
      'yes_dollars_fp',
    );
    const json = fc
      .jsonValue()
      .chain(value => fc.tuple(words, words).map(([key, word]) => ({ [key]: word, msg: value, bids: value })));
    fc.assert(
      fc.property(json, fc.constantFrom<Venue>('venue_a', 'venue_b'), (value, venue) => {
        expect(Array.isArray(stepsOf({ venue, atMs: 0, text: JSON.stringify(value) }))).toBe(true);
      }),
    );
  });
});

// Tickers have the day of the game, and its clock time if two games may be on one day. No market may close while the recording plays, but this bound
// is not the start of the game.
describe('0127: when a recorded game starts', () => {
  const NOW = Date.UTC(2026, 10, 23) as UnixMillis;
  const YEAR_MS = 365 * 86_400_000;

  function listedFor(ticker: string) {
    const msg = { market_ticker: ticker, yes_dollars_fp: [['0.4000', '7.00']], no_dollars_fp: [] };
    const text = JSON.stringify({ type: 'orderbook_snapshot', msg });
    const { venueB } = recordedCatalog([{ venue: 'venue_b', atMs: 0, text }], { now: NOW });
    const { game, markets } = venueB.events[0]!;
    return [new Date(game.startsAt).toISOString(), markets[0]!.closeAt - NOW];
  }

  it.each([
    ['KXMLBGAME-26AUG072145TBSEA-SEA', '2026-08-08T01:45:00.000Z'],
    ['KXNBAGAME-26JAN09MILLAL-LAL', '2026-01-10T00:00:00.000Z'],
    ['KXMLBGAME-26AUG072545TBSEA-SEA', '2027-11-23T00:00:00.000Z'],
    ['KXNBAGAME-26JAN32MILLAL-LAL', '2027-11-23T00:00:00.000Z'],
    ['KXNBA-26-LAL', '2027-11-23T00:00:00.000Z'],
  ])('%s starts at %s, and its market is open for a year', (ticker, startsAt) => {
    expect(listedFor(ticker)).toEqual([startsAt, YEAR_MS]);
  });
});
