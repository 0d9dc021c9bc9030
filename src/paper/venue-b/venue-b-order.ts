// One user's order while it changes, its pictures for readers and observers, and its account. The orders of an account are linked, newest
// first. Thread of the paper exchanges.

import type { Side } from '../../core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import type { Engine } from '../engine/engine.ts';
import type { AccountId, MarketId, OrderId } from '../engine/engine-types.ts';
import { KnownIds, RecordRing, type Young } from '../record-ring.ts';
import type { VenueBMarket } from './market.ts';
import { Pictured, type Position, type RecordHistory } from './position.ts';
import type {
  FillRecord,
  NewOrder,
  OrderGroupRecord,
  OrderRecord,
  OrderStatus,
  Owner,
  SettlementRecord,
  UpdateReason,
} from './records.ts';

class User {
  readonly userId: string;
  readonly clientOrderIds = new KnownIds(limits.paperClientOrderIdsPerUserMax);
  /** The accounts by number of subaccount. */
  readonly accounts: (OwnerAccount | undefined)[] = [];
  openOrders = 0;

  constructor(userId: string) {
    this.userId = userId;
  }
}

interface Progress extends Omit<OrderRecord, 'market'> {
  readonly number: number;
  readonly reason: UpdateReason | null;
}

interface Cash {
  readonly available: MicroDollars;
  readonly updatedAt: UnixMillis;
}

/** The money of an owner on one shard, as an account of the engine. Orders in the shard's markets use only this money. */
export interface ShardAccount {
  readonly shard: number;
  readonly id: AccountId;
  readonly cash: Pictured<Cash>;
}

/** A subaccount of a user, with all its data. It has money on the first shard, and on each shard that it has funded. */
export class OwnerAccount {
  readonly user: User;
  readonly owner: Owner;
  /** The accounts by shard. */
  readonly shards: (ShardAccount | undefined)[] = [];
  /** The order that was placed last. Each order links to the one before it. */
  newestOrder: VenueBOrder | null = null;
  /** The open orders, oldest first. */
  readonly openOrders = new Set<VenueBOrder>();
  readonly fills: RecordRing<FillRecord>;
  readonly settlements = new RecordRing<SettlementRecord>(limits.paperSettlementsPerAccountMax);
  readonly positions = new Map<MarketId, Position>();
  /** The markets that are no longer listed, in which the account's positions are still shown. */
  readonly #past = new RecordRing<MarketId>(limits.paperPastMarketsPerAccountMax);
  readonly groups = new Map<string, OrderGroup>();
  /** Whether the current request has changed the account. */
  isTouched = false;

  constructor(user: User, owner: Owner, young: Young) {
    this.user = user;
    this.owner = owner;
    this.fills = new RecordRing(limits.paperFillsPerAccountMax, young);
  }

  /** Gives the subaccount an account on a shard. Call this once for a shard. */
  fund(shard: number, id: AccountId, now: UnixMillis): ShardAccount {
    const account = { shard, id, cash: new Pictured<Cash>({ available: 0 as MicroDollars, updatedAt: now }) };
    this.shards[shard] = account;
    return account;
  }

  /** Returns the engine's account for orders and holdings in this market. */
  idIn({ shard, ticker }: VenueBMarket): AccountId {
    const account = this.shards[shard];
    assert(account !== undefined, `an owner without money on its shard has something in ${ticker}`);
    return account.id;
  }

  /** Notes that a market with a position is no longer listed. */
  leave(market: MarketId): void {
    for (const forgotten of this.#past.push(market)) this.positions.delete(forgotten);
  }
}

export class VenueBOrder {
  readonly orderId: string;
  readonly account: OwnerAccount;
  readonly market: VenueBMarket;
  readonly side: Side;
  readonly group: OrderGroup | null;
  readonly createdAt: UnixMillis;
  readonly isCancelledOnPause: boolean;
  readonly postOnly: boolean;
  readonly #selfTrade: NewOrder['selfTrade'];
  #pictures: Pictured<OrderRecord> | null = null;

  /** The number of the order by arrival, which the ledger gives. */
  number = 0;
  /** The engine's id. Null until the engine has accepted the order. */
  engineId: OrderId | null = null;
  clientOrderId: string;
  expiresAt: UnixMillis | null;
  price: Ticks;
  initial: MicroShares;
  remaining: MicroShares;
  filled = 0 as MicroShares;
  status: OrderStatus = 'resting';
  takerFillCost = 0 as MicroDollars;
  makerFillCost = 0 as MicroDollars;
  takerFees = 0 as MicroDollars;
  makerFees = 0 as MicroDollars;
  /** The reason of the last change. */
  reason: UpdateReason | null = null;
  /** Whether the current request has changed the order. */
  isTouched = false;

  older: VenueBOrder | null = null;
  newer: VenueBOrder | null = null;

  constructor(orderId: string, account: OwnerAccount, request: NewOrder, group: OrderGroup | null, now: UnixMillis) {
    this.orderId = orderId;
    this.account = account;
    this.market = request.market;
    this.side = request.side;
    this.group = group;
    this.createdAt = now;
    this.isCancelledOnPause = request.isCancelledOnPause;
    this.postOnly = request.postOnly;
    this.expiresAt = request.expiresAt;
    this.#selfTrade = request.selfTrade;
    this.clientOrderId = request.clientOrderId;
    this.price = request.price;
    this.initial = request.size;
    this.remaining = request.size;
  }

  /** Sets the state that an earlier run has kept. */
  takeUp(kept: Progress): void {
    this.number = kept.number;
    this.initial = kept.initial;
    this.remaining = kept.remaining;
    this.filled = kept.filled;
    this.status = kept.status;
    this.takerFillCost = kept.takerFillCost;
    this.makerFillCost = kept.makerFillCost;
    this.takerFees = kept.takerFees;
    this.makerFees = kept.makerFees;
    this.reason = kept.reason;
  }

  /** The owner's account of the engine, on the shard of the order's market. */
  get accountId(): AccountId {
    return this.account.idIn(this.market);
  }

  /** The state after the last request that changed the order. */
  get record(): OrderRecord {
    assert(this.#pictures !== null, 'an order is looked at before its request is done');
    return this.#pictures.latest;
  }

  asOf(at: number): OrderRecord | null {
    return this.#pictures?.asOf(at) ?? null;
  }

  /** Makes a new picture. Call this at the end of a request that changed the order. */
  commit(history: RecordHistory, now: UnixMillis): OrderRecord {
    const picture = this.#record(now);
    if (this.#pictures === null) this.#pictures = new Pictured(picture);
    else history.replace(this.#pictures, picture);
    return picture;
  }

  /** Adds a fill. `cost` is in terms of the order's own side: YES for a bid, NO for an ask. */
  addFill(role: 'taker' | 'maker', size: MicroShares, cost: MicroDollars, fee: MicroDollars): void {
    this.filled = (this.filled + size) as MicroShares;
    this.remaining = (this.remaining - size) as MicroShares;
    this.reason = 'Trade';
    if (role === 'taker') {
      this.takerFillCost = (this.takerFillCost + cost) as MicroDollars;
      this.takerFees = (this.takerFees + fee) as MicroDollars;
    } else {
      this.makerFillCost = (this.makerFillCost + cost) as MicroDollars;
      this.makerFees = (this.makerFees + fee) as MicroDollars;
    }
  }

  /** Ends the order. Call this when no part of it rests any more. */
  end(status: 'canceled' | 'executed', reason: UpdateReason | null): void {
    this.status = status;
    this.remaining = 0 as MicroShares;
    this.reason = reason;
  }

  #record(now: UnixMillis): OrderRecord {
    return {
      orderId: this.orderId,
      owner: this.account.owner,
      clientOrderId: this.clientOrderId,
      market: this.market,
      side: this.side,
      price: this.price,
      initial: this.initial,
      filled: this.filled,
      remaining: this.remaining,
      status: this.status,
      takerFillCost: this.takerFillCost,
      makerFillCost: this.makerFillCost,
      takerFees: this.takerFees,
      makerFees: this.makerFees,
      createdAt: this.createdAt,
      updatedAt: now,
      expiresAt: this.expiresAt,
      selfTrade: this.#selfTrade,
      orderGroupId: this.group?.groupId ?? null,
      isCancelledOnPause: this.isCancelledOnPause,
    };
  }
}

/** The account that the group belongs to. */
interface GroupAccount {
  readonly owner: Owner;
  readonly groups: Map<string, OrderGroup>;
}

/** An order of the group. */
interface GroupOrder {
  readonly orderId: string;
  readonly accountId: AccountId;
  readonly engineId: OrderId | null;
}

interface Matched {
  readonly at: UnixMillis;
  size: MicroShares;
}

export class OrderGroup {
  readonly groupId: string;
  readonly account: GroupAccount;
  /** The shard of the group. It takes only orders in markets of this shard. */
  readonly shard: number;
  readonly resting = new Set<GroupOrder>();
  limit: MicroShares;
  isTriggered = false;
  /** The matches of the last 15 seconds, with one entry for each millisecond. */
  #window: Matched[] = [];
  #matched = 0 as MicroShares;

  constructor(groupId: string, account: GroupAccount, limit: MicroShares, shard: number) {
    this.groupId = groupId;
    this.account = account;
    this.limit = limit;
    this.shard = shard;
  }

  addMatch(size: MicroShares, now: UnixMillis): void {
    const last = this.#window.at(-1);
    if (last?.at === now) last.size = (last.size + size) as MicroShares;
    else this.#window.push({ at: now, size });
    this.#matched = (this.#matched + size) as MicroShares;
  }

  isOverLimit(now: UnixMillis): boolean {
    const left = this.#window.findIndex(({ at }) => at > now - limits.paperGroupWindowMs);
    const gone = this.#window.splice(0, left === -1 ? this.#window.length : left);
    for (const { size } of gone) this.#matched = (this.#matched - size) as MicroShares;
    return this.#matched > this.limit;
  }

  /** Lets the group's orders trade again. Earlier matches no longer count. */
  reset(): void {
    this.isTriggered = false;
    this.#window = [];
    this.#matched = 0 as MicroShares;
  }

  record(): OrderGroupRecord {
    return {
      groupId: this.groupId,
      owner: this.account.owner,
      shard: this.shard,
      limit: this.limit,
      isTriggered: this.isTriggered,
      orderIds: Array.from(this.resting, order => order.orderId),
    };
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

  /** Makes the account if it does not exist. Returns null with too many accounts, or for an invalid number. */
  open(owner: Owner, now: UnixMillis): OwnerAccount | null {
    const { userId, subaccount } = owner;
    if (!Number.isInteger(subaccount) || subaccount < 0 || subaccount >= limits.paperSubaccountsMax) return null;
    const known = this.#users.get(userId);
    if (known === undefined && this.#users.size >= limits.paperUsersMax) return null;
    const user = known ?? new User(userId);
    this.#users.set(userId, user);
    const account = user.accounts[subaccount] ?? new OwnerAccount(user, { userId, subaccount }, this.#young);
    user.accounts[subaccount] = account;
    this.fund(account, 0, now);
    return account;
  }

  /** Returns the owner's account on a shard, and makes it if the shard was never funded. */
  fund(account: OwnerAccount, shard: number, now: UnixMillis): ShardAccount {
    return account.shards[shard] ?? account.fund(shard, this.#engine.addAccount(0 as MicroDollars), now);
  }
}
