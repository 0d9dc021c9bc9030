// Cash, holdings and their reservations. This is the only file in which money moves. Every match moves a dollar for each share from its two
// sides into the market's pot. A side that closes returns a pair, and gets a dollar for each share from the pot. So at any time
//
//     Σ cash + Σ reserved + Σ pots + fees taken = Σ deposits        Σ YES = Σ NO = pot, in each market

import { ASK, BID, type Side } from '../../core/domain/market.ts';
import { complementTicks, type MicroDollars, type MicroShares, type Ticks } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import { type AccountId, type Effect, type EngineRefusal, type OrderView, worstCost, yesCost } from './engine-types.ts';
import { Account, type Holding, type Market, type Order } from './order.ts';

/** The reservation of a resting order. */
export type Held = Pick<OrderView, 'closing' | 'reserved'>;

/** The effect of one match. The next match overwrites this object. */
interface Trade {
  /** The payment of the YES side. */
  cost: MicroDollars;
  takerFee: MicroDollars;
  makerFee: MicroDollars;
  /** The micro-shares of pairs that were created. Negative if pairs were redeemed. */
  minted: number;
}

/** Returns the shares of a holding that an order of `side` could close: a bid closes NO, an ask closes YES. */
export function closable(holding: Holding, side: Side): MicroShares {
  return (side === BID ? holding.no - holding.noReserved : holding.yes - holding.yesReserved) as MicroShares;
}

/**
 * The accounts. An order in the book keeps its reservation until it ends. `closing` shares of its leaves quantity close a holding, and
 * these shares are reserved: the owner cannot sell or redeem them meanwhile. The other shares open. Their maximum cost is reserved in cash,
 * with fees. The fee of a closing part comes out of its proceeds and the owner's free cash, and is never more than both. So cash is never
 * negative. Free pairs of the owner of a net order are redeemed whenever a reservation of the owner changes.
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

  /** Adds cash. Returns false, without effect, if free cash is too low, or if the sum of all money would exceed exact integers. */
  deposit(account: Account, amount: MicroDollars): boolean {
    const deposited = this.#deposited + amount;
    if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(deposited) || account.cash + amount < 0) return false;
    this.#deposited = deposited as MicroDollars;
    account.cash = (account.cash + amount) as MicroDollars;
    return true;
  }

  /**
   * Returns why free funds do not cover an order of these terms. The reservation of `before` counts as free. Null means that they cover it.
   */
  refusalOf(account: Account, market: Market, terms: Terms, before: Order | null): EngineRefusal | null {
    const { effect, side, price, size } = terms;
    const shares = (closable(market.holdingOf(account), side) + (before?.closing ?? 0)) as MicroShares;
    const closing = closingPart(effect, size, shares);
    if (effect === 'close') return closing === size ? null : 'insufficient-holding';
    const opening = (size - closing) as MicroShares;
    const cash = account.cash + (before?.reserved ?? 0);
    // The cost of the shares is checked first, so that fee schedules never see sizes beyond any balance.
    if (worstCost(side, price, opening, market.spec.sizeStep) > cash) return 'insufficient-cash';
    return cashFor(market, side, price, opening) <= cash ? null : 'insufficient-cash';
  }

  /** Reserves for the leaves quantity of an order under its present terms. Decides how much of it closes. */
  reserve(order: Order): void {
    order.closing = closingPart(order.effect, order.resting, closable(order.holding, order.side));
    reserveShares(order.holding, order.side, order.closing);
    this.#hold(order, cashForRest(order));
  }

  /** Reserves what an order of an earlier run had reserved. */
  hold(order: Order, { closing, reserved }: Held): void {
    assert(
      closable(order.holding, order.side) >= closing && order.account.cash >= reserved,
      'a kept order is not covered',
    );
    order.closing = closing;
    reserveShares(order.holding, order.side, closing);
    this.#hold(order, reserved);
  }

  /** Releases the whole reservation of the order. */
  release(order: Order): void {
    reserveShares(order.holding, order.side, -order.closing);
    order.closing = 0 as MicroShares;
    this.#hold(order, 0 as MicroDollars);
  }

  /** Releases what a smaller leaves quantity does not need. The opening part goes first, because it would fill last. */
  shrink(order: Order): void {
    const closing = Math.min(order.closing, order.resting) as MicroShares;
    reserveShares(order.holding, order.side, closing - order.closing);
    order.closing = closing;
    this.#hold(order, cashForRest(order));
  }

  /** Books one match at the maker's price. */
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

  /** Redeems the free pairs of a net order's owner. Returns their number. */
  redeemNet({ effect, account, market, holding }: Order): MicroShares {
    if (effect !== 'net') return 0 as MicroShares;
    const pairs = Math.min(closable(holding, BID), closable(holding, ASK)) as MicroShares;
    if (pairs > 0) this.movePairs(account, market, -pairs as MicroShares);
    return pairs;
  }

  /** Converts cash into pairs. A negative number converts pairs back into cash. */
  movePairs(account: Account, market: Market, pairs: MicroShares): void {
    const holding = market.holdingOf(account);
    holding.yes = (holding.yes + pairs) as MicroShares;
    holding.no = (holding.no + pairs) as MicroShares;
    market.pot = (market.pot + pairs) as MicroShares;
    account.cash = (account.cash - pairs) as MicroDollars;
  }

  /** Transfers shares of the outcome that an order of `side` opens: YES for a bid, NO for an ask. */
  giveShares(from: Account, to: Account, market: Market, side: Side, size: MicroShares): void {
    addShares(market.holdingOf(from), side, -size, 0);
    addShares(market.holdingOf(to), side, size, 0);
  }

  /** Pays out the whole pot. The value of a share is rounded down. The micro-dollars that are left count as fees. */
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

  /** Books one side of a match. The side pays `pays` for all shares, and gets a dollar for each share that it closes. Returns the fee. */
  #fill(order: Order, role: 'taker' | 'maker', price: Ticks, size: MicroShares, pays: MicroDollars): MicroDollars {
    const { account, holding, side } = order;
    const closed = Math.min(order.closing, size) as MicroShares;
    reserveShares(holding, side, -closed);
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

/** The terms of an order that decide what it costs. */
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
  return (worstCost(side, price, opening, spec.sizeStep) + spec.fees.maxCharge(price, opening, side)) as MicroDollars;
}

/** Reserves `shares` that an order of `side` closes. A negative number releases them. */
function reserveShares(holding: Holding, side: Side, shares: number): void {
  if (side === BID) holding.noReserved = (holding.noReserved + shares) as MicroShares;
  else holding.yesReserved = (holding.yesReserved + shares) as MicroShares;
}

/** Books a fill of an order of `side` in its holding: it adds opened shares and removes closed ones. */
function addShares(holding: Holding, side: Side, opened: number, closed: number): void {
  if (side === BID) {
    holding.yes = (holding.yes + opened) as MicroShares;
    holding.no = (holding.no - closed) as MicroShares;
  } else {
    holding.no = (holding.no + opened) as MicroShares;
    holding.yes = (holding.yes - closed) as MicroShares;
  }
}
