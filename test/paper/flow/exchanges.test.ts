// The market flow and recorded liquidity on the real exchanges: a game from before its start to the payout on both venues.

import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../src/core/domain/market.ts';
import type { Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { Random } from '../../../src/core/runtime/random.ts';
import { createCatalog } from '../../../src/paper/catalog/catalog.ts';
import type { Catalog } from '../../../src/paper/catalog/listings.ts';
import { MarketFlow } from '../../../src/paper/flow/market-flow.ts';
import { calibration } from '../../../src/paper/flow/market-maker.ts';
import { recordedCatalog } from '../../../src/paper/flow/recorded-catalog.ts';
import type { RecordedFrame } from '../../../src/paper/flow/recorded-frames.ts';
import { RecordedLiquidity } from '../../../src/paper/flow/recorded-liquidity.ts';
import { VenueAExchange } from '../../../src/paper/venue-a/exchange.ts';
import { VenueBExchange } from '../../../src/paper/venue-b/exchange.ts';
import { NO_FAULTS } from '../../support/no-faults.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const MINUTE_MS = 60_000;
const NOW = Date.UTC(2026, 10, 21, 20, 7) as UnixMillis;

function open({ venueA, venueB }: Catalog, timers: VirtualTimers) {
  const common = { timers, faults: NO_FAULTS };
  return {
    a: new VenueAExchange({ ...common, sports: venueA.sports, events: venueA.events, random: new Random(1) }),
    b: new VenueBExchange({ ...common, series: venueB.series, events: venueB.events, random: new Random(2) }),
  };
}

function oneGame(id: string): Catalog {
  const { games, questions, venueA, venueB } = createCatalog({ seed: 1, now: NOW });
  return {
    games: games.filter(game => game.id === id),
    questions: questions.filter(({ game }) => game === id),
    venueA: { ...venueA, events: venueA.events.filter(({ game }) => game.id === id) },
    venueB: { ...venueB, events: venueB.events.filter(({ game }) => game.id === id) },
  };
}

describe('a soccer game on both exchanges', () => {
  const catalog = oneGame('epl-mun-che-2026-11-21');
  const timers = new VirtualTimers(NOW);
  const { a, b } = open(catalog, timers);
  const results = new Map<string, boolean>();
  const flow = new MarketFlow({
    catalog,
    desks: { venueA: a.desk, venueB: b.desk },
    timers,
    random: new Random(3),
    calibration,
    onResult: (question, isTrue) => results.set(question, isTrue),
  });
  const depths = () =>
    [...a.markets.values(), ...b.markets.values()].map(market => [...market.levels(BID), ...market.levels(ASK)].length);
  const isAnyCrossed = () =>
    [...a.markets.values(), ...b.markets.values()].some(
      ({ bestBid, bestAsk }) => bestBid !== null && bestAsk !== null && bestBid.price >= bestAsk.price,
    );

  it('has full books from the start, and again after venue A has cleared its own at kick-off', () => {
    flow.start();
    expect(Math.min(...depths())).toBeGreaterThan(8);
    const [{ startsAt }] = catalog.games as [Catalog['games'][number]];
    timers.advance(startsAt - NOW + 10_000);
    expect(Math.min(...depths())).toBeGreaterThan(8);
  });

  it('is never crossed, and traded', () => {
    for (let minute = 0; minute < 90; minute += 1) {
      timers.advance(MINUTE_MS);
      expect(isAnyCrossed()).toBe(false);
    }
    expect([...b.trades(null)].length).toBeGreaterThan(10);
    expect([...a.tradesOfWallet(null)].length).toBeGreaterThan(3);
  });

  it('answers three questions with one yes, and the exchanges settle by that', () => {
    timers.advance(30 * MINUTE_MS);
    expect([...results].filter(([id, isTrue]) => isTrue && /(wins|draw)$/.test(id))).toHaveLength(1);
    expect(results.size).toBe(catalog.questions.length);
    for (const market of a.markets.values()) {
      const { question, isComplement } = market.listing.pricedBy;
      a.resolutions.resolve(market, results.get(question) !== isComplement ? 0 : 1);
    }
    for (const market of b.markets.values()) {
      const { question, isComplement } = market.listing.pricedBy;
      b.life.determine(market, (results.get(question) !== isComplement ? 10_000 : 0) as Ticks);
    }
    expect(Math.max(...depths())).toBe(0);
  });
});

describe('recorded frames on the exchanges', () => {
  const text = (value: unknown) => JSON.stringify(value);
  const frames: RecordedFrame[] = [
    {
      venue: 'venue_b',
      atMs: 0,
      text: text({
        type: 'orderbook_snapshot',
        msg: {
          market_ticker: 'KXNBAGAME-26JAN01AAABBB-AAA',
          yes_dollars_fp: [['0.4000', '7.00']],
          no_dollars_fp: [['0.5500', '9.00']],
        },
      }),
    },
    {
      venue: 'venue_a',
      atMs: 0,
      text: text({
        event_type: 'book',
        market: `0x${'ab'.repeat(32)}`,
        asset_id: '17',
        bids: [{ price: '0.412', size: '30' }],
        asks: [{ price: '0.43', size: '12.5' }],
      }),
    },
  ];

  it('are what their books show', () => {
    const timers = new VirtualTimers(NOW);
    const catalog = recordedCatalog(frames, { now: NOW });
    const { a, b } = open(catalog, timers);
    new RecordedLiquidity({ frames, catalog, desks: { venueA: a.desk, venueB: b.desk }, timers }).start();
    const [marketA, marketB] = [[...a.markets.values()][0]!, [...b.markets.values()][0]!];
    expect([marketA.bestBid, marketA.bestAsk]).toEqual([
      { price: 4_120, size: 30_000_000 },
      { price: 4_300, size: 12_500_000 },
    ]);
    expect([marketB.bestBid, marketB.bestAsk]).toEqual([
      { price: 4_000, size: 7_000_000 },
      { price: 4_500, size: 9_000_000 },
    ]);
  });
});
