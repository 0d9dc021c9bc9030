// Cash that in-flight orders will take and that the venue still shows as available: the orders do not rest yet, so the venue holds
// nothing back for them. Pure.

import { COST_PER_MICRO_DOLLAR, type MicroDollars, type MicroShares } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import { addressOf } from '../domain/order-lists.ts';
import { traded } from '../domain/order-sums.ts';
import type { Account, LiveReads } from '../store/order-records.ts';
import { directionOf } from './direction.ts';
import { costOf, worstPrice } from './worst-cost.ts';

/** Without fees. An order that the venue has but has not reported yet counts twice: here and in the venue's figure. */
export function inFlightDebits(reads: Pick<LiveReads, 'unclearOrders' | 'position'>, account: Account): MicroDollars {
  let sum = 0;
  for (const { order } of reads.unclearOrders(account)) if (order.status !== 'OPEN') sum += debitOf(reads, order);
  return sum as MicroDollars;
}

function debitOf(reads: Pick<LiveReads, 'position'>, order: Order): number {
  const { request, actorId } = order;
  const { size: filled, cost: spent } = traded(order);
  if ('dollars' in request) return Math.max(0, request.dollars - Number(spent / COST_PER_MICRO_DOLLAR));
  const isSaleOfTokens = request.venue === 'venue_a' && request.side === 'SELL';
  if (isSaleOfTokens) return 0;
  const held = reads.position(actorId, request.venue, addressOf(request))?.size ?? 0;
  // Closing a holding costs nothing; at venue A a purchase closes none.
  const closes = Math.max(0, -directionOf(request) * held);
  return costOf(Math.max(0, request.size - filled - closes) as MicroShares, worstPrice(request));
}
