// The house's liquidity in one market: levels on both sides of its fair value, small orders that come and go, and takers now and then. The
// house's own orders never cross: a side in the way is cancelled before the other side moves.

import { readFileSync } from 'node:fs';
import { ASK, BID, type Level, type Side } from '../../core/domain/market.ts';
import { MICROS_PER_SHARE, type MicroShares, TICKS_PER_DOLLAR, type Ticks } from '../../core/domain/numbers.ts';
import type { Random } from '../../core/runtime/random.ts';
import { limits } from '../../limits.ts';
import type { PricedBy } from '../catalog/listings.ts';
import type { OrderId } from '../engine/engine-types.ts';
import type { Queued } from './displayed-level.ts';

interface VenueCalibration {
  /** The share of changes that make a level larger. */
  readonly addShare: number;
  /**
   * The sizes of added orders: evenly spaced quantiles, so that each is as likely as the others. All lists of sizes here are such
   * quantiles.
   */
  readonly addSizes: readonly MicroShares[];
  /** The median size of a level, by its distance in cents from the best level of its side, which comes first. */
  readonly depth: readonly MicroShares[];
}

export interface FlowCalibration {
  /** The rate of changes in a winner market some hours before its game. */
  readonly changesPerSecond: number;
  /** The shares of clusters of 1, 2, 3 … changes at the same millisecond. */
  readonly clusterShares: readonly number[];
  /** The pauses between clusters as evenly spaced quantiles, in units of the mean pause. */
  readonly pauses: readonly number[];
  /** The shares of changes by their distance from the best level in cents, beginning with 0. The last one includes all larger distances. */
  readonly distanceShares: readonly number[];
  /** The shares of spreads of 1, 2, 3 … cents. */
  readonly spreadShares: readonly number[];
  /** The share of changes that trades cause. */
  readonly tradeShare: number;
  readonly tradeSizes: readonly MicroShares[];
  readonly venueA: VenueCalibration;
  readonly venueB: VenueCalibration;
}

export const calibration: FlowCalibration = JSON.parse(
  readFileSync(new URL('calibration.json', import.meta.url), 'utf8'),
);

export interface HouseMarket {
  /** The ticker or the condition id. */
  readonly address: string;
  readonly pricedBy: PricedBy;
  /** Whether an order may have this price. */
  isOnGrid(price: Ticks): boolean;
  /** Whether the market takes orders now. */
  isOpen(): boolean;
}

export interface HouseDesk {
  readonly markets: readonly HouseMarket[];
  best(market: HouseMarket, side: Side): Level | null;
  /** Returns the levels, best first. */
  levels(market: HouseMarket, side: Side): Iterable<Level>;
  /**
   * Places an order of the house. `rest` keeps the unmatched part in the book, `take` cancels it. Returns null if the engine refuses the
   * order or if nothing rests. The house has enough accounts that it does not match with itself.
   */
  place(market: HouseMarket, side: Side, price: Ticks, size: MicroShares, kind: 'rest' | 'take'): OrderId | null;
  /** Returns the orders at a price, front of the queue first. */
  queue(market: HouseMarket, side: Side, price: Ticks): readonly Queued[];
  /** Sets the size of a house order. 0 cancels it. A larger size moves the order to the end of its queue, and may match. */
  resize(order: OrderId, size: MicroShares): void;
  /** Trades with a caller's order, at any place of its queue. */
  fill(market: HouseMarket, order: OrderId, size: MicroShares): void;
  /** Moves an order ahead of `next`, another order of its price. Null moves it to the end of its queue. */
  move(market: HouseMarket, order: OrderId, next: OrderId | null): void;
  /**
   * Stops or resumes matching. A market without matching takes no orders, although its venue has not paused it, because its book is not
   * known. Cancels go on.
   */
  setMatching(market: HouseMarket, isMatching: boolean): void;
  /** Makes the market's price grid as fine as `step`, over the whole dollar. Does nothing if the grid is as fine already. */
  refine(market: HouseMarket, step: Ticks): void;
  /** Cancels an order. Does nothing if the order has ended. */
  cancel(order: OrderId): void;
  /** Returns the resting size. Null means that the order has ended. */
  resting(order: OrderId): MicroShares | null;
}

interface MarketMakerParts {
  readonly desk: HouseDesk;
  readonly market: HouseMarket;
  readonly calibration: FlowCalibration;
  readonly venue: VenueCalibration;
  readonly random: Random;
  /** Whether the market is about a line. Such a market is thinner than that of the winner, and its spread is a step wider. */
  readonly isSide: boolean;
}

/**
 * A price with the maker's orders. The first order is the level's own; the others come and go. There are fifty thousand rungs. Lists of
 * orders are copied, because a list that is pushed to or filtered reserves room for 16 more.
 */
interface Rung {
  readonly price: Ticks;
  orders: readonly OrderId[];
}

const CENT = 100;
const HUNDREDTH = MICROS_PER_SHARE / 100;
/** The least size of an order at venue A. */
const SHARES_MIN = 5 * MICROS_PER_SHARE;
const SIDE_SIZES = 0.2;
/** The number of levels that use every price of the grid. The levels behind them use whole cents. */
const DENSE_LEVELS = 3;
/** The least fair value: no quote implies certainty before the result. */
const FAIR_MIN = 0.002;
/** The deviation of the opinion of one venue's makers, which is added to the model: a mean-reverting random walk. */
const OPINION_DEVIATION = 0.0015;
const OPINION_KEPT = 0.95;
/** The distance between fair value and quote at which the quote moves, in widths of the quote. */
const PATIENCE = 0.1;

export class MarketMaker {
  readonly market: HouseMarket;
  readonly #parts: MarketMakerParts;
  readonly #rungs: [bids: Rung[], asks: Rung[]] = [[], []];
  #quote: Quote = { bid: null, ask: null };
  #seen = 0.5;
  #opinion = 0;

  constructor(parts: MarketMakerParts) {
    this.market = parts.market;
    this.#parts = parts;
  }

  /** The probability at the last update. */
  get seen(): number {
    return this.#seen;
  }

  /** Sets the probability of YES, and quotes again. */
  follow(probability: number): void {
    this.#seen = probability;
    this.#requote();
  }

  /** Makes some changes together, as traders and their programs do. */
  makeChanges(changes: number): void {
    if (!this.market.isOpen()) return;
    const { random, calibration } = this.#parts;
    const noise = OPINION_DEVIATION * Math.sqrt(1 - OPINION_KEPT ** 2) * random.normal();
    this.#opinion = OPINION_KEPT * this.#opinion + noise;
    if (this.#isOff()) this.#requote();
    for (let change = 0; change < changes; change += 1) {
      if (random.chance(calibration.tradeShare)) this.#take();
      else this.#churn();
    }
  }

  withdraw(): void {
    for (const side of [BID, ASK] as const) this.#cancelWhere(side, () => true);
  }

  get #fair(): number {
    return TICKS_PER_DOLLAR * Math.min(1 - FAIR_MIN, Math.max(FAIR_MIN, this.#seen + this.#opinion));
  }

  #isOff(): boolean {
    const { bid, ask } = this.#quote;
    const [low, high] = [bid ?? 0, ask ?? TICKS_PER_DOLLAR];
    const slack = PATIENCE * (high - low);
    const isGone = (this.#rungs[BID].length === 0 && bid !== null) || (this.#rungs[ASK].length === 0 && ask !== null);
    return isGone || this.#fair < low - slack || this.#fair > high + slack;
  }

  #requote(): void {
    if (!this.market.isOpen()) return;
    const { random, calibration, isSide } = this.#parts;
    const wider = indexOf(calibration.spreadShares, random.next()) + (isSide ? 1 : 0);
    const widerFirst = random.chance(0.5) ? 'bid' : 'ask';
    const quote = quoteAround(price => this.market.isOnGrid(price), this.#fair, wider, widerFirst);
    this.#quote = quote;
    this.#cancelWhere(BID, price => quote.bid === null || price > quote.bid);
    this.#cancelWhere(ASK, price => quote.ask === null || price < quote.ask);
    this.#fill(BID, quote.bid);
    this.#fill(ASK, quote.ask);
  }

  /** Fills levels from the best one on up to the target number. Removes the farthest orders while a side has too many. */
  #fill(side: Side, best: Ticks | null): void {
    if (best === null) return;
    const rungs = this.#rungs[side];
    let price: Ticks | null = best;
    for (let level = 0; level < limits.paperMakerLevelsMax && price !== null; level += 1) {
      this.#restAt(side, price);
      const away: 1 | -1 = side === BID ? -1 : 1;
      price = priceAt(it => this.market.isOnGrid(it), price + away * (level < DENSE_LEVELS ? 1 : CENT), away);
    }
    while (rungs.length > limits.paperMakerLevelsMax && this.#isFull(side)) this.#cancelRung(rungs.pop()!);
  }

  /** Makes the level if it does not exist. */
  #restAt(side: Side, price: Ticks): void {
    if (this.#rungs[side].some(rung => rung.price === price)) return;
    const { venue, random } = this.#parts;
    const distance = Math.floor(Math.abs(price - (this.#best(side) ?? price)) / CENT);
    const usual = venue.depth[Math.min(distance, venue.depth.length - 1)]!;
    this.#rest(side, price, this.#sized(usual * (0.5 + random.next())));
  }

  #rest(side: Side, price: Ticks, size: MicroShares): void {
    const order = this.#parts.desk.place(this.market, side, price, size, 'rest');
    if (order === null) return;
    const rungs = this.#rungs[side];
    const rung = rungs.find(it => it.price === price);
    if (rung !== undefined) rung.orders = rung.orders.concat(order);
    else {
      const place = rungs.findIndex(it => (side === BID ? it.price < price : it.price > price));
      rungs.splice(place === -1 ? rungs.length : place, 0, { price, orders: [order] });
    }
  }

  /** Adds or removes a small order, mostly near the best price. */
  #churn(): void {
    const { random, calibration, venue } = this.#parts;
    const side: Side = random.chance(0.5) ? BID : ASK;
    this.#forgetDone(side);
    const best = this.#best(side);
    if (best === null) return;
    const distance = CENT * indexOf(calibration.distanceShares, random.next());
    const price = priceAt(
      it => this.market.isOnGrid(it),
      side === BID ? best - distance : best + distance,
      side === BID ? -1 : 1,
    );
    if (price === null) return;
    const own = this.#rungs[side].find(rung => rung.price === price);
    const isFull = this.#isFull(side) || (own?.orders.length ?? 0) >= limits.paperMakerOrdersPerLevelMax;
    const leaves = isFull || !random.chance(venue.addShare);
    if (leaves && this.#leave(side, price)) return;
    if (isFull) this.#cancelRung(this.#rungs[side].pop()!);
    this.#rest(side, price, this.#sized(random.pick(venue.addSizes)));
  }

  /** Whether a side has as many orders as it may have. Without this bound books would grow for days, at half a kilobyte for each order. */
  #isFull(side: Side): boolean {
    return this.#rungs[side].reduce((sum, { orders }) => sum + orders.length, 0) >= limits.paperMakerOrdersPerSideMax;
  }

  /** Removes the latest order beside a level's own order, at this price or the nearest one. */
  #leave(side: Side, price: Ticks): boolean {
    const distance = (rung: Rung) => Math.abs(rung.price - price);
    const nearest = this.#rungs[side]
      .filter(({ orders }) => orders.length > 1)
      .reduce<Rung | null>((found, rung) => (found === null || distance(rung) < distance(found) ? rung : found), null);
    if (nearest === null) return false;
    this.#parts.desk.cancel(nearest.orders.at(-1)!);
    nearest.orders = nearest.orders.slice(0, -1);
    return true;
  }

  /** Takes size from the best level. */
  #take(): void {
    const { desk, random, calibration } = this.#parts;
    const side: Side = random.chance(0.5) ? BID : ASK;
    const best = desk.best(this.market, side === BID ? ASK : BID);
    if (best === null) return;
    desk.place(this.market, side, best.price, this.#sized(random.pick(calibration.tradeSizes)), 'take');
  }

  #best(side: Side): Ticks | null {
    return this.#rungs[side][0]?.price ?? null;
  }

  #cancelWhere(side: Side, isUnwanted: (price: Ticks) => boolean): void {
    this.#forgetDone(side);
    for (const rung of this.#rungs[side]) if (isUnwanted(rung.price)) this.#cancelRung(rung);
    this.#rungs[side] = this.#rungs[side].filter(rung => !isUnwanted(rung.price));
  }

  #cancelRung(rung: Rung): void {
    for (const order of rung.orders) this.#parts.desk.cancel(order);
  }

  /** Forgets orders that have ended without the maker: by fills, or because the venue has cleared the book. */
  #forgetDone(side: Side): void {
    const { desk } = this.#parts;
    let isAnyDone = false;
    for (const rung of this.#rungs[side]) {
      if (rung.orders.every(order => desk.resting(order) !== null)) continue;
      rung.orders = rung.orders.filter(order => desk.resting(order) !== null).slice();
      isAnyDone = true;
    }
    if (isAnyDone) this.#rungs[side] = this.#rungs[side].filter(rung => rung.orders.length > 0);
  }

  /** Returns a size in whole hundredths of a share, and at least the larger minimum of the two venues. */
  #sized(count: number): MicroShares {
    const scaled = count * (this.#parts.isSide ? SIDE_SIZES : 1);
    return Math.max(SHARES_MIN, Math.round(scaled / HUNDREDTH) * HUNDREDTH) as MicroShares;
  }
}

/** Draws an index by shares. The last index gets what rounding leaves. */
export function indexOf(shares: readonly number[], uniform: number): number {
  let rest = uniform;
  for (let index = 0; index < shares.length - 1; index += 1) {
    rest -= shares[index]!;
    if (rest < 0) return index;
  }
  return shares.length - 1;
}

// Turns a probability into the two prices of a quote: from floats to ticks of the market's grid.

/** A quote. A side is null if the grid has no price left for it: no bid is below the lowest price. */
interface Quote {
  readonly bid: Ticks | null;
  readonly ask: Ticks | null;
}

type IsOnGrid = (price: Ticks) => boolean;

/** Returns the nearest price of the grid at `from`, or beyond it in the direction `step`. Returns null if there is none. */
export function priceAt(isOnGrid: IsOnGrid, from: number, step: 1 | -1): Ticks | null {
  const start = step === 1 ? Math.ceil(from) : Math.floor(from);
  for (let ticks = start; ticks > 0 && ticks < TICKS_PER_DOLLAR; ticks += step) {
    if (isOnGrid(ticks as Ticks)) return ticks as Ticks;
  }
  return null;
}

/** The least width of a quote. Makers keep this distance even if prices are finer than a cent. */
const WIDTH_MIN = 50;

/** Returns the tightest quote around a value, widened by `wider` steps. The first step goes to the side `widerFirst`. */
export function quoteAround(isOnGrid: IsOnGrid, fair: number, wider: number, widerFirst: 'bid' | 'ask'): Quote {
  let bid = priceAt(isOnGrid, fair, -1);
  let ask = priceAt(isOnGrid, bid === null ? 1 : bid + 1, 1);
  if (bid !== null && ask !== null && ask - bid < WIDTH_MIN) {
    bid = priceAt(isOnGrid, fair - WIDTH_MIN / 2, -1);
    ask = priceAt(isOnGrid, fair + WIDTH_MIN / 2, 1);
  }
  for (let step = 0; step < wider; step += 1) {
    const widensBid = (step % 2 === 0) === (widerFirst === 'bid');
    if (widensBid && bid !== null) bid = priceAt(isOnGrid, bid - 1, -1);
    if (!widensBid && ask !== null) ask = priceAt(isOnGrid, ask + 1, 1);
  }
  return { bid, ask };
}
