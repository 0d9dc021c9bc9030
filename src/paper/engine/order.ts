// One order from acceptance to its end, with its account and its market, because the three refer to each other. An order itself has the
// links to its neighbours in the queue of its price and among its owner's resting orders. So no other structure changes when the order is
// removed.

import type { Side } from '../../core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import type {
  AccountId,
  Effect,
  FeeMeter,
  HoldingView,
  MarketId,
  MarketSpec,
  MarketState,
  NewOrder,
  OrderId,
  OrderStatus,
  OrderView,
  SelfTrade,
} from './engine-types.ts';
import { OrderBook, type PriceLevel } from './order-book.ts';

export class Account {
  readonly id: AccountId;
  cash = 0 as MicroDollars;
  reserved = 0 as MicroDollars;
  /** The first of the account's resting orders, which are linked oldest first. */
  oldest: Order | null = null;
  newest: Order | null = null;

  constructor(id: AccountId) {
    this.id = id;
  }
}

/** The holdings of one account in one market. */
export class Holding implements HoldingView {
  yes = 0 as MicroShares;
  no = 0 as MicroShares;
  yesReserved = 0 as MicroShares;
  noReserved = 0 as MicroShares;
}

/** The book that all settled markets share. No order ever enters it. */
const EMPTY_BOOK = new OrderBook<Order>(-1 as MarketId);

/** One market: its rules, state, book and holders, and the collateral pot that pays the holders. */
export class Market {
  readonly id: MarketId;
  readonly spec: MarketSpec;
  book: OrderBook<Order>;
  /** The holdings by account. An account without trades here has none. */
  readonly holdings: (Holding | undefined)[] = [];
  state: MarketState = 'OPEN';
  /** The number of pairs, each of which is backed by a dollar: Σ YES = Σ NO = pot. */
  pot = 0 as MicroShares;

  constructor(id: MarketId, spec: MarketSpec) {
    this.id = id;
    this.spec = spec;
    this.book = new OrderBook<Order>(id);
  }

  /**
   * Frees the memory of a settled market, which no longer has orders or holders. This matters because an exchange lists games for months.
   */
  clear(): void {
    this.book = EMPTY_BOOK;
    this.holdings.length = 0;
  }

  holdingOf(account: Account): Holding {
    let holding = this.holdings[account.id];
    if (holding === undefined) {
      holding = new Holding();
      this.holdings[account.id] = holding;
    }
    return holding;
  }
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
  /** The expiry. Null for an order that is good till cancelled or never rests. */
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

  /** The number of the order's entry into a book. An order that moves to the end of its queue gets another number. */
  place = 0;
  /** The level of the order. Null while the order is not in the book. */
  level: PriceLevel<Order> | null = null;
  ahead: Order | null = null;
  behind: Order | null = null;
  older: Order | null = null;
  newer: Order | null = null;
  /** The index in the heap of expiring orders. −1 means that the order is not in the heap. */
  expiryPlace = -1;

  /** Makes a new order of this object. The old order must have ended and have left the book. */
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
