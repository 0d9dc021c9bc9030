// Money of a user outside one account (venue-b.md §6): transfers between shards, instances and subaccounts, and money in the margined
// instance. Also the settings of the user's accounts. The exchange has the money of the event contracts. Deposits and withdrawals come from
// the control. Thread of the paper exchanges.

import type { MicroDollars, UnixMillis } from '../../../core/domain/numbers.ts';
import { limits } from '../../../limits.ts';
import { type Keeping, NOT_KEPT } from '../../kept-rows.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { Owner } from '../records.ts';
import { MICROS_PER_CENT } from '../wire-text.ts';

export type Instance = 'event_contract' | 'margined';

/** A place where money can be. */
export interface Place {
  readonly owner: Owner;
  readonly instance: Instance;
  readonly shard: number;
}

/** A completed transfer. Transfers are kept oldest first; the oldest are dropped. */
export interface Transfer {
  readonly id: string;
  /** The caller's id of the transfer. It is empty if the caller gave none. */
  readonly clientId: string;
  readonly from: Place;
  readonly to: Place;
  readonly amount: MicroDollars;
  readonly at: UnixMillis;
}

/**
 * Money that came to a user's primary account, or left it if the amount is negative. Movements are kept oldest first; the oldest are
 * dropped.
 */
export interface CashMovement {
  readonly id: string;
  readonly amount: MicroDollars;
  readonly at: UnixMillis;
}

interface Allocation {
  readonly exchange_index: number;
  readonly percent: number;
}

interface UserFunds {
  /** The user's money outside the event contracts, by place. */
  readonly elsewhere: Map<string, MicroDollars>;
  readonly transfers: Transfer[];
  readonly movements: CashMovement[];
  readonly netted: Set<number>;
  allocations: readonly Allocation[];
  reservation: 'max' | 'sum';
}

/** The last shard. Shards count from 0 (venue-b.md §3). */
export const SHARD_MAX = 3;

export function isShard(shard: number): boolean {
  return Number.isInteger(shard) && shard >= 0 && shard <= SHARD_MAX;
}

export class Funds {
  readonly #exchange: VenueBExchange;
  readonly #keeping: Keeping;
  readonly #byUser = new Map<string, UserFunds>();
  #movements = 0;

  /** Restores the money that was kept at the last run. */
  constructor(exchange: VenueBExchange, keeping: Keeping = NOT_KEPT) {
    this.#exchange = exchange;
    this.#keeping = keeping;
    for (const [userId, row] of keeping.rows('venue_b funds')) {
      for (const [place, amount] of row as [string, MicroDollars][]) {
        const [instance, shard, subaccount] = place.split('/');
        const owner = { userId, subaccount: Number(subaccount) };
        if (instance === 'event_contract') exchange.deposit(owner, amount, Number(shard));
        else this.of(userId).elsewhere.set(place, amount);
      }
    }
  }

  of(userId: string): UserFunds {
    const known = this.#byUser.get(userId);
    if (known !== undefined) return known;
    const funds: UserFunds = {
      elsewhere: new Map(),
      transfers: [],
      movements: [],
      netted: new Set(),
      allocations: [{ exchange_index: 0, percent: 100 }],
      reservation: 'sum',
    };
    this.#byUser.set(userId, funds);
    return funds;
  }

  /** Makes an account for the owner, or adds to its money on a shard. A negative amount withdraws. Returns false if there is too little. */
  deposit(owner: Owner, amount: MicroDollars, shard = 0): boolean {
    if (!this.#exchange.deposit(owner, amount, shard)) return false;
    // Only the primary account has bank movements at the venue, and only of whole cents.
    if (owner.subaccount !== 0 || Math.abs(amount) < MICROS_PER_CENT) return true;
    this.#movements += 1;
    const id = `${amount < 0 ? 'withdrawal' : 'deposit'}-${this.#movements}`;
    keep(this.of(owner.userId).movements, { id, amount, at: this.#exchange.now() });
    return true;
  }

  /** Moves money. Returns false if there is too little. */
  move(transfer: Transfer): boolean {
    const { from, to, amount } = transfer;
    if (!this.#add(from, -amount as MicroDollars)) return false;
    if (!this.#add(to, amount)) {
      this.#add(from, amount);
      return false;
    }
    keep(this.of(from.owner.userId).transfers, transfer);
    return true;
  }

  #add(place: Place, amount: MicroDollars): boolean {
    if (place.instance === 'event_contract') return this.#exchange.deposit(place.owner, amount, place.shard);
    const { elsewhere } = this.of(place.owner.userId);
    const sum = ((elsewhere.get(keyOf(place)) ?? 0) + amount) as MicroDollars;
    if (sum < 0) return false;
    elsewhere.set(keyOf(place), sum);
    this.#keeping.touch('venue_b funds', place.owner.userId, () => [...elsewhere]);
    this.#keeping.commit();
    return true;
  }
}

function keep<Row>(rows: Row[], row: Row): void {
  rows.push(row);
  if (rows.length > limits.paperTransfersPerUserMax) rows.shift();
}

function keyOf({ owner, instance, shard }: Place): string {
  return `${instance}/${shard}/${owner.subaccount}`;
}
