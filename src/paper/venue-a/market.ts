// One market of venue A as it stands: two tokens, one book in the first token's frame, its state and statistics.

import { ASK, BID, type Level, type Side } from '../../domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../domain/numbers.ts';
import type { VenueAEventListing, VenueAMarketListing } from '../catalog/listings.ts';
import type { Engine } from '../engine/engine.ts';
import type { MarketId } from '../engine/engine-types.ts';

export interface Resolution {
  /** Null: half each. */
  readonly winner: 0 | 1 | null;
  readonly at: UnixMillis;
}

export class VenueAMarket {
  readonly listing: VenueAMarketListing;
  readonly event: VenueAEventListing;
  readonly id: MarketId;
  readonly #engine: Engine;
  /** Decimal text; may get finer while the market trades. */
  tickSize: string;
  isAcceptingOrders = true;
  resolution: Resolution | null = null;
  /** Of the first token; null before the first trade. */
  lastYesPrice: Ticks | null = null;
  /** As the book's hash has it: the maker's price in its own token (venue-a.md §5.4). */
  lastTradeText = '0.500';
  /** Of the book: when it last changed. */
  bookAt: UnixMillis;
  volume = 0 as MicroShares;

  constructor(engine: Engine, id: MarketId, listing: VenueAMarketListing, event: VenueAEventListing) {
    this.#engine = engine;
    this.id = id;
    this.listing = listing;
    this.event = event;
    this.tickSize = listing.tickSize;
    this.bookAt = listing.createdAt;
  }

  get conditionId(): string {
    return this.listing.conditionId;
  }

  /** Of the first token, best first. */
  levels(side: Side): Iterable<Level> {
    return this.#engine.levels(this.id, side);
  }

  get bestBid(): Level | null {
    return this.#engine.best(this.id, BID);
  }

  get bestAsk(): Level | null {
    return this.#engine.best(this.id, ASK);
  }
}
