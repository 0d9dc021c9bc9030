// One market of venue B: its listing, its state, and the statistics of its object.

import { ASK, BID, type Level, type Side } from '../../core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import type { VenueBEventListing, VenueBMarketListing } from '../catalog/listings.ts';
import type { Engine } from '../engine/engine.ts';
import type { MarketId } from '../engine/engine-types.ts';

export type MarketStatus = 'initialized' | 'inactive' | 'active' | 'closed' | 'determined' | 'disputed' | 'finalized';

export interface MarketResult {
  readonly result: 'yes' | 'no' | 'scalar';
  readonly yesValue: Ticks;
  readonly determinedAt: UnixMillis;
  readonly settledAt: UnixMillis | null;
}

export class VenueBMarket {
  readonly listing: VenueBMarketListing;
  readonly event: VenueBEventListing;
  readonly id: MarketId;
  readonly #engine: Engine;
  status: MarketStatus = 'active';
  outcome: MarketResult | null = null;
  closeAt: UnixMillis;
  updatedAt: UnixMillis;
  lastPrice: Ticks | null = null;
  volume = 0 as MicroShares;

  constructor(engine: Engine, id: MarketId, listing: VenueBMarketListing, event: VenueBEventListing) {
    this.#engine = engine;
    this.id = id;
    this.listing = listing;
    this.event = event;
    this.closeAt = listing.closeAt;
    this.updatedAt = listing.createdAt;
  }

  get ticker(): string {
    return this.listing.ticker;
  }

  /** Shard of the exchange (venue-b.md §3). */
  get shard(): number {
    return this.event.series.shard ?? 0;
  }

  /** YES bids (BID) or offers (ASK), best first. */
  levels(side: Side): Iterable<Level> {
    return this.#engine.levels(this.id, side);
  }

  get bestBid(): Level | null {
    return this.#engine.best(this.id, BID);
  }

  get bestAsk(): Level | null {
    return this.#engine.best(this.id, ASK);
  }

  get openInterest(): MicroShares {
    return this.#engine.pot(this.id);
  }
}
