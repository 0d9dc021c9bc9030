// The half of the naive exchange that counts money and shares. It stores the accounts' money and shares, and which orders are alive. It
// adds up what is promised to orders anew at each question. All amounts are BigInt.

import { ASK, BID, type Side } from '../../src/core/domain/market.ts';
import { complementTicks, type MicroDollars, type MicroShares, type Ticks } from '../../src/core/domain/numbers.ts';
import type {
  AccountId,
  FeeMeter,
  MarketId,
  MarketSpec,
  MarketState,
  NewOrder,
  OrderId,
} from '../../src/paper/engine/engine-types.ts';

interface NaiveMarket {
  readonly spec: MarketSpec;
  state: MarketState;
  pot: bigint;
}

export interface NaiveOrder {
  readonly id: OrderId;
  readonly wish: NewOrder;
  readonly meter: FeeMeter;
  price: Ticks;
  /** The size that may still fill. 0 means that the order is done. */
  rest: bigint;
  /** The part of `rest` that closes the owner's opposite holding. This part fills first. */
  closing: bigint;
  isResting: boolean;
  /** The rank in the queue at a price: the smaller rank came first. */
  rank: number;
}

interface Account {
  /** All money of the account, reserved or not. */
  money: bigint;
  readonly holdings: Map<MarketId, Holding>;
}

interface Holding {
  yes: bigint;
  no: bigint;
}

export class NaiveLedger {
  readonly markets: NaiveMarket[] = [];
  /** The orders that have a rest. */
  live: NaiveOrder[] = [];
  fees = 0n;
  readonly #accounts: Account[] = [];
  #deposited = 0n;

  addAccount(): AccountId {
    return (this.#accounts.push({ money: 0n, holdings: new Map() }) - 1) as AccountId;
  }

  knows(account: AccountId): boolean {
    return this.#accounts[account] !== undefined;
  }

  deposit(account: AccountId, amount: bigint): boolean {
    if (!this.knows(account) || this.cash(account) + amount < 0n) return false;
    if (this.#deposited + amount > BigInt(Number.MAX_SAFE_INTEGER)) return false;
    this.#deposited += amount;
    this.#accounts[account]!.money += amount;
    return true;
  }

  /** Returns the money that the account may still spend. */
  cash(account: AccountId): bigint {
    return this.#accounts[account]!.money - this.reserved(account);
  }

  reserved(account: AccountId): bigint {
    return sum(this.live.filter(it => it.wish.account === account).map(it => this.need(it)));
  }

  holding(account: AccountId, market: MarketId): Holding {
    const { holdings } = this.#accounts[account]!;
    const holding = holdings.get(market) ?? { yes: 0n, no: 0n };
    holdings.set(market, holding);
    return holding;
  }

  /** Returns the part of the holding that is promised to orders of this side, which close the holding. */
  promised(account: AccountId, market: MarketId, side: Side): bigint {
    const theirs = this.live.filter(it => it.wish.account === account && it.wish.market === market);
    return sum(theirs.filter(it => it.wish.side === side).map(it => it.closing));
  }

  /** Returns the part of the holding that an order of this side closes, and on which no order but `except` has a claim. */
  closable({ account, market, side }: NewOrder, except: NaiveOrder | null): bigint {
    const { yes, no } = this.holding(account, market);
    return (side === ASK ? yes : no) - this.promised(account, market, side) + (except?.closing ?? 0n);
  }

  /**
   * Returns the most that the opening part can cost. An ask pays a part of a micro-dollar in full at every fill, so that fills step by step
   * are worst.
   */
  need(order: NaiveOrder): bigint {
    const { fees, sizeStep } = this.markets[order.wish.market]!.spec;
    const opening = order.rest - order.closing;
    if (opening === 0n) return 0n;
    const step = BigInt(sizeStep);
    const odd = opening % step;
    const cost =
      order.wish.side === BID
        ? costOf(order.price, opening)
        : (opening / step) * (step - costOf(order.price, step)) + (odd - costOf(order.price, odd));
    return cost + BigInt(fees.maxCharge(order.price, Number(opening) as MicroShares, order.wish.side));
  }

  /**
   * Books one side of a match, as if a buyer bought YES throughout. The buyer turns the NO that the fill closes, with as much YES, into
   * dollars; a seller does the reverse. A fee takes at most the money that is there, because a closing fill can bring less than its fee.
   * Returns the fee.
   */
  trade(order: NaiveOrder, role: 'taker' | 'maker', price: Ticks, size: bigint): MicroDollars {
    const { account, market, side } = order.wish;
    const closed = min(order.closing, size);
    const cost = costOf(price, size);
    const owner = this.#accounts[account]!;
    const holding = this.holding(account, market);
    owner.money -= (side === BID ? cost : size - cost) - closed;
    holding.yes += side === BID ? size - closed : -closed;
    holding.no += side === BID ? -closed : size - closed;
    // The buyer and the seller together put a dollar per share into the pot. Closing a share takes a dollar out.
    this.markets[market]!.pot += (side === BID ? size : 0n) - closed;
    order.closing -= closed;
    this.setRest(order, order.rest - size);
    const fee = min(BigInt(order.meter.charge(role, price, Number(size) as MicroShares)), this.cash(account));
    owner.money -= fee;
    this.fees += fee;
    return Number(fee) as MicroDollars;
  }

  setRest(order: NaiveOrder, rest: bigint): void {
    order.rest = rest;
    if (rest === 0n) this.live = this.live.filter(it => it !== order);
  }

  /** Turns pairs of an order's owner into dollars, if the order is a net order. Pairs that are promised to resting orders stay. */
  redeem({ wish }: NaiveOrder): void {
    if (wish.effect !== 'net') return;
    const pairs = min(this.closable({ ...wish, side: BID }, null), this.closable({ ...wish, side: ASK }, null));
    this.changePairs(wish.account, wish.market, -pairs);
  }

  /** Makes pairs from an account's money, or money from its pairs. */
  changePairs(account: AccountId, market: MarketId, pairs: bigint): void {
    const holding = this.holding(account, market);
    holding.yes += pairs;
    holding.no += pairs;
    this.#accounts[account]!.money -= pairs;
    this.markets[market]!.pot += pairs;
  }

  /** Gives shares to another account: YES if a bid opens them, NO if an ask does. */
  giveShares(from: AccountId, to: AccountId, market: MarketId, side: Side, size: bigint): void {
    const outcome = side === BID ? 'yes' : 'no';
    this.holding(from, market)[outcome] -= size;
    this.holding(to, market)[outcome] += size;
  }

  /** Settles a market. Every holding is paid its value, rounded down; the remainder of the pot goes where the fees go. */
  settle(market: MarketId, yesValue: Ticks): void {
    const it = this.markets[market]!;
    for (const account of this.#accounts) {
      const { yes, no } = account.holdings.get(market) ?? { yes: 0n, no: 0n };
      const paid = costOf(yesValue, yes) + costOf(complementTicks(yesValue), no);
      account.money += paid;
      it.pot -= paid;
      account.holdings.delete(market);
    }
    this.fees += it.pot;
    it.pot = 0n;
  }
}

export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function sum(values: bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

export function shares(size: bigint): MicroShares {
  return Number(size) as MicroShares;
}

export function dollars(amount: bigint): MicroDollars {
  return Number(amount) as MicroDollars;
}

/** Returns the cost of so many micro-shares in micro-dollars, rounded down. */
function costOf(price: Ticks, size: bigint): bigint {
  return (BigInt(price) * size) / 10_000n;
}
