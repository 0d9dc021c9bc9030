// Weeks of the season on both real exchanges. There is always a market to trade, the kept state stays within its bounds, and all money is accounted
// for. The exchanges share one virtual clock and a running season of games, as in the composition, but without sockets.

import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, UnixMillis } from '../../src/core/domain/numbers.ts';
import { Random } from '../../src/core/runtime/random.ts';
import type { Timers } from '../../src/core/runtime/timers.ts';
import { limits } from '../../src/limits.ts';
import { catalogOfDay, createCatalog, onlyGames } from '../../src/paper/catalog/catalog.ts';
import type { Catalog } from '../../src/paper/catalog/listings.ts';
import { dayOf } from '../../src/paper/catalog/schedule.ts';
import { Agenda } from '../../src/paper/flow/market-flow.ts';
import { type SeasonTerms, seasonTrading } from '../../src/paper/trading.ts';
import { VenueAExchange } from '../../src/paper/venue-a/exchange.ts';
import type { VenueAMarket } from '../../src/paper/venue-a/market.ts';
import { VenueBExchange } from '../../src/paper/venue-b/exchange.ts';
import { ZERO_BYTES32 } from '../../src/venues/venue-a/abi-words.ts';
import { NO_FAULTS } from '../support/no-faults.ts';

const NOW = Date.UTC(2026, 10, 21, 20, 7) as UnixMillis;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SHARE = 1_000_000;
const WALLET = `0x${'7'.repeat(40)}`;

/** A season with only the games whose ids begin with one of these texts, since weeks of all games would take a minute. */
function seasonOf(beginnings: readonly string[], { now = NOW, intensity = 0 } = {}): SeasonRig {
  const isWanted = (game: string): boolean => beginnings.some(beginning => game.startsWith(beginning));
  return new SeasonRig(now, onlyGames(createCatalog({ seed: 1, now }), isWanted), {
    seed: 1,
    intensity,
    catalogOf: day => onlyGames(catalogOfDay(day, { seed: 1 }), isWanted),
  });
}

function idsOf({ venueA, venueB }: SeasonRig): Set<string> {
  return new Set([...venueA.tokens.keys(), ...venueB.markets.keys(), ...venueB.marketsById.keys()]);
}

const hasOrders = (market: { levels(side: 0 | 1): Iterable<unknown> }): boolean =>
  [...market.levels(BID), ...market.levels(ASK)].length > 0;

describe('twenty days', () => {
  const rig = seasonOf(['wta-', 'epl-ars-'], { intensity: 0.002 });
  const { timers, venueA, venueB } = rig;
  const owner = { userId: '11111111-1111-4111-8111-111111111111', subaccount: 0 };
  venueA.deposit(WALLET, (100_000 * SHARE) as MicroDollars);
  venueB.deposit(owner, (100_000 * SHARE) as MicroDollars);
  let orders = 0;
  let filled = 0;

  /** A caller buys ten shares of any offer. */
  function buy(market: VenueAMarket): void {
    const { bestAsk } = market;
    if (!market.isOpen || bestAsk === null) return;
    orders += 1;
    const placed = venueA.place({
      orderId: `0x${orders.toString(16).padStart(64, '0')}`,
      owner: 'key',
      wallet: WALLET,
      market,
      token: 0,
      isBuy: true,
      price: bestAsk.price,
      size: (10 * SHARE) as MicroShares,
      spends: null,
      type: 'GTC',
      expirationS: 0,
      postOnly: false,
      builderCode: ZERO_BYTES32,
    });
    if (placed.ok) filled += 1;
  }

  const days: { open: number; ahead: number; markets: number; pending: number; stale: number }[] = [];
  rig.trading.start();
  timers.advance(60_000);
  for (let day = 0; day < 20; day += 1) {
    for (const market of [...venueA.markets.values()].slice(-40)) buy(market);
    timers.advance(DAY_MS);
    const now = timers.now();
    const open = [...venueB.markets.values()].filter(market => market.status === 'active');
    const ended = [...venueA.events, ...venueB.events].filter(
      ({ game }) => game.startsAt + game.lengthMs + limits.paperEndedMarketMs + DAY_MS < now,
    );
    days.push({
      open: open.filter(market => market.bestBid !== null || market.bestAsk !== null).length,
      ahead: Math.max(...venueA.events.map(({ game }) => game.startsAt)) - now,
      markets: venueA.markets.size + venueB.markets.size,
      pending: timers.pending,
      stale: ended.length,
    });
  }

  it('always have games to trade, and a week ahead of them', () => {
    expect(Math.min(...days.map(({ open }) => open))).toBeGreaterThan(12);
    expect(Math.min(...days.map(({ ahead }) => ahead))).toBeGreaterThan(6.4 * DAY_MS);
    expect(filled).toBeGreaterThan(200);
  });

  it('keep no more in the end than after a week', () => {
    const [week, end] = [days[6]!, days[19]!];
    expect(end.markets).toBeLessThan(week.markets * 1.2);
    expect(end.pending).toBeLessThan(week.pending * 1.2);
    expect(days.map(({ stale }) => stale)).toEqual(days.map(() => 0));
  });

  it('leave nothing of the house in markets that are over', () => {
    const over = [...venueA.markets.values()].filter(({ resolution }) => resolution !== null);
    const settled = [...venueB.markets.values()].filter(({ outcome }) => outcome !== null);
    expect([over.length > 10, settled.length > 10]).toEqual([true, true]);
    expect([...over, ...settled].filter(hasOrders)).toEqual([]);
  });

  it('decide every game, on both venues alike', () => {
    const late = (startsAt: number, lengthMs: number) => startsAt + lengthMs + HOUR_MS < timers.now();
    for (const { event, resolution } of venueA.markets.values()) {
      expect(resolution !== null).toBe(event.game.startsAt + event.game.lengthMs <= timers.now());
    }
    for (const { event, outcome, listing } of venueB.markets.values()) {
      if (!late(event.game.startsAt, event.game.lengthMs)) continue;
      const same = [...venueA.markets.values()].find(it => it.listing.pricedBy.question === listing.pricedBy.question);
      if (same === undefined) continue;
      const isTrueOnA = (same.resolution!.winner === 0) !== same.listing.pricedBy.isComplement;
      expect((outcome!.result === 'yes') !== listing.pricedBy.isComplement).toBe(isTrueOnA);
    }
  });

  it('lose no money', () => {
    const { wallets, house, escrow, owed, pots, fees, deposited } = venueA.audit();
    expect(wallets + house + escrow + pots + fees).toBe(deposited);
    expect(escrow).toBe(owed);
    expect(venueA.collateral(WALLET)).not.toBe(100_000 * SHARE);
  });

  it('end when they are stopped', () => {
    rig.trading.stop();
    const before = [rig.games.size, venueB.markets.size];
    timers.advance(10 * DAY_MS);
    expect([rig.games.size, venueB.markets.size]).toEqual(before);
  });
});

describe('a season', () => {
  it('lists the same games under the same ids when it is started on a later day', () => {
    const [first, second] = [NOW, NOW + 3 * DAY_MS].map(now =>
      seasonOf(['atp-', 'wta-'], { now: now as UnixMillis }),
    ) as [SeasonRig, SeasonRig];
    for (const { trading, timers } of [first, second]) {
      trading.start();
      timers.advance(60_000);
    }
    first.timers.advance(3 * DAY_MS);
    const days = [6, 7].map(day => catalogOfDay(dayOf(NOW) + 2 + day, { seed: 1 }));
    const isListed = (ids: Set<string>, { venueA, venueB }: Catalog) =>
      [...venueA.events.flatMap(({ markets }) => markets.map(({ tokens }) => tokens[0]))]
        .concat(venueB.events.flatMap(({ markets }) => markets.map(({ ticker }) => ticker)))
        .filter(id => ids.has(id));
    for (const day of days) {
      const onFirst = isListed(idsOf(first), day);
      expect(onFirst).toHaveLength(6);
      expect(isListed(idsOf(second), day)).toEqual(onFirst);
    }
  });

  it('tells the scores of games that have begun, until they are forgotten', () => {
    const rig = seasonOf(['wta-']);
    const { game } = rig.venueA.events.find(event => event.game.startsAt > NOW)!;
    rig.trading.start();
    expect(rig.trading.scoreOf(game.id)).toBeNull();
    rig.timers.advance(game.startsAt - NOW + 1_000);
    expect(rig.trading.scoreOf(game.id)).toEqual({ home: 0, away: 0 });
    rig.timers.advance(DAY_MS);
    expect(rig.trading.scoreOf(game.id)).not.toBeNull();
    rig.timers.advance(4 * DAY_MS);
    expect([rig.games.has(game.id), rig.trading.scoreOf(game.id)]).toEqual([false, null]);
  });

  it('gives new markets their depth, on venue B when they open', () => {
    const rig = seasonOf(['atp-']);
    rig.trading.start();
    rig.timers.advance(1_000);
    const known = rig.games;
    const midnight = (dayOf(NOW) + 1) * DAY_MS - NOW;
    rig.timers.advance(midnight);
    const fresh = [...rig.games].find(game => !known.has(game))!;
    const of = <M extends { readonly event: { readonly game: { readonly id: string } } }>(markets: Iterable<M>) =>
      [...markets].filter(({ event }) => event.game.id === fresh);
    expect(of(rig.venueA.markets.values()).map(hasOrders)).toEqual([true]);
    expect(of(rig.venueB.markets.values()).map(hasOrders)).toEqual([false, false]);
    rig.timers.advance(12 * 60_000);
    expect(of(rig.venueB.markets.values()).map(hasOrders)).toEqual([true, true]);
  });

  it('waits with a day that a venue has no room for, and leaves out what has begun meanwhile', () => {
    const rig = seasonOf(['atp-']);
    const event = rig.venueB.events[0]!;
    const room = limits.paperMarketsMax - rig.venueB.markets.size - 1;
    const filling = Array.from({ length: room }, (_, index) => ({ ...event.markets[0]!, ticker: `FULL-${index}` }));
    expect(rig.venueB.list([{ ...event, eventTicker: 'FULL', markets: filling }])).toBe(true);
    const before = rig.games;
    rig.trading.start();
    rig.timers.advance(2 * DAY_MS);
    expect([...rig.games].filter(game => !before.has(game))).toEqual([]);
    for (const { ticker } of filling) rig.venueB.life.determine(rig.venueB.markets.get(ticker)!, 0 as never);
    rig.timers.advance(4 * DAY_MS);
    const added = rig.venueA.events.filter(({ game }) => !before.has(game.id));
    expect(added.length).toBeGreaterThan(6);
    expect(rig.venueB.events.filter(({ game }) => !before.has(game.id))).toHaveLength(added.length);
  });
});

interface Waiting {
  readonly task: () => void;
  isCancelled: boolean;
}

/** Virtual timers for weeks. Timers that wait cost nothing, however many they are. */
class CalendarTimers implements Timers {
  readonly #agenda = new Agenda<Waiting>();
  #now: number;
  pending = 0;

  constructor(startMs: UnixMillis) {
    this.#now = startMs;
  }

  now(): UnixMillis {
    return this.#now as UnixMillis;
  }

  elapsed(): number {
    return this.#now;
  }

  after(delayMs: number, task: () => void): () => void {
    const waiting = { task, isCancelled: false };
    this.#agenda.add(this.#now + Math.max(0, delayMs), waiting);
    this.pending += 1;
    return () => {
      if (!waiting.isCancelled) this.pending -= 1;
      waiting.isCancelled = true;
    };
  }

  advance(byMs: number): void {
    const target = this.#now + byMs;
    for (let due = this.#agenda.take(target); due !== null; due = this.#agenda.take(target)) {
      if (due.task.isCancelled) continue;
      due.task.isCancelled = true;
      this.pending -= 1;
      this.#now = due.at;
      due.task.task();
    }
    this.#now = target;
  }
}

class SeasonRig {
  readonly timers: CalendarTimers;
  readonly venueA: VenueAExchange;
  readonly venueB: VenueBExchange;
  readonly trading: ReturnType<typeof seasonTrading>;

  constructor(now: UnixMillis, catalog: Catalog, terms: SeasonTerms) {
    this.timers = new CalendarTimers(now);
    const common = { timers: this.timers, faults: NO_FAULTS };
    this.venueA = new VenueAExchange({ ...common, ...catalog.venueA, random: new Random(1) });
    this.venueB = new VenueBExchange({ ...common, ...catalog.venueB, random: new Random(2) });
    const { timers, venueA, venueB } = this;
    this.trading = seasonTrading({ timers, venueA, venueB, catalog }, terms);
  }

  /** The ids of all games on both venues. */
  get games(): Set<string> {
    return new Set([...this.venueA.events, ...this.venueB.events].map(({ game }) => game.id));
  }
}
