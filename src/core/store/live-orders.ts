// The orders that the engine keeps in memory: all that may change or count without being named. Pure.

import { limits } from '../../limits.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { isTerminal, leftNoTrace, type Order } from '../domain/order.ts';
import { hasUnreported } from '../domain/order-sums.ts';
import type { StoredOrder } from './order-records.ts';

/**
 * False: it may be evicted once the history has it on disk, since it can only change by name. An ended order stays while it may
 * still get fills, and a given-up one while an orphan fill may be its own. `accountFirstReadMs` bounds both: later readings of an
 * account look no further back unless the gateway was down for longer.
 */
export function staysInMemory({ order }: StoredOrder, now: UnixMillis): boolean {
  if (!isTerminal(order.status)) return true;
  const isLate = order.closedAt === null || order.closedAt <= now - limits.accountFirstReadMs;
  return !isLate && mayFillYet(order);
}

/** Open, or ended and may still get fills. */
export function isAtWork({ order }: StoredOrder): boolean {
  return !isTerminal(order.status) || mayFillYet(order);
}

/** Whether an order has ended and may still get fills. */
export function mayFillYet(order: Order): boolean {
  return isTerminal(order.status) && (hasUnreported(order) || leftNoTrace(order));
}
