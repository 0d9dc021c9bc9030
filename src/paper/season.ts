// Continues the season. Every midnight, UTC, both venues list the games of the day a week ahead, and drop those that ended two days ago. If
// a venue has no room for a day, the day is listed as soon as there is room. Thread of the paper exchanges.

import { HOUR_MS } from '../core/domain/durations.ts';
import { TICKS_PER_DOLLAR, type Ticks, type UnixMillis } from '../core/domain/numbers.ts';
import { assert } from '../core/domain/result.ts';
import type { Timers } from '../core/runtime/timers.ts';
import { limits } from '../limits.ts';
import { createCatalog, onlyGames } from './catalog/catalog.ts';
import type { Catalog, PricedBy, VenueAEventListing, VenueBEventListing } from './catalog/listings.ts';
import { dayOf, startOfDay } from './catalog/schedule.ts';
import type { MarketFlow } from './flow/market-flow.ts';
import { RECORDED } from './flow/recorded-catalog.ts';
import type { KeptRows } from './kept-rows.ts';
import type { VenueAExchange } from './venue-a/exchange.ts';
import type { VenueAMarket } from './venue-a/market.ts';
import type { VenueBExchange } from './venue-b/exchange.ts';
import type { VenueBMarket } from './venue-b/market.ts';

interface Asking {
  readonly venueA: VenueAMarket[];
  readonly venueB: VenueBMarket[];
}

export class Results {
  readonly #venueA: VenueAExchange;
  readonly #venueB: VenueBExchange;
  /** The open markets of each question. */
  readonly #asking = new Map<string, Asking>();

  constructor(venueA: VenueAExchange, venueB: VenueBExchange) {
    this.#venueA = venueA;
    this.#venueB = venueB;
  }

  /** Notes the markets of games. Call this after the exchanges have listed the games. */
  await({ venueA, venueB }: Pick<Catalog, 'venueA' | 'venueB'>): void {
    for (const { conditionId, pricedBy } of venueA.events.flatMap(({ markets }) => markets)) {
      const market = this.#venueA.markets.get(conditionId);
      if (market !== undefined) this.#openMarketsOf(pricedBy).venueA.push(market);
    }
    for (const { ticker, pricedBy } of venueB.events.flatMap(({ markets }) => markets)) {
      const market = this.#venueB.markets.get(ticker);
      if (market !== undefined) this.#openMarketsOf(pricedBy).venueB.push(market);
    }
  }

  /** Resolves the markets of a question. Markets that an operator has already resolved do not change. */
  announce(question: string, isTrue: boolean): void {
    const asking = this.#asking.get(question);
    this.#asking.delete(question);
    const isYes = ({ isComplement }: PricedBy): boolean => isTrue !== isComplement;
    for (const market of asking?.venueA ?? []) {
      if (market.resolution === null) this.#venueA.resolutions.resolve(market, isYes(market.listing.pricedBy) ? 0 : 1);
    }
    for (const market of asking?.venueB ?? []) {
      const yesValue = isYes(market.listing.pricedBy) ? TICKS_PER_DOLLAR : 0;
      if (market.outcome === null) this.#venueB.life.determine(market, yesValue as Ticks);
    }
  }

  #openMarketsOf({ question }: PricedBy): Asking {
    const known = this.#asking.get(question) ?? { venueA: [], venueB: [] };
    this.#asking.set(question, known);
    return known;
  }
}

interface SeasonParts {
  readonly timers: Timers;
  readonly venueA: VenueAExchange;
  readonly venueB: VenueBExchange;
  readonly flow: MarketFlow;
  readonly results: Results;
  /** Returns the games of a day, which is counted in days since 1970. For the same day they are always the same. */
  readonly catalogOf: (day: number) => Catalog;
  /** The time around which the games of the opening are. */
  readonly openedAt: UnixMillis;
  /** Keeps listings for the next start. Null means that nothing is kept. */
  readonly kept: KeptRows | null;
}

/** The time for which the games of the opening are close together (schedule.ts). */
const OPENING_MS = 30 * HOUR_MS;

export class Season {
  readonly #parts: SeasonParts;
  #nextDay = 0;
  #cancelTimer: () => void = () => {};

  constructor(parts: SeasonParts) {
    this.#parts = parts;
  }

  /** Starts the season. The first week is listed soon after the start, day by day. */
  start(): void {
    this.#nextDay = dayOf((this.#parts.openedAt + OPENING_MS) as UnixMillis);
    this.#scheduleTurn(limits.paperSeasonTurnMs);
  }

  stop(): void {
    this.#cancelTimer();
  }

  #turn(): void {
    const { timers } = this.#parts;
    const now = timers.now();
    const today = dayOf(now);
    this.#forget((now - limits.paperEndedMarketMs) as UnixMillis);
    // Days that passed while the process slept are skipped.
    this.#nextDay = Math.max(this.#nextDay, today);
    const isDue = this.#nextDay <= today + limits.paperSeasonDaysMax;
    if (isDue && this.#list(this.#nextDay, now)) {
      this.#nextDay += 1;
      this.#scheduleTurn(limits.paperSeasonTurnMs);
    } else this.#scheduleTurn(startOfDay(today + 1) - now);
  }

  #scheduleTurn(delayMs: number): void {
    this.#cancelTimer = this.#parts.timers.after(delayMs, () => this.#turn());
  }

  /** Lists the games of a day, except those that are listed already or over. Returns false if a venue has no room. */
  #list(day: number, now: UnixMillis): boolean {
    const { catalogOf, venueA, venueB, flow, results, kept } = this.#parts;
    const all = catalogOf(day);
    const listed = this.#listedGames();
    const wanted = new Set(
      all.games.filter(game => game.startsAt + game.lengthMs > now && !listed.has(game.id)).map(({ id }) => id),
    );
    const catalog = onlyGames(all, game => wanted.has(game));
    if (!venueA.canList(catalog.venueA.events) || !venueB.canList(catalog.venueB.events)) return false;
    const isListed = venueA.list(catalog.venueA.events) && venueB.list(catalog.venueB.events);
    assert(isListed, `day ${day} is listed on one venue only`);
    results.await(catalog);
    kept?.list(catalog);
    flow.add(catalog);
    return true;
  }

  #forget(since: UnixMillis): void {
    const { venueA, venueB, flow, kept } = this.#parts;
    venueA.forgetEnded(since);
    venueB.forgetSettled(since);
    const listed = this.#listedGames();
    flow.forget(game => !listed.has(game));
    kept?.forgetGames(game => listed.has(game));
  }

  #listedGames(): Set<string> {
    const { venueA, venueB } = this.#parts;
    return new Set([...venueA.events, ...venueB.events].map(({ game }) => game.id));
  }
}

interface SeasonTerms {
  readonly seed: number;
  readonly takerDelayS?: number;
}

interface KeptSeason {
  /** The games that the season prices and decides. */
  readonly catalog: Catalog;
  readonly openedAt: UnixMillis;
}

/** Returns the games of the start. For `OPENING_MS` after the last opening the season continues that opening; later it opens anew. */
export function keptSeason(terms: SeasonTerms, now: UnixMillis, rows: KeptRows): KeptSeason {
  const { seed } = terms;
  const [world] = rows.rows('world');
  const before = world?.[1] as { readonly seed: number; readonly openedAt: UnixMillis } | undefined;
  const age = before?.seed === seed ? now - before.openedAt : -1;
  const openedAt = before !== undefined && age >= 0 && age < OPENING_MS ? before.openedAt : now;
  rows.put('world', '', { seed, openedAt });
  const kept = keptGames(rows).filter(({ games }) => games.every(({ league }) => league !== RECORDED));
  const known = new Set(kept.flatMap(({ games }) => games.map(({ id }) => id)));
  const opening = createCatalog({ ...terms, now: openedAt });
  const isNeeded = new Set(
    opening.games.filter(game => game.startsAt + game.lengthMs > now && !known.has(game.id)).map(({ id }) => id),
  );
  return { catalog: joined([onlyGames(opening, game => isNeeded.has(game)), ...kept]), openedAt };
}

/** Adds the markets of kept games that the catalog lacks, because callers may have something there. */
export function withKeptGames(catalog: Catalog, rows: KeptRows): Catalog {
  const listed = new Set([
    ...catalog.venueA.events.flatMap(({ markets }) => markets.map(({ conditionId }) => conditionId)),
    ...catalog.venueB.events.flatMap(({ markets }) => markets.map(({ ticker }) => ticker)),
  ]);
  const isMissing = (market: { readonly conditionId?: string; readonly ticker?: string }): boolean =>
    !listed.has(market.conditionId ?? market.ticker ?? '');
  const missing = keptGames(rows).map(kept => ({
    ...kept,
    venueA: { ...kept.venueA, events: kept.venueA.events.map(event => lacking(event, isMissing)).filter(hasMarkets) },
    venueB: { ...kept.venueB, events: kept.venueB.events.map(event => lacking(event, isMissing)).filter(hasMarkets) },
  }));
  return joined([catalog, ...missing]);
}

function keptGames(rows: KeptRows): Catalog[] {
  return [...rows.rows('game')].map(([, row]) => row as Catalog);
}

function lacking<Event extends VenueAEventListing | VenueBEventListing>(
  event: Event,
  isMissing: (market: Event['markets'][number]) => boolean,
): Event {
  return { ...event, markets: event.markets.filter(isMissing) };
}

function hasMarkets({ markets }: { readonly markets: readonly unknown[] }): boolean {
  return markets.length > 0;
}

function joined(catalogs: readonly Catalog[]): Catalog {
  const sports = new Map(catalogs.flatMap(({ venueA }) => venueA.sports.map(sport => [sport.id, sport])));
  const series = new Map(catalogs.flatMap(({ venueB }) => venueB.series.map(one => [one.ticker, one])));
  return {
    games: [...byId(catalogs.flatMap(({ games }) => games))],
    questions: [...byId(catalogs.flatMap(({ questions }) => questions))],
    venueA: { sports: [...sports.values()], events: catalogs.flatMap(({ venueA }) => venueA.events) },
    venueB: { series: [...series.values()], events: catalogs.flatMap(({ venueB }) => venueB.events) },
  };
}

function byId<T extends { readonly id: string }>(items: readonly T[]): Iterable<T> {
  return new Map(items.map(item => [item.id, item])).values();
}
