// One user's order while it changes, and its pictures for readers and observers. Orders of an account are linked, newest first. Thread of
// the paper exchanges.

import type { Side } from '../../domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../domain/numbers.ts';
import { assert } from '../../domain/result.ts';
import type { OrderId } from '../engine/engine-types.ts';
import type { VenueBMarket } from './market.ts';
import type { OrderGroup } from './order-group.ts';
import type { NewOrder } from './order-requests.ts';
import type { OwnerAccount } from './owners.ts';
import { Pictured, type RecordHistory } from './record-history.ts';
import type { OrderRecord, OrderStatus, UpdateReason } from './records.ts';

export class VenueBOrder {
  readonly orderId: string;
  readonly account: OwnerAccount;
  readonly market: VenueBMarket;
  readonly side: Side;
  readonly group: OrderGroup | null;
  readonly createdAt: UnixMillis;
  readonly isCancelledOnPause: boolean;
  readonly #expiresAt: UnixMillis | null;
  readonly #selfTrade: NewOrder['selfTrade'];
  #pictures: Pictured<OrderRecord> | null = null;

  /** Null until the engine has accepted it. */
  engineId: OrderId | null = null;
  clientOrderId: string;
  price: Ticks;
  initial: MicroShares;
  remaining: MicroShares;
  filled = 0 as MicroShares;
  status: OrderStatus = 'resting';
  takerFillCost = 0 as MicroDollars;
  makerFillCost = 0 as MicroDollars;
  takerFees = 0 as MicroDollars;
  makerFees = 0 as MicroDollars;
  /** Time of its last change. */
  reason: UpdateReason | null = null;
  /** In the current request. */
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
    this.#expiresAt = request.expiresAt;
    this.#selfTrade = request.selfTrade;
    this.clientOrderId = request.clientOrderId;
    this.price = request.price;
    this.initial = request.size;
    this.remaining = request.size;
  }

  /** State after the last request that changed it. */
  get record(): OrderRecord {
    assert(this.#pictures !== null, 'an order is looked at before its request is done');
    return this.#pictures.latest;
  }

  asOf(at: number): OrderRecord | null {
    return this.#pictures?.asOf(at) ?? null;
  }

  /** Call at the end of a request that changed it. */
  commit(history: RecordHistory, now: UnixMillis): OrderRecord {
    const picture = this.#picture(now);
    if (this.#pictures === null) this.#pictures = new Pictured(picture);
    else history.replace(this.#pictures, picture);
    return picture;
  }

  /** `cost`: of the order's own side, YES for a bid, NO for an ask. */
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

  /** Call when nothing of it rests any more. */
  end(status: 'canceled' | 'executed', reason: UpdateReason | null): void {
    this.status = status;
    this.remaining = 0 as MicroShares;
    this.reason = reason;
  }

  #picture(now: UnixMillis): OrderRecord {
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
      expiresAt: this.#expiresAt,
      selfTrade: this.#selfTrade,
      orderGroupId: this.group?.groupId ?? null,
      isCancelledOnPause: this.isCancelledOnPause,
    };
  }
}
