// The market flow on virtual time over the bare engine. Books are full at once, the same seed gives the same calls, and no book is crossed. The two
// venues agree except for moments, and all games have results at the end. The statistics of the flow are those of the recordings.

import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { Random } from '../../../src/core/runtime/random.ts';
import { limits } from '../../../src/limits.ts';
import { createCatalog } from '../../../src/paper/catalog/catalog.ts';
import type { Catalog, Game } from '../../../src/paper/catalog/listings.ts';
import { MarketFlow } from '../../../src/paper/flow/market-flow.ts';
import { calibration, type HouseMarket } from '../../../src/paper/flow/market-maker.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { ExchangeDesk } from './exchange-desk.ts';

const NOW = Date.UTC(2026, 10, 21, 20, 7) as UnixMillis;
const MINUTE_MS = 60_000;
const SHARE = 1_000_000;
const everything = createCatalog({ seed: 1, now: NOW });
const liveGame = 'nba-bos-lal-2026-11-21';

/** A catalog with only some games, so that a simulated hour runs quickly. */
function only(isWanted: (game: Game) => boolean): Catalog {
  const { games, questions, venueA, venueB } = everything;
  const wanted = new Set(games.filter(isWanted).map(({ id }) => id));
  return {
    games: games.filter(({ id }) => wanted.has(id)),
    questions: questions.filter(({ game }) => wanted.has(game)),
    venueA: { ...venueA, events: venueA.events.filter(({ game }) => wanted.has(game.id)) },
    venueB: { ...venueB, events: venueB.events.filter(({ game }) => wanted.has(game.id)) },
  };
}

function openDesks(catalog: Catalog, { seed = 7, intensity = 1 } = {}) {
  const timers = new VirtualTimers(NOW);
  const desks = { venueA: ExchangeDesk.ofVenueA(catalog, timers), venueB: ExchangeDesk.ofVenueB(catalog, timers) };
  const results: [string, boolean][] = [];
  const onResult = (question: string, isTrue: boolean) => results.push([question, isTrue]);
  const flow = new MarketFlow({ catalog, desks, timers, random: new Random(seed), calibration, intensity, onResult });
  return { timers, ...desks, flow, results };
}

const live = only(({ id }) => id === liveGame);
const middle = (desk: ExchangeDesk, market: HouseMarket) => {
  const [bid, ask] = [desk.best(market, BID), desk.best(market, ASK)];
  return bid === null || ask === null ? null : (bid.price + ask.price) / 2;
};
const depth = (desk: ExchangeDesk, market: HouseMarket, side: 0 | 1) => [...desk.levels(market, side)].length;

describe('at the start', () => {
  it('every book of the season is full when start() returns', () => {
    const { flow, venueA, venueB } = openDesks(everything);
    flow.start();
    for (const desk of [venueA, venueB]) {
      // A book at the lowest or highest price can have only one side.
      const thin = desk.markets.filter(market => depth(desk, market, BID) + depth(desk, market, ASK) < 8);
      expect(thin.map(({ address }) => address)).toEqual([]);
    }
  });

  it('the same seed and times give the same calls, another seed others', () => {
    const callsOf = (seed: number) => {
      const { flow, timers, venueA, venueB } = openDesks(live, { seed });
      flow.start();
      timers.advance(5 * MINUTE_MS);
      return [venueA.calls, venueB.calls];
    };
    const first = callsOf(7);
    expect(first[0]!.length).toBeGreaterThan(200);
    expect(callsOf(7)).toEqual(first);
    expect(callsOf(8)).not.toEqual(first);
  });

  it('without intensity makers follow the game and nobody else does anything', () => {
    const { flow, timers, venueB } = openDesks(live, { intensity: 0 });
    flow.start();
    const opening = venueB.calls.length;
    timers.advance(20 * MINUTE_MS);
    const later = venueB.calls.slice(opening);
    expect(later.length).toBeGreaterThan(0);
    expect(later.filter(call => call.includes(' take '))).toEqual([]);
  });

  it('stopped, it does nothing more', () => {
    const { flow, timers, venueA } = openDesks(live);
    flow.start();
    flow.stop();
    const before = venueA.calls.length;
    timers.advance(MINUTE_MS);
    expect([venueA.calls.length, timers.pending]).toEqual([before, 0]);
  });
});

describe('while a game is on', () => {
  const { flow, timers, venueA, venueB, results } = openDesks(live);
  const winnerB = venueB.market('KXNBAGAME-26NOV21BOSLAL-LAL');
  const otherB = venueB.market('KXNBAGAME-26NOV21BOSLAL-BOS');
  const winnerA = venueA.markets.find(({ pricedBy }) => pricedBy.question === winnerB.pricedBy.question)!;
  const gaps: number[] = [];
  const sums: number[] = [];
  let arbitrages = 0;
  flow.start();
  for (let second = 0; second < 40 * 60; second += 1) {
    timers.advance(1_000);
    const [a, b] = [middle(venueA, winnerA), middle(venueB, otherB)];
    if (a !== null && b !== null) gaps.push(Math.abs(a - b));
    const home = middle(venueB, winnerB);
    if (home !== null && b !== null) sums.push(home + b);
    const [bidA, askB] = [venueA.best(winnerA, BID)?.price ?? 0, venueB.best(otherB, ASK)?.price ?? 10_000];
    const [bidB, askA] = [venueB.best(otherB, BID)?.price ?? 0, venueA.best(winnerA, ASK)?.price ?? 10_000];
    if (bidA > askB || bidB > askA) arbitrages += 1;
  }

  it('no order of the house has met its own, and no book is crossed', () => {
    for (const desk of [venueA, venueB]) {
      const self = desk.events.filter(event => event.type === 'cancelled' && event.reason === 'self-trade');
      expect(self).toEqual([]);
      for (const market of desk.markets) {
        const [bid, ask] = [desk.best(market, BID), desk.best(market, ASK)];
        if (bid !== null && ask !== null) expect(bid.price).toBeLessThan(ask.price);
      }
    }
  });

  it('the two venues agree, but for moments', () => {
    const near = gaps.filter(gap => gap <= 150).length / gaps.length;
    expect(gaps.length).toBeGreaterThan(1_000);
    expect(near).toBeGreaterThan(0.9);
    expect(arbitrages).toBeGreaterThan(0);
    expect(arbitrages / gaps.length).toBeLessThan(0.1);
  });

  it('both sides of one question add up to a dollar', () => {
    const near = sums.filter(sum => Math.abs(sum - 10_000) <= 150).length;
    expect(near / sums.length).toBeGreaterThan(0.9);
  });

  it('the score is known, and the price has moved with it', () => {
    expect(flow.score(liveGame)!.home).toBeGreaterThan(30);
    expect(flow.score('nba-mia-nyk-2026-11-21')).toBeNull();
    const prices = venueB.changes.filter(({ market }) => market === winnerB.id).map(({ price }) => price);
    expect(Math.max(...prices) - Math.min(...prices)).toBeGreaterThan(1_500);
  });

  it('at the end the house leaves, and each question is answered once and for all alike', () => {
    timers.advance(120 * MINUTE_MS);
    expect(results.map(([question]) => question)).toEqual(live.questions.map(({ id }) => id));
    const { home, away } = flow.score(liveGame)!;
    expect(Object.fromEntries(results)[`${liveGame}:home-wins`]).toBe(home > away);
    for (const desk of [venueA, venueB]) {
      for (const market of desk.markets) expect(depth(desk, market, BID) + depth(desk, market, ASK)).toBe(0);
      const before = desk.calls.length;
      timers.advance(MINUTE_MS);
      expect(desk.calls).toHaveLength(before);
    }
  });
});

describe('others in the market', () => {
  it('take what the house offers, which comes back', () => {
    const { flow, timers, venueB } = openDesks(live);
    const market = venueB.market('KXNBAGAME-26NOV21BOSLAL-BOS');
    flow.start();
    const best = venueB.best(market, ASK)!;
    expect(venueB.trade(market, BID, best.price, best.size)).toBe(best.size);
    timers.advance(2 * MINUTE_MS);
    expect(depth(venueB, market, ASK)).toBeGreaterThan(5);
  });

  it('rest orders that the house trades with when its mind changes', () => {
    const { flow, timers, venueB } = openDesks(live);
    const market = venueB.market('KXNBAGAME-26NOV21BOSLAL-BOS');
    flow.start();
    const dear = (venueB.best(market, BID)!.price + 2_000) as Ticks;
    venueB.trade(market, BID, dear, (1_000_000 * SHARE) as MicroShares);
    const fills = () => venueB.events.filter(event => event.type === 'fill').length;
    const before = fills();
    timers.advance(5 * MINUTE_MS);
    expect(fills()).toBeGreaterThan(before);
  });

  it('find the books full again after the venue has cleared them at the start of a game', () => {
    const soon = only(({ id }) => id === 'nba-mia-nyk-2026-11-21');
    const { flow, timers, venueA } = openDesks(soon);
    flow.start();
    const [{ startsAt }] = soon.games as [Game];
    timers.advance(startsAt - NOW - 1);
    for (const market of venueA.markets) venueA.clear(market);
    timers.advance(10_000);
    for (const market of venueA.markets)
      expect(depth(venueA, market, BID) + depth(venueA, market, ASK)).toBeGreaterThan(8);
  });

  it('see no house in a paused market, and it again afterwards', () => {
    const { flow, timers, venueB } = openDesks(live);
    const market = venueB.market('KXNBAGAME-26NOV21BOSLAL-BOS');
    flow.start();
    venueB.pause(market, true);
    venueB.clear(market);
    const before = venueB.calls.length;
    timers.advance(MINUTE_MS);
    expect(venueB.calls.slice(before).filter(call => call.includes(market.address))).toEqual([]);
    venueB.pause(market, false);
    timers.advance(MINUTE_MS);
    expect(depth(venueB, market, BID)).toBeGreaterThan(5);
  });
});

describe('calibrated', () => {
  // Winner markets within three hours of their games are what was recorded: twelve of them, some hours before theirs.
  const soon = only(
    ({ startsAt, league }) => startsAt > NOW + 30 * MINUTE_MS && startsAt < NOW + 180 * MINUTE_MS && league !== 'atp',
  );
  const { flow, timers, venueB, venueA } = openDesks(soon);
  const isWinner = (market: HouseMarket) => /:(home-wins|away-wins|draw)$/.test(market.pricedBy.question);
  const winners = venueB.markets.filter(isWinner);
  const spreads: number[] = [];
  flow.start();
  const opening = winners.map(market => [...venueB.levels(market, BID)].map(({ size }) => size));
  const minutes = 28;
  for (let minute = 0; minute < minutes; minute += 1) {
    timers.advance(MINUTE_MS);
    for (const market of winners) {
      const [bid, ask] = [venueB.best(market, BID), venueB.best(market, ASK)];
      if (bid !== null && ask !== null) spreads.push(Math.round((ask.price - bid.price) / 100));
    }
  }
  const ids = new Set(winners.map(({ id }) => id));
  const changes = venueB.changes.filter(({ market, at }) => ids.has(market) && at > NOW);
  const share = <T>(list: readonly T[], is: (item: T) => boolean) => list.filter(is).length / list.length;

  it('to the recorded pace', () => {
    const perSecond = changes.length / winners.length / (60 * minutes);
    expect(perSecond).toBeGreaterThan(calibration.changesPerSecond / 1.6);
    expect(perSecond).toBeLessThan(calibration.changesPerSecond * 1.6);
  });

  it('to bursts: most pauses are far shorter than the mean, a few far longer', () => {
    const pauses = [...Map.groupBy(changes, ({ market }) => market).values()].flatMap(own => {
      const times = [...new Set(own.map(({ at }) => at))];
      const gaps = times.slice(1).map((at, index) => at - times[index]!);
      const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
      return gaps.map(gap => gap / mean);
    });
    expect(share(pauses, pause => pause < 0.25)).toBeGreaterThan(0.6);
    expect(share(pauses, pause => pause > 3)).toBeGreaterThan(0.04);
    expect(share(pauses, pause => pause > 3)).toBeLessThan(0.2);
  });

  it('to the shares of orders that come and of trades', () => {
    const added = share(changes, ({ before, after }) => after > before);
    expect(Math.abs(added - calibration.venueB.addShare)).toBeLessThan(0.15);
    const takes = venueB.calls.filter(call => call.includes(' take ')).length;
    const relative = takes / changes.length / calibration.tradeShare;
    expect(relative).toBeGreaterThan(0.4);
    expect(relative).toBeLessThan(2.5);
  });

  it('no side of a book has more orders than a maker may have', () => {
    const counts = [venueA, venueB].flatMap(desk => desk.restingCounts());
    expect(counts.length).toBeGreaterThan(100);
    expect(Math.max(...counts)).toBe(limits.paperMakerOrdersPerSideMax);
    // A book side of a question that is nearly decided has few orders.
    expect(counts.filter(count => count < 4).length).toBeLessThan(3);
  });

  it('to the recorded spread', () => {
    expect(share(spreads, spread => spread === 1)).toBeGreaterThan(calibration.spreadShares[0]! - 0.2);
    expect(share(spreads, spread => spread > 4)).toBeLessThan(0.05);
  });

  it('to the recorded depth, level by level', () => {
    for (const level of [0, 1, 2, 3, 4]) {
      const sizes = opening.flatMap(own => own[level] ?? []).sort((a, b) => a - b);
      const relative = sizes[Math.floor(sizes.length / 2)]! / calibration.venueB.depth[level]!;
      expect(relative).toBeGreaterThan(0.5);
      expect(relative).toBeLessThan(2);
    }
  });

  it('to the recorded sizes of orders', () => {
    const sizes = changes.filter(({ before, after }) => after > before).map(({ before, after }) => after - before);
    const small = calibration.venueB.addSizes[15]!;
    expect(share(sizes, size => size <= small)).toBeGreaterThan(0.5);
  });

  it('to venue A’s own, smaller sizes there', () => {
    const market = venueA.markets.find(isWinner)!;
    const best = [...venueA.levels(market, BID)].slice(0, 5).map(({ size }) => size);
    expect(Math.max(...best)).toBeLessThan(2_000 * SHARE);
  });
});
