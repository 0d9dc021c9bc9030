// Venue A's listings: events with their markets, by condition, by token and by engine id. Thread of the paper exchanges.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { VenueAEventListing } from '../catalog/listings.ts';
import type { Engine } from '../engine/engine.ts';
import { ListedEvents } from '../listed-events.ts';
import { VenueAMarket } from './market.ts';
import type { TokenIndex } from './records.ts';

export interface ListedToken {
  readonly market: VenueAMarket;
  readonly index: TokenIndex;
}

export class ListedMarkets {
  readonly #listed = new ListedEvents<VenueAEventListing, VenueAMarket>(({ markets }) =>
    markets.map(({ conditionId }) => conditionId),
  );
  readonly events = this.#listed.events;
  readonly byCondition = this.#listed.byKey;
  readonly byId = this.#listed.byId;
  readonly byToken = new Map<string, ListedToken>();
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Whether there is room for all of them, and none is listed. */
  canTake(events: readonly VenueAEventListing[]): boolean {
    const tokens = events.flatMap(({ markets }) => markets.flatMap(listing => listing.tokens));
    const isNew = new Set(tokens).size === tokens.length && !tokens.some(token => this.byToken.has(token));
    return isNew && this.#listed.canTake(events);
  }

  add(event: VenueAEventListing): VenueAMarket[] {
    const markets = event.markets.map(listing => new VenueAMarket(this.#engine, listing, event));
    this.#listed.add(event, markets);
    for (const market of markets) {
      const [first, second] = market.listing.tokens;
      this.byToken.set(first, { market, index: 0 }).set(second, { market, index: 1 });
    }
    return markets;
  }

  /** Removes events that have been over since then; returns their markets. */
  removeEnded(since: UnixMillis): VenueAMarket[] {
    const removed = this.#listed.remove(({ resolution }) => resolution !== null && resolution.at <= since);
    for (const token of removed.flatMap(({ listing }) => listing.tokens)) this.byToken.delete(token);
    return removed;
  }
}
