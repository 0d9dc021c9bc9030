// One order, from acceptance to its end. It has its own links, to its neighbours in the queue of its price and among its
// owner's resting orders, so that it can be removed without any other structure.

import type { Side } from '../../domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../domain/numbers.ts';
import type { Account, Holding } from './accounts.ts';
import type { AccountId, Effect, FeeMeter, MarketId, NewOrder, OrderId, SelfTrade } from './engine-types.ts';
import type { Market } from './market.ts';
import type { PriceLevel } from './order-book.ts';

export type OrderStatus = 'resting' | 'filled' | 'cancelled';

/** What a venue shows of an order. Costs are in YES terms; in NO terms they are the filled size minus that. */
export interface OrderView {
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly side: Side;
  readonly effect: Effect;
  readonly price: Ticks;
  /** As accepted; amend and decrease do not change it. */
  readonly size: MicroShares;
  readonly filled: MicroShares;
  readonly resting: MicroShares;
  readonly status: OrderStatus;
  readonly expiresAt: UnixMillis | null;
  /** Σ ⌊price × size⌋ of its fills. */
  readonly cost: MicroDollars;
  readonly fees: MicroDollars;
  /** Part that it took when it crossed; the rest filled while it was resting. */
  readonly filledAsTaker: MicroShares;
  readonly costAsTaker: MicroDollars;
  readonly feesAsTaker: MicroDollars;
  /** Resting size that closes its owner's holding. */
  readonly closing: MicroShares;
  /** Cash that is reserved for the rest. */
  readonly reserved: MicroDollars;
}

export class Order {
  id!: OrderId;
  account!: Account;
  holding!: Holding;
  market!: Market;
  side!: Side;
  effect!: Effect;
  size!: MicroShares;
  postOnly!: boolean;
  selfTrade!: SelfTrade;
  /** Null for an order that is good till cancelled, or never rests. */
  expiresAt!: UnixMillis | null;
  meter!: FeeMeter;

  price!: Ticks;
  resting!: MicroShares;
  status!: OrderStatus;
  closing!: MicroShares;
  reserved!: MicroDollars;

  filled!: MicroShares;
  cost!: MicroDollars;
  fees!: MicroDollars;
  filledAsTaker!: MicroShares;
  costAsTaker!: MicroDollars;
  feesAsTaker!: MicroDollars;

  /** Null outside the book. */
  level: PriceLevel | null = null;
  ahead: Order | null = null;
  behind: Order | null = null;
  older: Order | null = null;
  newer: Order | null = null;
  /** Its index in the heap of expiring orders; −1 outside. */
  expiryPlace = -1;

  /** Makes this object a new order; the old order must have ended, and be in no book. */
  begin(id: OrderId, account: Account, market: Market, request: NewOrder, size: MicroShares): void {
    this.id = id;
    this.account = account;
    this.holding = market.holdingOf(account);
    this.market = market;
    this.side = request.side;
    this.effect = request.effect;
    this.size = size;
    this.postOnly = request.postOnly;
    this.selfTrade = request.selfTrade;
    this.expiresAt = request.timeInForce.type === 'GTD' ? request.timeInForce.expiresAt : null;
    this.meter = market.spec.fees.meter(request.side);
    this.price = request.price;
    this.resting = size;
    this.status = 'resting';
    this.closing = 0 as MicroShares;
    this.reserved = 0 as MicroDollars;
    this.filled = 0 as MicroShares;
    this.cost = 0 as MicroDollars;
    this.fees = 0 as MicroDollars;
    this.filledAsTaker = 0 as MicroShares;
    this.costAsTaker = 0 as MicroDollars;
    this.feesAsTaker = 0 as MicroDollars;
  }

  addFill(role: 'taker' | 'maker', size: MicroShares, cost: MicroDollars, fee: MicroDollars): void {
    this.filled = (this.filled + size) as MicroShares;
    this.cost = (this.cost + cost) as MicroDollars;
    this.fees = (this.fees + fee) as MicroDollars;
    if (role === 'maker') return;
    this.filledAsTaker = (this.filledAsTaker + size) as MicroShares;
    this.costAsTaker = (this.costAsTaker + cost) as MicroDollars;
    this.feesAsTaker = (this.feesAsTaker + fee) as MicroDollars;
  }

  view(): OrderView {
    return {
      id: this.id,
      account: this.account.id,
      market: this.market.id,
      side: this.side,
      effect: this.effect,
      price: this.price,
      size: this.size,
      filled: this.filled,
      resting: this.resting,
      status: this.status,
      expiresAt: this.expiresAt,
      cost: this.cost,
      fees: this.fees,
      filledAsTaker: this.filledAsTaker,
      costAsTaker: this.costAsTaker,
      feesAsTaker: this.feesAsTaker,
      closing: this.closing,
      reserved: this.reserved,
    };
  }
}
