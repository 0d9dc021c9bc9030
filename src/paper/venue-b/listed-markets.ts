// Venue B's listings: events with their markets, by ticker, by market id and by engine id. Thread of the paper exchanges.

import type { UnixMillis } from '../../domain/numbers.ts';
import type { VenueBEventListing } from '../catalog/listings.ts';
import type { Engine } from '../engine/engine.ts';
import type { MarketSpec } from '../engine/engine-types.ts';
import { ListedEvents } from '../listed-events.ts';
import { VenueBMarket } from './market.ts';
import { MarketRules } from './market-rules.ts';

interface Listed {
  readonly market: VenueBMarket;
  readonly spec: MarketSpec;
}

export class ListedMarkets {
  readonly #listed = new ListedEvents<VenueBEventListing, VenueBMarket>(({ markets }) =>
    markets.map(({ ticker }) => ticker),
  );
  readonly events = this.#listed.events;
  readonly byTicker = this.#listed.byKey;
  readonly byId = this.#listed.byId;
  /** By the venue's UUID. */
  readonly byMarketId = new Map<string, VenueBMarket>();
  readonly #engine: Engine;
  readonly #rules = new MarketRules();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Whether there is room for all of them, and none is listed. */
  canTake(events: readonly VenueBEventListing[]): boolean {
    return this.#listed.canTake(events);
  }

  add(event: VenueBEventListing): Listed[] {
    const listed = event.markets.map(listing => {
      const spec = this.#rules.spec(listing.grid, event.series);
      return { market: new VenueBMarket(this.#engine, this.#engine.addMarket(spec), listing, event), spec };
    });
    this.#listed.add(
      event,
      listed.map(({ market }) => market),
    );
    for (const { market } of listed) this.byMarketId.set(market.listing.marketId, market);
    return listed;
  }

  /** Removes events whose markets have all been settled since then; returns their markets. */
  removeSettled(since: UnixMillis): VenueBMarket[] {
    const removed = this.#listed.remove(({ outcome }) => (outcome?.settledAt ?? Number.POSITIVE_INFINITY) <= since);
    for (const { listing } of removed) this.byMarketId.delete(listing.marketId);
    return removed;
  }
}
