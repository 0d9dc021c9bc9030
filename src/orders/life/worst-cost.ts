// The worst cost of an order at its limit, and the cash that orders in flight will take. Pure.

import { costOf } from '../../core/domain/hold-cost.ts';
import {
  COST_PER_MICRO_DOLLAR,
  complementTicks,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
} from '../../core/domain/numbers.ts';
import type { Order, OrderId } from '../../core/domain/order.ts';
import { addressOf, directionOf } from '../../core/domain/order-frame.ts';
import type { OrderRequest } from '../../core/domain/order-request.ts';
import { traded } from '../../core/domain/order-sums.ts';
import type { Account, LiveReads } from '../../core/store/order-records.ts';

/** Returns the worst price per unit. At venue B a sale is a purchase of the other side. An order without a price may meet any price. */
export function worstPrice(request: OrderRequest): Ticks {
  if (!('price' in request)) return TICKS_PER_DOLLAR as Ticks;
  const isOtherSide = request.venue === 'venue_b' && request.action === 'SELL';
  return isOtherSide ? complementTicks(request.price) : request.price;
}

/**
 * Returns the cash that orders in flight will take, without fees, but that the venue still shows as available. `counted` are orders for
 * which the venue holds money back already.
 */
export function inFlightDebits(
  reads: Pick<LiveReads, 'unclearOrders' | 'position'>,
  account: Account,
  counted: ReadonlySet<OrderId | null>,
): MicroDollars {
  let sum = 0;
  for (const { order } of reads.unclearOrders(account)) {
    if (order.status !== 'OPEN' && !counted.has(order.orderId)) sum += debitOf(reads, order);
  }
  return sum as MicroDollars;
}

function debitOf(reads: Pick<LiveReads, 'position'>, order: Order): number {
  const { request, actorId } = order;
  const { size: filled, cost: spent } = traded(order);
  if ('dollars' in request) return Math.max(0, request.dollars - Number(spent / COST_PER_MICRO_DOLLAR));
  const isSaleOfTokens = request.venue === 'venue_a' && request.side === 'SELL';
  if (isSaleOfTokens) return 0;
  const held = reads.position(actorId, request.venue, addressOf(request))?.size ?? 0;
  // Closing a holding costs nothing. At venue A a purchase closes no holding.
  const closes = Math.max(0, -directionOf(request) * held);
  return costOf(Math.max(0, request.size - filled - closes) as MicroShares, worstPrice(request));
}
