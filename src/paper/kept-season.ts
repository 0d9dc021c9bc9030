// The listings of a start that continues an earlier one. They are games with something of a caller, as they were listed, and the other
// games of the same opening. Pure.

import type { UnixMillis } from '../core/domain/numbers.ts';
import { createCatalog, onlyGames } from './catalog/catalog.ts';
import type { Catalog, VenueAEventListing, VenueBEventListing } from './catalog/listings.ts';
import { RECORDED } from './flow/recorded-catalog.ts';
import type { KeptRows } from './kept-rows.ts';
import { OPENING_MS } from './season.ts';

interface SeasonTerms {
  readonly seed: number;
  readonly takerDelayS?: number;
}

interface KeptSeason {
  /** Games that the season prices and decides. */
  readonly catalog: Catalog;
  readonly openedAt: UnixMillis;
}

/** While games of the last opening are close together, no new one is made. */
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

/** Adds the markets of all kept games that the catalog lacks: callers may have something there. */
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
