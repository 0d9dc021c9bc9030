// Matches an order with the book: price-time priority, fills at the resting order's price, self-trade prevention. Also ends
// orders early, which a match may cause.

import { ASK, BID, type Side } from '../../core/domain/market.ts';
import type { MicroShares } from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { Accounts } from './accounts.ts';
import type { CancelReason, EngineEvent } from './engine-types.ts';
import type { Order } from './order.ts';
import type { OrderTable } from './order-table.ts';
import type { RestingOrders } from './resting-orders.ts';

interface MatchingParts {
  readonly accounts: Accounts;
  readonly orders: OrderTable;
  readonly resting: RestingOrders;
  readonly emit: (event: EngineEvent) => void;
}

export class Matching {
  readonly #parts: MatchingParts;

  constructor(parts: MatchingParts) {
    this.#parts = parts;
  }

  /** Fills an order outside the book as far as its limit allows. Returns the filled size; the caller handles the rest. */
  match(taker: Order): MicroShares {
    const other = otherSide(taker.side);
    const { book } = taker.market;
    const before = taker.filled;
    while (taker.resting > 0) {
      const maker = book.firstToMeet(other, taker.price);
      if (maker === null) break;
      if (maker.account !== taker.account || taker.selfTrade === 'allow') this.#fill(taker, maker);
      else if (taker.selfTrade === 'maker') this.end(maker, 'self-trade');
      else if (taker.selfTrade === 'taker') this.end(taker, 'self-trade');
      else unreachable(taker.selfTrade);
    }
    return (taker.filled - before) as MicroShares;
  }

  /** Cancels the rest of an order, inside or outside the book. Returns its size. */
  end(order: Order, reason: CancelReason): MicroShares {
    const { accounts, orders, resting, emit } = this.#parts;
    const size = order.resting;
    if (order.level !== null) resting.leave(order);
    order.resting = 0 as MicroShares;
    order.status = 'cancelled';
    accounts.release(order);
    accounts.redeemNet(order);
    orders.end(order);
    emit({ type: 'cancelled', order: order.id, size, reason });
    return size;
  }

  #fill(taker: Order, maker: Order): void {
    const { accounts, resting, emit } = this.#parts;
    const { price } = maker;
    const size = Math.min(taker.resting, maker.resting) as MicroShares;
    resting.lessen(maker, size);
    const { cost, takerFee, makerFee, minted } = accounts.trade(taker, maker, price, size);
    taker.addFill('taker', size, cost, takerFee);
    maker.addFill('maker', size, cost, makerFee);
    if (maker.resting === 0) {
      resting.leave(maker);
      this.#filled(maker);
    }
    if (taker.resting === 0) this.#filled(taker);
    const { market, side: takerSide } = taker;
    emit({
      type: 'fill',
      market: market.id,
      taker: taker.id,
      maker: maker.id,
      takerSide,
      price,
      size,
      takerFee,
      makerFee,
      minted,
    });
  }

  #filled(order: Order): void {
    order.status = 'filled';
    this.#parts.orders.end(order);
  }
}

export function otherSide(side: Side): Side {
  return side === BID ? ASK : BID;
}
