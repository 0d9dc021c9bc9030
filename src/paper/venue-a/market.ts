// One market of venue A: two tokens, one book in the first token's frame, its state and its statistics. And all markets that are listed.

import { ASK, BID, type Level, type Side } from '../../core/domain/market.ts';
import {
  complementTicks,
  type MicroShares,
  parseMicroShares,
  parseTicks,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import { type AmountRules, amountRules } from '../../venues/venue-a/order-amounts.ts';
import { type Protocol, protocolOf } from '../../venues/venue-a/position-ids.ts';
import type { VenueAEventListing, VenueAMarketListing } from '../catalog/listings.ts';
import type { Engine } from '../engine/engine.ts';
import type { FeeSchedule, MarketId } from '../engine/engine-types.ts';
import { fractionOf, VenueAFees } from '../fees/fees.ts';
import { ListedEvents } from '../listed-events.ts';

/** A hundredth of a share; finer sizes are cut off (venue-a.md §2.2, §9.4). At any price it costs whole micro-dollars. */
export const SIZE_STEP = 10_000 as MicroShares;

/** The tick sizes of venue-a.md §2.2. */
const TICK_SIZES: readonly string[] = ['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'];

/** The tick size from which a market may change to the finer one by itself, once and for good. */
const COARSE_TICK_SIZE = '0.01';
export const FINER_TICK_SIZE = '0.001';
const NEAR_END = 400;

export function isTickSize(text: string): boolean {
  return TICK_SIZES.includes(text);
}

interface Resolution {
  /** The winning token. Null means that each token pays half a dollar. */
  readonly winner: 0 | 1 | null;
  readonly at: UnixMillis;
}

export class VenueAMarket {
  readonly listing: VenueAMarketListing;
  readonly event: VenueAEventListing;
  readonly id: MarketId;
  readonly protocol: Protocol;
  /** The fees of takers. Orders in the book reserve no fees, because makers pay none. */
  readonly fees: VenueAFees;
  readonly minOrderSize: MicroShares;
  readonly #engine: Engine;
  #tickSize = '';
  #tick = 0 as Ticks;
  isAcceptingOrders = true;
  resolution: Resolution | null = null;
  /** The last price of the first token. Null before the first trade. */
  lastYesPrice: Ticks | null = null;
  /** The last trade in the book's hash: the price of the maker in the maker's own token (venue-a.md §5.4). */
  lastTradeText = '0.500';
  /** The time of the book's last change. */
  bookAt: UnixMillis;
  volume = 0 as MicroShares;

  constructor(engine: Engine, listing: VenueAMarketListing, event: VenueAEventListing) {
    this.#engine = engine;
    this.listing = listing;
    this.event = event;
    this.protocol = protocolOf(listing.tokens[0]);
    this.tickSize = listing.tickSize;
    this.bookAt = listing.createdAt;
    const minOrderSize = parseMicroShares(listing.minOrderSize);
    assert(minOrderSize !== null, `market ${listing.conditionId} has the smallest size ${listing.minOrderSize}`);
    this.minOrderSize = minOrderSize;
    const { rate, exponent } = listing.fees;
    this.fees = new VenueAFees({ rate: fractionOf(rate), exponent, sizeStep: SIZE_STEP });
    const isOnGrid = (price: Ticks) => this.isOnGrid(price);
    this.id = engine.addMarket({ isOnGrid, sizeStep: SIZE_STEP, fees: takerFeesOnly(this.fees) });
  }

  /** The number of pairs of shares that exist. Each pair is worth a dollar. */
  get openInterest(): MicroShares {
    return this.#engine.pot(this.id);
  }

  get conditionId(): string {
    return this.listing.conditionId;
  }

  /** The tick size as decimal text. It may get finer during trading. */
  get tickSize(): string {
    return this.#tickSize;
  }

  set tickSize(text: string) {
    assert(isTickSize(text), `venue A has no tick size of ${text}`);
    this.#tickSize = text;
    this.#tick = parseTicks(text)!;
  }

  get tick(): Ticks {
    return this.#tick;
  }

  /** The rules for rounding amounts at this tick. */
  get amountRules(): AmountRules {
    return amountRules(this.#tick)!;
  }

  /** Whether a price of either token is a multiple of the tick, at least one tick away from 0 and 1. */
  isOnGrid(price: Ticks): boolean {
    return price >= this.#tick && price <= TICKS_PER_DOLLAR - this.#tick && price % this.#tick === 0;
  }

  /** Whether the price (middle of the book, else the last trade) is so near an end that a cent is too coarse (venue-a.md §5.2). */
  get wantsFinerTick(): boolean {
    if (this.#tickSize !== COARSE_TICK_SIZE || !this.isOpen) return false;
    const [bid, ask] = [this.bestBid, this.bestAsk];
    const price = bid !== null && ask !== null ? (bid.price + ask.price) / 2 : this.lastYesPrice;
    return price !== null && (price < NEAR_END || price > TICKS_PER_DOLLAR - NEAR_END);
  }

  /** Whether the market takes new orders. */
  get isOpen(): boolean {
    return this.isAcceptingOrders && this.resolution === null;
  }

  /** Returns the levels in terms of the first token, best first. */
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

/** Returns a token's price in the frame of the book, which is the first token's. */
export function yesPriceOf(token: 0 | 1, price: Ticks): Ticks {
  return token === 0 ? price : complementTicks(price);
}

/** Returns the side of the book: buying the first token or selling the second is a bid (engine-types.ts). */
export function sideOf(token: 0 | 1, isBuy: boolean): Side {
  return isBuy === (token === 0) ? BID : ASK;
}

/**
 * Makes the engine's fee schedule. The engine reserves what `maxCharge` returns while an order rests. Only takers pay fees here, so it reserves
 * none. admission.ts checks that takers can pay.
 */
function takerFeesOnly(fees: VenueAFees): FeeSchedule {
  return { maxCharge: () => 0 as ReturnType<FeeSchedule['maxCharge']>, meter: () => fees.meter() };
}

export interface ListedToken {
  readonly market: VenueAMarket;
  readonly index: 0 | 1;
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

  /** Whether there is room for all the events and none of them is listed yet. */
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

  /** Removes the events that have been over since that time or longer. Returns their markets. */
  removeEnded(since: UnixMillis): VenueAMarket[] {
    const removed = this.#listed.remove(({ resolution }) => resolution !== null && resolution.at <= since);
    for (const token of removed.flatMap(({ listing }) => listing.tokens)) this.byToken.delete(token);
    return removed;
  }
}
