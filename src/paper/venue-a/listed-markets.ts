// Venue A's listings: events with their markets, by condition, by token and by engine id. Events come and go while the exchange runs; the
// collections change for their readers too. Thread of the paper exchanges.

import type { UnixMillis } from '../../domain/numbers.ts';
import { limits } from '../../limits.ts';
import type { VenueAEventListing } from '../catalog/listings.ts';
import type { Engine } from '../engine/engine.ts';
import { VenueAMarket } from './market.ts';
import type { TokenIndex } from './records.ts';

export interface ListedToken {
  readonly market: VenueAMarket;
  readonly index: TokenIndex;
}

export class ListedMarkets {
  /** By time of listing. */
  readonly events: VenueAEventListing[] = [];
  readonly byCondition = new Map<string, VenueAMarket>();
  readonly byToken = new Map<string, ListedToken>();
  /** Engine ids are never reused: a removed market leaves an empty place. */
  readonly byId: (VenueAMarket | undefined)[] = [];
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Whether there is room for all of them, and none is listed. */
  canTake(events: readonly VenueAEventListing[]): boolean {
    const added = events.flatMap(({ markets }) => markets);
    const tokens = new Set(added.flatMap(listing => listing.tokens));
    return (
      this.byCondition.size + added.length <= limits.paperMarketsMax &&
      new Set(added.map(({ conditionId }) => conditionId)).size === added.length &&
      tokens.size === 2 * added.length &&
      !added.some(({ conditionId }) => this.byCondition.has(conditionId)) &&
      ![...tokens].some(token => this.byToken.has(token))
    );
  }

  add(event: VenueAEventListing): VenueAMarket[] {
    const markets = event.markets.map(listing => new VenueAMarket(this.#engine, listing, event));
    this.events.push(event);
    for (const market of markets) {
      const [first, second] = market.listing.tokens;
      this.byCondition.set(market.conditionId, market);
      this.byToken.set(first, { market, index: 0 }).set(second, { market, index: 1 });
      this.byId[market.id] = market;
    }
    return markets;
  }

  /** Removes events that have been over since then; returns their markets. */
  removeEnded(since: UnixMillis): VenueAMarket[] {
    const isOver = ({ resolution }: VenueAMarket): boolean => resolution !== null && resolution.at <= since;
    const removed: VenueAMarket[] = [];
    const remaining = this.events.filter(event => {
      const markets = event.markets.map(({ conditionId }) => this.byCondition.get(conditionId)!);
      if (!markets.every(isOver)) return true;
      removed.push(...markets);
      return false;
    });
    this.events.splice(0, this.events.length, ...remaining);
    for (const market of removed) this.#forget(market);
    return removed;
  }

  #forget(market: VenueAMarket): void {
    this.byCondition.delete(market.conditionId);
    for (const token of market.listing.tokens) this.byToken.delete(token);
    this.byId[market.id] = undefined;
  }
}
