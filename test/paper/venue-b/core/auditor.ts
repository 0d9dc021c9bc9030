// An auditor that believes only the events for observers. It checks that the exchange's reads, books and balances agree with these events.

import { ASK, BID, type Level } from '../../../../src/core/domain/market.ts';
import { complementTicks, type MicroDollars, type MicroShares } from '../../../../src/core/domain/numbers.ts';
import { assert } from '../../../../src/core/domain/result.ts';
import { yesCost } from '../../../../src/paper/engine/engine-types.ts';
import type { VenueBExchange } from '../../../../src/paper/venue-b/exchange.ts';
import type { VenueBMarket } from '../../../../src/paper/venue-b/market.ts';
import type { FillRecord, OrderRecord, Owner, VenueBEvent } from '../../../../src/paper/venue-b/records.ts';

interface Reported {
  filled: number;
  fees: number;
  last: OrderRecord | null;
}

export class Auditor {
  readonly #exchange: VenueBExchange;
  readonly #levels = new Map<VenueBMarket, Map<string, Level>>();
  readonly #orders = new Map<string, Reported>();
  readonly #positions = new Map<string, number>();
  /** The dollars that each owner has paid for fills, minus the dollars that closed pairs returned. */
  readonly #spent = new Map<string, number>();
  #fees = 0;
  /** The markets of the current request. */
  readonly #touched = new Set<string>();

  constructor(exchange: VenueBExchange) {
    this.#exchange = exchange;
    exchange.observe(event => this.#hear(event));
  }

  get feesMicros(): MicroDollars {
    return this.#fees as MicroDollars;
  }

  /** Checks the exchange; to be called between requests. */
  check(owners: readonly Owner[]): void {
    this.#touched.clear();
    this.#checkBooks();
    for (const owner of owners) this.#checkOwner(owner);
  }

  /** Checks the money of an owner whose orders have all ended and whose positions are settled or counted. */
  checkMoney(owner: Owner, deposited: MicroDollars): void {
    const reads = this.#exchange.reads(0);
    let balance: number = deposited;
    for (const { realizedPnl, exposure, fees } of reads.positions(owner)) balance += realizedPnl - exposure - fees;
    assert(reads.balance(owner).available === balance, 'profit and balance disagree');
    const settled = [...reads.settlements(owner)].reduce((sum, { revenue }) => sum + revenue, 0);
    assert(balance === deposited - (this.#spent.get(keyOf(owner)) ?? 0) + settled, 'fills and balance disagree');
  }

  #hear(event: VenueBEvent): void {
    // Levels come last in a request. An event after them belongs to another request, such as the cancel of an order group.
    if (event.type !== 'level') this.#touched.clear();
    if (event.type === 'fill') this.#filled(event.fill);
    else if (event.type === 'order') this.#reported(event.order.orderId).last = event.order;
    else if (event.type === 'level') {
      const levels = this.#levels.get(event.market) ?? new Map<string, Level>();
      this.#levels.set(event.market, levels);
      const { side, price, size, change } = event;
      const key = `${side} ${price}`;
      assert(size === (levels.get(key)?.size ?? 0) + change && change !== 0, 'a level has changed otherwise');
      const once = `${event.market.ticker} ${key}`;
      assert(!this.#touched.has(once), 'a level is reported twice');
      this.#touched.add(once);
      if (size === 0) levels.delete(key);
      else levels.set(key, { price, size });
    }
  }

  #filled({ orderId, owner, side, trade, fee, positionAfter }: FillRecord): void {
    const reported = this.#reported(orderId);
    reported.filled += trade.size;
    reported.fees += fee;
    this.#fees += fee;
    const place = `${keyOf(owner)} ${trade.market.ticker}`;
    const before = this.#positions.get(place) ?? 0;
    const after = before + (side === BID ? trade.size : -trade.size);
    this.#positions.set(place, after);
    assert(after === positionAfter, 'a fill says another position');
    const paid = yesCost(side === BID ? trade.price : complementTicks(trade.price), trade.size);
    const isClosing = Math.sign(before) === (side === BID ? -1 : 1);
    const back = isClosing ? Math.min(Math.abs(before), trade.size) : 0;
    this.#spent.set(keyOf(owner), (this.#spent.get(keyOf(owner)) ?? 0) + paid + fee - back);
  }

  #checkBooks(): void {
    for (const market of this.#exchange.markets.values()) {
      const reported = this.#levels.get(market) ?? new Map<string, Level>();
      let count = 0;
      for (const side of [BID, ASK] as const) {
        for (const { price, size } of market.levels(side)) {
          assert(reported.get(`${side} ${price}`)?.size === size, `a level of ${market.ticker} is not as reported`);
          count += 1;
        }
      }
      assert(count === reported.size, `${market.ticker} has other levels than reported`);
      const [bid, ask] = [market.bestBid, market.bestAsk];
      assert(bid === null || ask === null || bid.price < ask.price, `the book of ${market.ticker} is crossed`);
    }
  }

  #checkOwner(owner: Owner): void {
    const reads = this.#exchange.reads(0);
    const resting: OrderRecord[] = [];
    for (const order of reads.orders(owner)) {
      const { filled, fees, last } = this.#reported(order.orderId);
      assert(last === order, 'the last report of an order is not what is read');
      assert(order.filled === filled && order.takerFees + order.makerFees === fees, 'fills and order disagree');
      const isDone = order.status !== 'resting';
      assert(isDone ? order.remaining === 0 : order.filled + order.remaining > 0, 'an order does not add up');
      assert(order.status !== 'executed' || order.filled > 0, 'an order is executed without a fill');
      if (!isDone) resting.push(order);
    }
    const listed = [...reads.restingOrders(owner)];
    assert(listed.length === resting.length && listed.every((order, at) => order === resting[at]), 'resting orders');
    for (const { market, position, isSettled } of reads.positions(owner)) {
      const reported = this.#positions.get(`${keyOf(owner)} ${market.ticker}`) ?? 0;
      assert(position === ((isSettled ? 0 : reported) as MicroShares), 'fills and position disagree');
    }
  }

  #reported(orderId: string): Reported {
    const reported = this.#orders.get(orderId) ?? { filled: 0, fees: 0, last: null };
    this.#orders.set(orderId, reported);
    return reported;
  }
}

function keyOf({ userId, subaccount }: Owner): string {
  return `${userId}/${subaccount}`;
}
