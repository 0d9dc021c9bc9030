// Conditions on a matching engine after every operation. No micro-dollar and no micro-share appears or vanishes unseen, and no amount is
// negative. The reserved amounts, the books and the events agree.

import { ASK, BID, type Side } from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks } from '../../src/core/domain/numbers.ts';
import type { Engine } from '../../src/paper/engine/engine.ts';
import type { AccountId, MarketId, OrderView } from '../../src/paper/engine/engine-types.ts';
import { type ExchangeWorld, type LiveOrder, same, yesCost } from './exchange-world.ts';

const PRICES = 16_384;

interface Promises {
  cash: number;
  /** The promised shares by slot and side. */
  readonly shares: number[];
}

export class ExchangeAudit {
  readonly #engine: Engine;
  readonly #world: ExchangeWorld;
  /** The promises by account. */
  readonly #promises: Promises[] = [];
  /** The sizes of the live orders, by slot, side and price. */
  readonly #sizes = new Map<number, number>();

  constructor(engine: Engine, world: ExchangeWorld) {
    this.#engine = engine;
    this.#world = world;
  }

  check(): void {
    this.#addOrders();
    let money = this.#engine.feesTaken as number;
    for (const account of this.#world.accounts) money += this.#checkAccount(account);
    for (const market of this.#world.slots) money += this.#checkMarket(market);
    same(money, this.#world.deposited, 'all money');
    same(this.#sizes.size, 0, 'levels that are not shown');
  }

  /** Checks a settled market before it is forgotten: everything must be paid out. */
  checkSettled(market: MarketId): void {
    same(this.#checkMarket(market), 0, 'pot of a settled market');
    for (const account of this.#world.accounts) {
      const { yes, no } = this.#engine.holding(account, market);
      same(yes + no, 0, 'shares of a settled market');
    }
  }

  #addOrders(): void {
    const { accounts, slots, live, ended } = this.#world;
    for (const account of accounts) this.#promises[account] = { cash: 0, shares: slots.flatMap(() => [0, 0]) };
    for (const order of live.values()) this.#addOrder(order);
    for (const order of ended) {
      const { status, resting, closing, reserved } = this.#checkOrder(order);
      same(resting + closing + reserved, 0, 'what is left of order', order.id);
      if (status === 'resting') throw new Error(`order ${order.id} still rests`);
    }
  }

  #addOrder(order: LiveOrder): void {
    const { places, slots } = this.#world;
    const { id, account, market, side, price, rest } = order;
    const view = this.#checkOrder(order);
    const { closing, reserved } = view;
    if (view.status !== 'resting' || view.resting !== rest || view.price !== price)
      throw new Error(`order ${id} is not so`);
    if (this.#world.isOver(order)) throw new Error(`order ${id} has expired`);
    if (closing < 0 || closing > rest) throw new Error(`order ${id} closes ${closing} of ${rest}`);
    const slot = slots.indexOf(market);
    const { spec } = places[slot]!;
    const opening = (rest - closing) as MicroShares;
    const need =
      opening === 0 ? 0 : mostFor(side, price, opening, spec.sizeStep) + spec.fees.maxCharge(price, opening, side);
    same(reserved, need, 'reserved for order', id);
    const promises = this.#promises[account]!;
    promises.cash += need;
    promises.shares[2 * slot + side]! += closing;
    const place = (2 * slot + side) * PRICES + price;
    const ahead = this.#sizes.get(place) ?? 0;
    same(this.#engine.queueAhead(id), ahead, 'queue ahead of order', id);
    this.#sizes.set(place, ahead + rest);
  }

  #checkOrder({ id, account, market, side, filled, cost, fees }: LiveOrder): OrderView {
    const view = this.#engine.order(id);
    if (view === undefined) throw new Error(`order ${id} is forgotten`);
    if (view.account !== account || view.market !== market || view.side !== side)
      throw new Error(`order ${id} is another`);
    if (view.filled !== filled || view.cost !== cost || view.fees !== fees) throw new Error(`fills of order ${id}`);
    return view;
  }

  #checkAccount(account: AccountId): number {
    const { cash, reserved } = this.#engine.account(account);
    if (!(cash >= 0)) throw new Error(`account ${account} has ${cash}`);
    same(reserved, this.#promises[account]!.cash, 'reserved by account', account);
    return cash + reserved;
  }

  #checkMarket(market: MarketId): number {
    const slot = this.#world.slots.indexOf(market);
    const pot = this.#engine.pot(market);
    let yes = 0;
    let no = 0;
    for (const account of this.#world.accounts) {
      const holding = this.#engine.holding(account, market);
      const { shares } = this.#promises[account]!;
      same(holding.yesReserved, shares[2 * slot + ASK]!, 'YES reserved by account', account);
      same(holding.noReserved, shares[2 * slot + BID]!, 'NO reserved by account', account);
      const [freeYes, freeNo] = [holding.yes - holding.yesReserved, holding.no - holding.noReserved];
      if (!(freeYes >= 0 && freeNo >= 0)) throw new Error(`account ${account} has promised what it has not`);
      if (freeYes > 0 && freeNo > 0 && this.#world.isNet(account)) throw new Error(`account ${account} holds pairs`);
      yes += holding.yes;
      no += holding.no;
    }
    same(yes, pot, 'YES of market', market);
    same(no, pot, 'NO of market', market);
    if (this.#engine.state(market) !== this.#world.stateOf(market)) throw new Error(`state of market ${market}`);
    this.#checkBook(market, slot);
    return pot;
  }

  #checkBook(market: MarketId, slot: number): void {
    const bid = this.#checkSide(market, slot, BID);
    const ask = this.#checkSide(market, slot, ASK);
    if (bid !== null && ask !== null && bid >= ask) throw new Error(`market ${market} is crossed: ${bid} / ${ask}`);
  }

  /** Checks one side of a book. Returns its best price. */
  #checkSide(market: MarketId, slot: number, side: Side): Ticks | null {
    const reported = this.#world.reported(market, side);
    let best: Ticks | null = null;
    let last: Ticks | null = null;
    let levels = 0;
    for (const { price, size } of this.#engine.levels(market, side)) {
      if (last !== null && (side === BID ? price >= last : price <= last)) throw new Error(`${price} behind ${last}`);
      const place = (2 * slot + side) * PRICES + price;
      same(size, this.#sizes.get(place) ?? 0, 'size of the orders at', price);
      same(reported.get(price) ?? 0, size, 'size in the events at', price);
      this.#sizes.delete(place);
      best ??= price;
      last = price;
      levels += 1;
    }
    same(this.#engine.best(market, side)?.price ?? 0, best ?? 0, 'best price of market', market);
    same(reported.size, levels, 'levels reported of market', market);
    return best;
  }
}

/** Returns the most that opening this size can cost. An ask pays in full for a part of a micro-dollar, at worst at each step of size. */
function mostFor(side: Side, price: Ticks, opening: MicroShares, step: MicroShares): number {
  if (side === BID) return yesCost(price, opening);
  const odd = opening % step;
  const steps = (opening - odd) / step;
  return steps * (step - yesCost(price, step)) + odd - yesCost(price, odd);
}
