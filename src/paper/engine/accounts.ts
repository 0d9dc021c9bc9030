// Cash, holdings and what is promised of both: the only file in which money moves. Every match takes a dollar a share from
// its two sides into the market's pot; whoever closes gives a pair back and is paid a dollar a share out of it. So at any time
//
//     Σ cash + Σ reserved + Σ pots + fees taken = Σ deposits        Σ YES = Σ NO = pot, in each market

import { ASK, BID, type Side } from '../../domain/market.ts';
import { complementTicks, type MicroDollars, type MicroShares, type Ticks } from '../../domain/numbers.ts';
import { assert } from '../../domain/result.ts';
import type { AccountId, Effect, EngineRefusal, HoldingView } from './engine-types.ts';
import type { Market } from './market.ts';
import { worstCost, yesCost } from './money.ts';
import type { Order } from './order.ts';

export class Account {
  readonly id: AccountId;
  cash = 0 as MicroDollars;
  reserved = 0 as MicroDollars;
  /** Its orders in books, the one that entered first. */
  oldest: Order | null = null;
  newest: Order | null = null;

  constructor(id: AccountId) {
    this.id = id;
  }
}

/** What one account has in one market. */
export class Holding implements HoldingView {
  yes = 0 as MicroShares;
  no = 0 as MicroShares;
  yesReserved = 0 as MicroShares;
  noReserved = 0 as MicroShares;
}

/** What one match has moved; the ledger's next match overwrites it. */
interface Trade {
  /** What the YES side paid. */
  cost: MicroDollars;
  takerFee: MicroDollars;
  makerFee: MicroDollars;
  /** Micro-shares of pairs that came about, or ceased to be. */
  minted: number;
}

/** Shares of a holding that an order of `side` could close: a bid closes NO, an ask YES. */
export function closable(holding: Holding, side: Side): MicroShares {
  return (side === BID ? holding.no - holding.noReserved : holding.yes - holding.yesReserved) as MicroShares;
}

/**
 * An order in the book holds its promise for life. Of its rest, `closing` shares close a holding, and those shares are
 * reserved: nobody else can sell or redeem them, so that what an order wanted to close is never gone. The rest opens, and the
 * most that this can cost is reserved in cash, fees included. The fee of a closing part comes out of what that brings in and
 * the owner's free cash, and is no more than there is. Hence cash is never negative. Pairs that the owner of a net order
 * holds free are redeemed whenever one of its promises changes.
 */
export class Accounts {
  readonly #accounts: Account[] = [];
  readonly #trade: Trade = {
    cost: 0 as MicroDollars,
    takerFee: 0 as MicroDollars,
    makerFee: 0 as MicroDollars,
    minted: 0,
  };
  #deposited = 0 as MicroDollars;
  #feesTaken = 0 as MicroDollars;

  get feesTaken(): MicroDollars {
    return this.#feesTaken;
  }

  add(): Account {
    const account = new Account(this.#accounts.length as AccountId);
    this.#accounts.push(account);
    return account;
  }

  find(id: AccountId): Account | undefined {
    return this.#accounts[id];
  }

  /** False, and nothing is done, if free cash does not reach, or all money together would be too much to be exact. */
  deposit(account: Account, amount: MicroDollars): boolean {
    const deposited = this.#deposited + amount;
    if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(deposited) || account.cash + amount < 0) return false;
    this.#deposited = deposited as MicroDollars;
    account.cash = (account.cash + amount) as MicroDollars;
    return true;
  }

  /** Why an order of these terms cannot be promised for by what is free, and what is promised for `before`; null if it can. */
  objection(account: Account, market: Market, terms: Terms, before: Order | null): EngineRefusal | null {
    const { effect, side, price, size } = terms;
    const shares = (closable(market.holdingOf(account), side) + (before?.closing ?? 0)) as MicroShares;
    const closing = closingPart(effect, size, shares);
    if (effect === 'close') return closing === size ? null : 'insufficient-holding';
    const opening = (size - closing) as MicroShares;
    const cash = account.cash + (before?.reserved ?? 0);
    // What the shares alone cost comes first: no fee schedule has to know sizes that nobody could pay for.
    if (worstCost(side, price, opening, market.spec.sizeStep) > cash) return 'insufficient-cash';
    return cashFor(market, side, price, opening) <= cash ? null : 'insufficient-cash';
  }

  /** Promises for all that rests of an order, as its terms are now; what it closes is decided here. */
  reserve(order: Order): void {
    order.closing = closingPart(order.effect, order.resting, closable(order.holding, order.side));
    promise(order.holding, order.side, order.closing);
    this.#hold(order, cashForRest(order));
  }

  /** Frees all that is promised for an order. */
  release(order: Order): void {
    promise(order.holding, order.side, -order.closing);
    order.closing = 0 as MicroShares;
    this.#hold(order, 0 as MicroDollars);
  }

  /** Frees what a rest that has become smaller does not need. The part that opens goes first, as it would be filled last. */
  shrink(order: Order): void {
    const closing = Math.min(order.closing, order.resting) as MicroShares;
    promise(order.holding, order.side, closing - order.closing);
    order.closing = closing;
    this.#hold(order, cashForRest(order));
  }

  /** One match, at the maker's price. */
  trade(taker: Order, maker: Order, price: Ticks, size: MicroShares): Trade {
    const trade = this.#trade;
    const cost = yesCost(price, size);
    const rest = (size - cost) as MicroDollars;
    const closed = Math.min(taker.closing, size) + Math.min(maker.closing, size);
    trade.cost = cost;
    trade.takerFee = this.#fill(taker, 'taker', price, size, taker.side === BID ? cost : rest);
    trade.makerFee = this.#fill(maker, 'maker', price, size, maker.side === BID ? cost : rest);
    const { market } = taker;
    market.pot = (market.pot + size - closed) as MicroShares;
    trade.minted = size - closed - this.redeemNet(taker) - this.redeemNet(maker);
    return trade;
  }

  /** Redeems the pairs that the owner of a net order holds free. Returns how many. */
  redeemNet({ effect, account, market, holding }: Order): MicroShares {
    if (effect !== 'net') return 0 as MicroShares;
    const pairs = Math.min(closable(holding, BID), closable(holding, ASK)) as MicroShares;
    if (pairs > 0) this.movePairs(account, market, -pairs as MicroShares);
    return pairs;
  }

  /** Turns cash into pairs, or back if negative. */
  movePairs(account: Account, market: Market, pairs: MicroShares): void {
    const holding = market.holdingOf(account);
    holding.yes = (holding.yes + pairs) as MicroShares;
    holding.no = (holding.no + pairs) as MicroShares;
    market.pot = (market.pot + pairs) as MicroShares;
    account.cash = (account.cash - pairs) as MicroDollars;
  }

  /** Hands on shares of the outcome that a bid or an ask opens. */
  giveShares(from: Account, to: Account, market: Market, side: Side, size: MicroShares): void {
    addShares(market.holdingOf(from), side, -size, 0);
    addShares(market.holdingOf(to), side, size, 0);
  }

  /** Pays out the whole pot. What a share is worth is rounded down; the micro-dollars that this leaves over are kept as fees. */
  settle(market: Market, yesValue: Ticks): void {
    const noValue = complementTicks(yesValue);
    let left = market.pot as number;
    market.holdings.forEach((holding, id) => {
      if (holding === undefined) return;
      const value = yesCost(yesValue, holding.yes) + yesCost(noValue, holding.no);
      const account = this.#accounts[id]!;
      account.cash = (account.cash + value) as MicroDollars;
      left -= value;
      holding.yes = 0 as MicroShares;
      holding.no = 0 as MicroShares;
    });
    assert(left >= 0, `market ${market.id} owes ${-left} more than its pot`);
    this.#feesTaken = (this.#feesTaken + left) as MicroDollars;
    market.pot = 0 as MicroShares;
  }

  /** One side of a match: `pays` for all of it, and is given a dollar for each share that it closes. Returns the fee. */
  #fill(order: Order, role: 'taker' | 'maker', price: Ticks, size: MicroShares, pays: MicroDollars): MicroDollars {
    const { account, holding, side } = order;
    const closed = Math.min(order.closing, size) as MicroShares;
    promise(holding, side, -closed);
    addShares(holding, side, size - closed, closed);
    order.closing = (order.closing - closed) as MicroShares;
    order.resting = (order.resting - size) as MicroShares;
    this.#hold(order, Math.min(order.reserved, cashForRest(order)) as MicroDollars);
    const cash = account.cash + closed - pays;
    assert(cash >= 0, 'an order cannot pay for its fill');
    const fee = Math.min(order.meter.charge(role, price, size), cash) as MicroDollars;
    account.cash = (cash - fee) as MicroDollars;
    this.#feesTaken = (this.#feesTaken + fee) as MicroDollars;
    return fee;
  }

  #hold(order: Order, cash: MicroDollars): void {
    const { account } = order;
    const more = cash - order.reserved;
    order.reserved = cash;
    account.reserved = (account.reserved + more) as MicroDollars;
    account.cash = (account.cash - more) as MicroDollars;
  }
}

/** What an order would do, as far as money is concerned. */
export interface Terms {
  readonly effect: Effect;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: MicroShares;
}

function closingPart(effect: Effect, size: MicroShares, shares: MicroShares): MicroShares {
  return effect === 'open' ? (0 as MicroShares) : (Math.min(size, shares) as MicroShares);
}

function cashForRest(order: Order): MicroDollars {
  return cashFor(order.market, order.side, order.price, (order.resting - order.closing) as MicroShares);
}

function cashFor({ spec }: Market, side: Side, price: Ticks, opening: MicroShares): MicroDollars {
  if (opening === 0) return 0 as MicroDollars;
  return (worstCost(side, price, opening, spec.sizeStep) + spec.fees.most(price, opening, side)) as MicroDollars;
}

/** Reserves `shares` of what an order of `side` closes; negative frees them. */
function promise(holding: Holding, side: Side, shares: number): void {
  if (side === BID) holding.noReserved = (holding.noReserved + shares) as MicroShares;
  else holding.yesReserved = (holding.yesReserved + shares) as MicroShares;
}

/** A fill of an order of `side`: what it opens comes, what it closes goes. */
function addShares(holding: Holding, side: Side, opened: number, closed: number): void {
  if (side === BID) {
    holding.yes = (holding.yes + opened) as MicroShares;
    holding.no = (holding.no - closed) as MicroShares;
  } else {
    holding.no = (holding.no + opened) as MicroShares;
    holding.yes = (holding.yes - closed) as MicroShares;
  }
}
