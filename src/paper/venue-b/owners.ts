// Owners on venue B: a user's subaccounts, each with an account of the engine and money of its own, and everything that belongs to it.
// Thread of the paper exchanges.

import type { MicroDollars, UnixMillis } from '../../domain/numbers.ts';
import { limits } from '../../limits.ts';
import type { Engine } from '../engine/engine.ts';
import type { AccountId, MarketId } from '../engine/engine-types.ts';
import { KnownIds } from '../known-ids.ts';
import { RecordRing, type Young } from '../record-ring.ts';
import type { OrderGroup } from './order-group.ts';
import type { Position } from './position.ts';
import { Pictured } from './record-history.ts';
import type { FillRecord, Owner, SettlementRecord } from './records.ts';
import type { VenueBOrder } from './venue-b-order.ts';

class User {
  readonly userId: string;
  readonly clientOrderIds = new KnownIds(limits.paperClientOrderIdsPerUserMax);
  /** By subaccount. */
  readonly accounts: (OwnerAccount | undefined)[] = [];
  openOrders = 0;

  constructor(userId: string) {
    this.userId = userId;
  }
}

interface Cash {
  readonly available: MicroDollars;
  readonly updatedAt: UnixMillis;
}

export class OwnerAccount {
  readonly user: User;
  readonly owner: Owner;
  readonly id: AccountId;
  readonly cash: Pictured<Cash>;
  /** The order placed last; each links to the one before it. */
  newestOrder: VenueBOrder | null = null;
  /** Oldest first. */
  readonly openOrders = new Set<VenueBOrder>();
  readonly fills: RecordRing<FillRecord>;
  readonly settlements = new RecordRing<SettlementRecord>(limits.paperSettlementsPerAccountMax);
  readonly positions = new Map<MarketId, Position>();
  /** Markets that are no longer listed, whose positions are still shown. */
  readonly #past = new RecordRing<MarketId>(limits.paperPastMarketsPerAccountMax);
  readonly groups = new Map<string, OrderGroup>();
  /** In the current request. */
  isTouched = false;

  constructor(user: User, owner: Owner, id: AccountId, now: UnixMillis, young: Young) {
    this.user = user;
    this.owner = owner;
    this.id = id;
    this.fills = new RecordRing(limits.paperFillsPerAccountMax, young);
    this.cash = new Pictured<Cash>({ available: 0 as MicroDollars, updatedAt: now });
  }

  /** Call when a market with a position is no longer listed. */
  leave(market: MarketId): void {
    for (const forgotten of this.#past.push(market)) this.positions.delete(forgotten);
  }
}

export class Owners {
  readonly #engine: Engine;
  readonly #young: Young;
  readonly #users = new Map<string, User>();

  constructor(engine: Engine, young: Young) {
    this.#engine = engine;
    this.#young = young;
  }

  user(userId: string): User | undefined {
    return this.#users.get(userId);
  }

  find({ userId, subaccount }: Owner): OwnerAccount | undefined {
    return this.#users.get(userId)?.accounts[subaccount];
  }

  /** Makes the account if absent; null with too many accounts, or for an invalid number. */
  open(owner: Owner, now: UnixMillis): OwnerAccount | null {
    const { userId, subaccount } = owner;
    if (!Number.isInteger(subaccount) || subaccount < 0 || subaccount >= limits.paperSubaccountsMax) return null;
    const known = this.#users.get(userId);
    if (known === undefined && this.#users.size >= limits.paperUsersMax) return null;
    const user = known ?? new User(userId);
    this.#users.set(userId, user);
    const id = (): AccountId => this.#engine.addAccount(0 as MicroDollars);
    const account = user.accounts[subaccount] ?? new OwnerAccount(user, { userId, subaccount }, id(), now, this.#young);
    user.accounts[subaccount] = account;
    return account;
  }
}
