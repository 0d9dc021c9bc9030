// One market of venue B: its listing, its state, and the statistics that its object shows.

import { type Grid, isOnGrid } from '../../core/domain/grid.ts';
import { ASK, BID, type Level, type Side } from '../../core/domain/market.ts';
import {
  type MicroDollars,
  type MicroShares,
  parseTicks,
  TICKS_PER_CENT,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import type { PriceGrid, VenueBEventListing, VenueBMarketListing, VenueBSeries } from '../catalog/listings.ts';
import type { Engine } from '../engine/engine.ts';
import type { FeeSchedule, MarketId } from '../engine/engine-types.ts';
import { DIRECT_MEMBER_STEP, fractionOf, VenueBFees } from '../fees/fees.ts';
import { ListedEvents } from '../listed-events.ts';

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
  #grid: PriceGrid;
  #bands: Grid;
  status: MarketStatus = 'active';
  /** Whether the house lets orders match. Orders match only while the market is active as well. */
  isMatching = true;
  outcome: MarketResult | null = null;
  closeAt: UnixMillis;
  updatedAt: UnixMillis;
  lastPrice: Ticks | null = null;
  volume = 0 as MicroShares;

  constructor(engine: Engine, listing: VenueBMarketListing, event: VenueBEventListing) {
    this.#engine = engine;
    this.listing = listing;
    this.event = event;
    this.#grid = listing.grid;
    this.#bands = bandsOf(listing.grid);
    const isOnGrid = (price: Ticks) => this.isOnGrid(price);
    this.id = engine.addMarket({ isOnGrid, sizeStep: SIZE_STEP, fees: feesOf(event.series) });
    this.closeAt = listing.closeAt;
    this.updatedAt = listing.createdAt;
  }

  get ticker(): string {
    return this.listing.ticker;
  }

  /** The market's shard of the exchange (venue-b.md §3). */
  get shard(): number {
    return this.event.series.shard ?? 0;
  }

  /** The price grid. The venue may change it during trading; resting orders stay at their prices (venue-b.md §3.2). */
  get grid(): PriceGrid {
    return this.#grid;
  }

  set grid(grid: PriceGrid) {
    this.#bands = bandsOf(grid);
    this.#grid = grid;
  }

  get bands(): Grid {
    return this.#bands;
  }

  isOnGrid(price: Ticks): boolean {
    return isOnGrid(this.#bands, price);
  }

  /** Returns the YES bids (BID) or YES offers (ASK), best first. */
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

/** The engine's state of a market that is active. */
export function openStateOf({ isMatching }: VenueBMarket): 'OPEN' | 'PAUSED' {
  return isMatching ? 'OPEN' : 'PAUSED';
}

export class ListedMarkets {
  readonly #listed = new ListedEvents<VenueBEventListing, VenueBMarket>(({ markets }) =>
    markets.map(({ ticker }) => ticker),
  );
  readonly events = this.#listed.events;
  readonly byTicker = this.#listed.byKey;
  readonly byId = this.#listed.byId;
  /** The markets by the venue's UUID. */
  readonly byMarketId = new Map<string, VenueBMarket>();
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Whether there is room for all the events and none of them is listed yet. */
  canTake(events: readonly VenueBEventListing[]): boolean {
    return this.#listed.canTake(events);
  }

  add(event: VenueBEventListing): VenueBMarket[] {
    const markets = event.markets.map(listing => new VenueBMarket(this.#engine, listing, event));
    this.#listed.add(event, markets);
    for (const market of markets) this.byMarketId.set(market.listing.marketId, market);
    return markets;
  }

  /** Removes the events whose markets were all settled at that time or before. Returns their markets. */
  removeSettled(since: UnixMillis): VenueBMarket[] {
    const removed = this.#listed.remove(({ outcome }) => (outcome?.settledAt ?? Number.POSITIVE_INFINITY) <= since);
    for (const { listing } of removed) this.byMarketId.delete(listing.marketId);
    return removed;
  }
}

/** The step of sizes: counts have two decimals (venue-b.md §3). */
const SIZE_STEP = 10_000 as MicroShares;

function bandsOf({ name, ranges }: PriceGrid): Grid {
  return ranges.map(range => {
    const [start, end, step] = [parseTicks(range.start), parseTicks(range.end), parseTicks(range.step)];
    assert(start !== null && end !== null && step !== null && step > 0, `the bands of ${name} are not prices`);
    return { start, end, step };
  });
}

/**
 * Makes the engine's fee schedule. The venue reserves the cost of one fill at the limit, so an order must be able to pay that. At whole
 * cents every cost is a multiple of the balance's step, and nothing is rounded. Many small fills, or fills at better prices, may cost a
 * little more in fees. The engine then takes what is left.
 */
function feesOf({ feeType, feeMultiplier }: VenueBSeries): FeeSchedule {
  const fees = new VenueBFees({
    feeType,
    multiplier: fractionOf(feeMultiplier),
    isWaived: false,
    balanceStep: DIRECT_MEMBER_STEP,
  });
  return {
    maxCharge(price, size) {
      const rounding = price % TICKS_PER_CENT === 0 ? DIRECT_MEMBER_STEP - 1 : 0;
      return (fees.mostInOneFill(price, size) - rounding) as MicroDollars;
    },
    meter: side => fees.meter(side),
  };
}
