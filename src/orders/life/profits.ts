// The present profits of owners: realized and unrealized, less fees. Each holding is valued at the middle of its book, at the last look at
// which the book was LIVE. If the book has only one side left, that side bounds the price, because buyers may vanish from a lost market. A
// movement values only one holding again, so the sum of a profit is always known. Engine thread.

import { parseJson } from '../../core/domain/json.ts';
import { VENUES, type Venue } from '../../core/domain/market.ts';
import type { Ticks } from '../../core/domain/numbers.ts';
import { exactly, exactOf, type MarketPrices, NO_PRICES, type PricesOf, valued } from '../../core/domain/position.ts';
import { assert } from '../../core/domain/result.ts';
import { inTurns } from '../../core/runtime/timers.ts';
import type { LiveReads } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import { settledValue, unattributedOf } from './bookings.ts';

type ProfitReads = Pick<LiveReads, 'position' | 'positions' | 'totals' | 'mark'>;

interface Held {
  readonly owner: string;
  readonly venue: Venue;
  readonly address: string;
  /** The unrealized profit in units of 1e-16 dollars. */
  unrealized: bigint;
  /** The realized profit before fees, in units of 1e-16 dollars. */
  realized: bigint;
  /** The prices with which `unrealized` was computed. */
  prices: MarketPrices;
  /** Whether the book had both best prices at the last look. */
  isLive: boolean;
  /** Whether the market has paid out, so that prices no longer matter. */
  isPaid: boolean;
}

/** The place of a position. */
export type Place = readonly [owner: string, venue: Venue, address: string];

interface Owner {
  readonly podId: string;
  /** The holdings of the owner, by venue and address. */
  readonly held: Map<string, Held>;
  unrealized: bigint;
}

const NOTHING_HELD = { unrealized: 0n, realized: 0n, prices: NO_PRICES, isLive: false, isPaid: false };

const NO_WINDFALLS: ReadonlyMap<string, bigint> = new Map();

/** The number of holdings, and how many of them count at a price that may be out of date. */
export interface Marks {
  readonly held: number;
  readonly stale: number;
}

export class Profits {
  readonly #reads: ProfitReads;
  readonly #pricesOf: PricesOf;
  readonly #owners = new Map<string, Owner>();
  /** The prices of whole LIVE books when they were last seen, by venue and address. */
  readonly #lastPrices = new Map<string, MarketPrices>();
  /** The windfalls that were not taken yet, by pod. */
  readonly #windfalls = new Map<string, bigint>();
  /** Whether prices have changed since they were last recorded. */
  hasNewPrices = false;

  constructor(reads: ProfitReads, pricesOf: PricesOf) {
    this.#reads = reads;
    this.#pricesOf = pricesOf;
  }

  /** Keeps the profits of exactly these owners, which are given with their pods. */
  keep(owners: ReadonlyMap<string, string>): void {
    for (const owner of this.#owners.keys()) if (!owners.has(owner)) this.#owners.delete(owner);
    for (const [owner, podId] of owners) {
      if (this.#owners.has(owner)) continue;
      this.#owners.set(owner, { podId, held: new Map(), unrealized: 0n });
      for (const venue of VENUES)
        for (const { address } of this.#reads.positions(owner, venue)) this.#revalue(owner, venue, address);
    }
  }

  /** Values positions again that may have moved. */
  revalue(positions: Iterable<Place>): void {
    const moves = Array.from(positions, place => ({ place, gain: this.#revalue(...place) }));
    for (const { place, gain } of moves) {
      const [owner, venue, address] = place;
      const podId = this.#owners.get(owner)?.podId;
      if (gain <= 0n || podId === undefined || owner !== unattributedOf(podId)) continue;
      // An actor takes over a trade with its loss, once its order is known. At a payout all owners move, each by its own trades.
      const mayBeTaken = settledValue(this.#reads, { podId, venue }, address) === null;
      const isTaker = (other: Place): boolean =>
        other[1] === venue && other[2] === address && this.#owners.get(other[0])?.podId === podId;
      const taken = moves.filter(it => mayBeTaken && it.gain < 0n && isTaker(it.place));
      const windfall = taken.reduce((sum, it) => sum + it.gain, gain);
      if (windfall > 0n) this.#windfalls.set(podId, (this.#windfalls.get(podId) ?? 0n) + windfall);
    }
  }

  /**
   * Returns the windfalls by pod, and forgets them: the gains of unattributed holdings by movements and by their first prices. Shares that
   * were not traded here have no cost, so their value would pass for a profit.
   */
  takeWindfalls(): ReadonlyMap<string, bigint> {
    if (this.#windfalls.size === 0) return NO_WINDFALLS;
    const taken = new Map(this.#windfalls);
    this.#windfalls.clear();
    return taken;
  }

  /** Values a holding again. Returns its gain since the last time, before fees. */
  #revalue(owner: string, venue: Venue, address: string): bigint {
    const its = this.#owners.get(owner);
    if (its === undefined) return 0n;
    const name = `${venue} ${address}`;
    const before = its.held.get(name);
    const after = before ?? { ...NOTHING_HELD, owner, venue, address };
    its.unrealized -= after.unrealized;
    const position = this.#reads.position(owner, venue, address);
    const realized = position === null ? 0n : exactly(position.realized);
    // The opening of a position realizes no profit.
    const known = before === undefined ? realized : before.unrealized + before.realized;
    if (position === null || position.size === 0) {
      its.held.delete(name);
      return realized - known;
    }
    if (before === undefined) this.#readPrices(name, after);
    after.isPaid = position.isRedeemable;
    const paid = position.isRedeemable ? settledValue(this.#reads, { podId: its.podId, venue }, address) : null;
    after.unrealized = exactly(valued(position, after.prices, paid).unrealized);
    after.realized = realized;
    its.unrealized += after.unrealized;
    its.held.set(name, after);
    return after.unrealized + realized - known;
  }

  /** Takes in the present prices of all LIVE books. */
  async readPrices(): Promise<void> {
    const rows = [...this.#owners.values()].flatMap(({ held }) => [...held]);
    for await (const [name, held] of inTurns(rows, limits.positionsPerTurnMax)) {
      const before = held.prices;
      this.#readPrices(name, held);
      if (before === NO_PRICES) this.revalue([[held.owner, held.venue, held.address]]);
      else if (held.prices !== before) this.#revalue(held.owner, held.venue, held.address);
    }
    const used = new Set([...this.#owners.values()].flatMap(({ held }) => [...held.keys()]));
    for (const name of this.#lastPrices.keys()) if (!used.has(name)) this.#lastPrices.delete(name);
  }

  /** Returns the profit of an owner, in units of 1e-16 dollars. */
  profitOf(owner: string): bigint {
    let profit = this.#owners.get(owner)?.unrealized ?? 0n;
    for (const venue of VENUES) {
      const { realized, fees } = this.#reads.totals(owner, venue);
      profit += realized - exactOf(fees);
    }
    return profit;
  }

  marksOf(owner: string): Marks {
    const held = [...(this.#owners.get(owner)?.held.values() ?? [])];
    return { held: held.length, stale: held.filter(it => !it.isLive && !it.isPaid).length };
  }

  /** Returns the prices that count as a text for the ledger. */
  lastPrices(): string {
    return JSON.stringify([...this.#lastPrices].map(([name, { bid, ask }]) => [name, bid, ask]));
  }

  /** Takes in the prices of an earlier process, which count until the books are LIVE. To be called before the first `keep`. */
  restorePrices(lastPrices: string): void {
    const rows = parseJson(lastPrices);
    assert(Array.isArray(rows), 'the ledger keeps prices as this program writes them');
    for (const [name, bid, ask] of rows as readonly [string, Ticks, Ticks][])
      this.#lastPrices.set(name, { bid, ask, lastTrade: null });
  }

  /** Takes in the present prices of a holding. */
  #readPrices(name: string, held: Held): void {
    const { bid, ask } = this.#pricesOf(held.venue, held.address);
    held.isLive = bid !== null && ask !== null;
    const last = this.#lastPrices.get(name) ?? NO_PRICES;
    if (held.isLive && (last.bid !== bid || last.ask !== ask)) {
      this.#lastPrices.set(name, { bid, ask, lastTrade: null });
      this.hasNewPrices = true;
    }
    const prices = held.isLive ? this.#lastPrices.get(name)! : boundedPrices(last, bid, ask);
    if (prices.bid !== held.prices.bid || prices.ask !== held.prices.ask) held.prices = prices;
  }
}

/** Returns the last prices of a whole book. If the only side of the present book contradicts their middle, returns that side. */
function boundedPrices(last: MarketPrices, bid: Ticks | null, ask: Ticks | null): MarketPrices {
  const side = bid ?? ask;
  if (side === null) return last;
  const middle = last.bid === null || last.ask === null ? null : (last.bid + last.ask) / 2;
  const isWithin = middle !== null && (bid === null ? middle <= side : middle >= side);
  return isWithin ? last : { bid: side, ask: side, lastTrade: null };
}
