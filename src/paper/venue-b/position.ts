// One owner's position in one market. It is signed: opposite sides net at once. A close takes a proportional part of the cost; what its
// proceeds exceed this part by is profit. Thread of the paper exchanges.

import { BID, type Side } from '../../core/domain/market.ts';
import {
  complementTicks,
  type MicroDollars,
  type MicroShares,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import { yesCost } from '../engine/engine-types.ts';
import { ceilQuotient } from '../fees/fees.ts';
import type { VenueBMarket } from './market.ts';
import type { Owner, PositionRecord } from './records.ts';

interface Picture {
  readonly updatedAt: UnixMillis;
}

/** Something that changes, with its latest picture and those that were replaced recently. */
export class Pictured<T extends Picture> {
  readonly #createdAt: UnixMillis;
  #latest: T;
  /** The replaced pictures, oldest first. Null means that there are none. */
  #past: T[] | null = null;

  constructor(first: T) {
    this.#latest = first;
    this.#createdAt = first.updatedAt;
  }

  get latest(): T {
    return this.#latest;
  }

  /**
   * Returns the picture at that time. Returns null if the thing did not exist then. If that picture is no longer kept, the oldest kept one
   * stands in for it.
   */
  asOf(at: number): T | null {
    if (this.#latest.updatedAt <= at) return this.#latest;
    if (this.#createdAt > at) return null;
    const past = this.#past ?? [];
    return past.findLast(picture => picture.updatedAt <= at) ?? past[0] ?? this.#latest;
  }

  /**
   * Sets the latest picture. Returns whether the old one is kept: no read can ask for a picture that was replaced within its millisecond.
   */
  replace(picture: T): boolean {
    const before = this.#latest;
    this.#latest = picture;
    if (before.updatedAt === picture.updatedAt) return false;
    if (this.#past === null) this.#past = [before];
    else this.#past.push(before);
    return true;
  }

  forgetOldest(): void {
    this.#past?.shift();
    if (this.#past?.length === 0) this.#past = null;
  }
}

interface Replaced {
  readonly owner: { forgetOldest(): void };
  readonly at: UnixMillis;
}

/** All replaced pictures in the order of replacement, so that outdated pictures are found at once. */
export class RecordHistory {
  readonly #replaced: Replaced[] = [];
  /** The index of the first entry that is in use. The array is cut from time to time. */
  #first = 0;

  replace<T extends Picture>(pictured: Pictured<T>, picture: T): void {
    if (!pictured.replace(picture)) return;
    this.#replaced.push({ owner: pictured, at: picture.updatedAt });
    this.#forget(picture.updatedAt);
  }

  #forget(now: UnixMillis): void {
    const replaced = this.#replaced;
    const oldest = now - limits.paperStaleMsMax;
    while (replaced.length - this.#first > limits.paperPastPicturesMax || replaced[this.#first]!.at < oldest) {
      replaced[this.#first]!.owner.forgetOldest();
      this.#first += 1;
    }
    if (this.#first * 2 > replaced.length && this.#first > 1_024) {
      replaced.splice(0, this.#first);
      this.#first = 0;
    }
  }
}

const NO_MONEY = 0 as MicroDollars;

export class Position {
  readonly owner: Owner;
  readonly market: VenueBMarket;
  #pictures: Pictured<PositionRecord> | null = null;

  /** The size, YES − NO. */
  size = 0 as MicroShares;
  exposure = NO_MONEY;
  traded = NO_MONEY;
  volume = 0 as MicroShares;
  realizedPnl = NO_MONEY;
  fees = NO_MONEY;
  /** The part of the fees that belongs to the present position. */
  heldFees = NO_MONEY;
  isSettled = false;
  /** Whether the current request has changed the position. */
  isTouched = false;

  constructor(owner: Owner, market: VenueBMarket) {
    this.owner = owner;
    this.market = market;
  }

  addFill(side: Side, price: Ticks, size: MicroShares, fee: MicroDollars): void {
    const isOpposite = side === BID ? this.size < 0 : this.size > 0;
    const closed = (isOpposite ? Math.min(size, Math.abs(this.size)) : 0) as MicroShares;
    const opened = (size - closed) as MicroShares;
    // A bid closes NO. A NO is worth a dollar less the price of the bid.
    if (closed > 0) this.#close(closed, yesCost(side === BID ? complementTicks(price) : price, closed));
    const cost = yesCost(side === BID ? price : complementTicks(price), opened);
    this.exposure = (this.exposure + cost) as MicroDollars;
    this.traded = (this.traded + cost) as MicroDollars;
    this.size = (side === BID ? this.size + opened : this.size - opened) as MicroShares;
    this.volume = (this.volume + size) as MicroShares;
    this.fees = (this.fees + fee) as MicroDollars;
    this.heldFees = (this.heldFees + share(fee, opened, size)) as MicroDollars;
  }

  /** Pays out the position. Returns the amount. */
  settle(yesValue: Ticks): MicroDollars {
    const held = Math.abs(this.size) as MicroShares;
    const revenue = yesCost(this.size > 0 ? yesValue : complementTicks(yesValue), held);
    this.realizedPnl = (this.realizedPnl + revenue - this.exposure) as MicroDollars;
    this.size = 0 as MicroShares;
    this.exposure = NO_MONEY;
    this.heldFees = NO_MONEY;
    this.isSettled = true;
    return revenue;
  }

  /** Sets the state that an earlier run has kept. */
  takeUp(kept: Omit<PositionRecord, 'owner' | 'market'>): void {
    this.size = kept.position;
    this.exposure = kept.exposure;
    this.traded = kept.traded;
    this.volume = kept.volume;
    this.realizedPnl = kept.realizedPnl;
    this.fees = kept.fees;
    this.heldFees = kept.heldFees;
    this.isSettled = kept.isSettled;
  }

  /** The state after the last request that changed the position. */
  get record(): PositionRecord {
    assert(this.#pictures !== null, 'a position is looked at before its request is done');
    return this.#pictures.latest;
  }

  asOf(at: number): PositionRecord | null {
    return this.#pictures?.asOf(at) ?? null;
  }

  /** Makes a new picture. Call this at the end of a request that changed the position. */
  commit(history: RecordHistory, now: UnixMillis): PositionRecord {
    const picture = this.#record(now);
    if (this.#pictures === null) this.#pictures = new Pictured(picture);
    else history.replace(this.#pictures, picture);
    return picture;
  }

  #close(size: MicroShares, proceeds: MicroDollars): void {
    const held = Math.abs(this.size) as MicroShares;
    const cost = share(this.exposure, size, held);
    this.exposure = (this.exposure - cost) as MicroDollars;
    this.heldFees = (this.heldFees - share(this.heldFees, size, held)) as MicroDollars;
    this.realizedPnl = (this.realizedPnl + proceeds - cost) as MicroDollars;
    this.traded = (this.traded + proceeds) as MicroDollars;
    this.size = (this.size > 0 ? this.size - size : this.size + size) as MicroShares;
  }

  #record(now: UnixMillis): PositionRecord {
    return {
      owner: this.owner,
      market: this.market,
      position: this.size,
      exposure: this.exposure,
      traded: this.traded,
      volume: this.volume,
      realizedPnl: this.realizedPnl,
      fees: this.fees,
      heldFees: this.heldFees,
      updatedAt: now,
      isSettled: this.isSettled,
    };
  }
}

/** Returns the proportional part of an amount. The whole position gets the whole amount. */
function share(amount: MicroDollars, part: MicroShares, whole: MicroShares): MicroDollars {
  return ceilQuotient(amount, part, whole) as MicroDollars;
}
