// Private reads of users, as of an earlier time, because the venue's read side lags behind its engine (venue-b.md §5.6). Thread of the
// paper exchanges.

import { DAY_MS } from '../../core/domain/durations.ts';
import {
  complementTicks,
  type MicroDollars,
  type MicroShares,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { yesCost } from '../engine/engine-types.ts';
import type { VenueBMarket } from './market.ts';
import type { OrderLedger } from './order-ledger.ts';
import type { FillRecord, OrderRecord, Owner, PositionRecord, SettlementRecord } from './records.ts';
import type { Owners, ShardAccount } from './venue-b-order.ts';

interface Balance {
  /** The money that is free to spend, on all shards. */
  readonly available: MicroDollars;
  /** The funded shards. The first shard is always among them. */
  readonly shards: readonly { readonly shard: number; readonly available: MicroDollars }[];
  /** The value of positions at the middle of the book, or at the last price. */
  readonly portfolioValue: MicroDollars;
}

const NOTHING = 0 as MicroDollars;

/**
 * Private reads as of an earlier time. Every list is newest first. The `archived…` lists have the rows that the live lists no longer have.
 */
export class VenueBReads {
  readonly asOf: UnixMillis;
  readonly #cutoffs: Cutoffs;
  readonly #owners: Owners;
  readonly #ledger: OrderLedger;
  readonly #isLive: boolean;
  /** The time as of which this reads. Without a lag it is infinite, so that a clock that was set back hides nothing. */
  readonly #until: number;

  constructor(owners: Owners, ledger: OrderLedger, now: UnixMillis, staleMs: number) {
    this.#owners = owners;
    this.#ledger = ledger;
    this.asOf = (now - staleMs) as UnixMillis;
    this.#cutoffs = cutoffsAt(this.asOf);
    this.#isLive = staleMs === 0;
    this.#until = this.#isLive ? Number.POSITIVE_INFINITY : this.asOf;
  }

  /** Returns an order of any subaccount of the user. */
  order({ userId }: Owner, orderId: string): OrderRecord | null {
    const order = this.#ledger.find(orderId);
    const picture = order?.account.user.userId === userId ? order.asOf(this.#until) : null;
    return picture === null || this.#isArchivedOrder(picture) ? null : picture;
  }

  orders(owner: Owner): Generator<OrderRecord> {
    return this.#orders(owner, false);
  }

  archivedOrders(owner: Owner): Generator<OrderRecord> {
    return this.#orders(owner, true);
  }

  /** Yields the orders of `orders` that rest. Without a lag it does not look at all orders. */
  *restingOrders(owner: Owner): Generator<OrderRecord> {
    if (this.#isLive) {
      const open = [...(this.#owners.find(owner)?.openOrders ?? [])];
      for (const order of open.reverse()) yield order.record;
    } else {
      for (const order of this.orders(owner)) if (order.status === 'resting') yield order;
    }
  }

  fills(owner: Owner): Generator<FillRecord> {
    return this.#fills(owner, false);
  }

  archivedFills(owner: Owner): Generator<FillRecord> {
    return this.#fills(owner, true);
  }

  positions(owner: Owner): Generator<PositionRecord> {
    return this.#positions(owner, false);
  }

  archivedPositions(owner: Owner): Generator<PositionRecord> {
    return this.#positions(owner, true);
  }

  /** Yields the settlements, which have no archive. */
  *settlements(owner: Owner): Generator<SettlementRecord> {
    for (const settlement of this.#owners.find(owner)?.settlements.newestFirst() ?? []) {
      if (settlement.settledAt <= this.#until && settlement.settledAt >= this.#cutoffs.markets) yield settlement;
    }
  }

  /** Returns the balance on one shard. Null as `onlyShard` means all shards. */
  balance(owner: Owner, onlyShard: number | null = null): Balance {
    const isShown = (shard: number): boolean => onlyShard === null || shard === onlyShard;
    const funded = this.#owners.find(owner)?.shards ?? [];
    const all = funded.length === 0 ? [{ shard: 0, available: NOTHING }] : funded.flatMap(it => this.#cashOn(it));
    const shards = all.filter(({ shard }) => isShown(shard));
    let portfolioValue = 0;
    for (const position of this.positions(owner)) {
      if (isShown(position.market.shard)) portfolioValue += worthOf(position);
    }
    const available = shards.reduce((sum, it) => sum + it.available, 0);
    return { available: available as MicroDollars, shards, portfolioValue: portfolioValue as MicroDollars };
  }

  #cashOn(account: ShardAccount | undefined): Balance['shards'] {
    if (account === undefined) return [];
    return [{ shard: account.shard, available: account.cash.asOf(this.#until)?.available ?? NOTHING }];
  }

  *#orders(owner: Owner, isArchived: boolean): Generator<OrderRecord> {
    let order = this.#owners.find(owner)?.newestOrder ?? null;
    for (; order !== null; order = order.older) {
      const picture = order.asOf(this.#until);
      if (picture !== null && this.#isArchivedOrder(picture) === isArchived) yield picture;
    }
  }

  *#fills(owner: Owner, isArchived: boolean): Generator<FillRecord> {
    for (const fill of this.#owners.find(owner)?.fills.newestFirst() ?? []) {
      const { at } = fill.trade;
      if (at <= this.#until && at < this.#cutoffs.trades === isArchived) yield fill;
    }
  }

  *#positions(owner: Owner, isArchived: boolean): Generator<PositionRecord> {
    const positions = [...(this.#owners.find(owner)?.positions.values() ?? [])];
    for (const position of positions.reverse()) {
      const picture = position.asOf(this.#until);
      if (picture !== null && this.#isArchivedPosition(picture) === isArchived) yield picture;
    }
  }

  #isArchivedOrder({ status, updatedAt }: OrderRecord): boolean {
    return status !== 'resting' && updatedAt < this.#cutoffs.orders;
  }

  #isArchivedPosition({ isSettled, updatedAt }: PositionRecord): boolean {
    return isSettled && updatedAt < this.#cutoffs.positions;
  }
}

/** Returns the value of a position at present prices, or its cost if the market has no price yet. */
function worthOf({ market, position, exposure }: PositionRecord): MicroDollars {
  if (position === 0) return 0 as MicroDollars;
  const size = Math.abs(position) as MicroShares;
  const [low, high] = marksOf(market);
  if (low === null || high === null) return exposure;
  const [a, b] = position > 0 ? [low, high] : [complementTicks(high), complementTicks(low)];
  return Math.floor((yesCost(a, size) + yesCost(b, size)) / 2) as MicroDollars;
}

/** Returns two YES prices, at whose middle the position is valued. */
function marksOf({ outcome, bestBid, bestAsk, lastPrice }: VenueBMarket): [Ticks | null, Ticks | null] {
  if (outcome !== null) return [outcome.yesValue, outcome.yesValue];
  if (bestBid !== null && bestAsk !== null) return [bestBid.price, bestAsk.price];
  return [lastPrice, lastPrice];
}

const ORDERS_LIVE_MS = 14 * DAY_MS;
/** The time for which trades, fills, settled positions and settled markets stay in the live lists. */
const OTHERS_LIVE_MS = 90 * DAY_MS;

interface Cutoffs {
  /** The cutoff for the last change of an order. */
  readonly orders: UnixMillis;
  readonly trades: UnixMillis;
  readonly positions: UnixMillis;
  readonly markets: UnixMillis;
}

export function cutoffsAt(now: UnixMillis): Cutoffs {
  const others = (now - OTHERS_LIVE_MS) as UnixMillis;
  return { orders: (now - ORDERS_LIVE_MS) as UnixMillis, trades: others, positions: others, markets: others };
}
