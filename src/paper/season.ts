// Continues the season: every midnight, UTC, both venues list the games of the day a week ahead, and drop those that ended two days ago. If
// a venue has no room, the day is listed as soon as the venue has room. Thread of the paper exchanges.

import { HOUR_MS } from '../core/domain/durations.ts';
import type { UnixMillis } from '../core/domain/numbers.ts';
import { assert } from '../core/domain/result.ts';
import type { Timers } from '../core/runtime/timers.ts';
import { limits } from '../limits.ts';
import { onlyGames } from './catalog/catalog.ts';
import type { Catalog } from './catalog/listings.ts';
import { dayOf, startOfDay } from './catalog/schedule.ts';
import type { MarketFlow } from './flow/market-flow.ts';
import type { KeptRows } from './kept-rows.ts';
import type { Results } from './results.ts';
import type { VenueAExchange } from './venue-a/exchange.ts';
import type { VenueBExchange } from './venue-b/exchange.ts';

interface SeasonParts {
  readonly timers: Timers;
  readonly venueA: VenueAExchange;
  readonly venueB: VenueBExchange;
  readonly flow: MarketFlow;
  readonly results: Results;
  /** Games of a day, in days since 1970; always the same for a day. */
  readonly catalogOf: (day: number) => Catalog;
  /** Time around which the games of the opening are. */
  readonly openedAt: UnixMillis;
  /** Keeps listings for the next start; null: nothing is kept. */
  readonly kept: KeptRows | null;
}

/** Games of the opening are close together for this long (schedule.ts). */
export const OPENING_MS = 30 * HOUR_MS;

export class Season {
  readonly #parts: SeasonParts;
  #nextDay = 0;
  #cancelTimer: () => void = () => {};

  constructor(parts: SeasonParts) {
    this.#parts = parts;
  }

  /** The first week is listed soon after the start, day by day. */
  start(): void {
    this.#nextDay = dayOf((this.#parts.openedAt + OPENING_MS) as UnixMillis);
    this.#turnIn(limits.paperSeasonTurnMs);
  }

  stop(): void {
    this.#cancelTimer();
  }

  #turn(): void {
    const { timers } = this.#parts;
    const now = timers.now();
    const today = dayOf(now);
    this.#forget((now - limits.paperEndedMarketMs) as UnixMillis);
    // Skip days that passed while the process slept.
    this.#nextDay = Math.max(this.#nextDay, today);
    const isDue = this.#nextDay <= today + limits.paperSeasonDaysMax;
    if (isDue && this.#list(this.#nextDay, now)) {
      this.#nextDay += 1;
      this.#turnIn(limits.paperSeasonTurnMs);
    } else this.#turnIn(startOfDay(today + 1) - now);
  }

  #turnIn(delayMs: number): void {
    this.#cancelTimer = this.#parts.timers.after(delayMs, () => this.#turn());
  }

  /** False if a venue has no room. Skips games that are listed already, or over. */
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
