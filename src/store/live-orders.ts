// Which orders the engine keeps in memory: all that may change, or count, without being named. Pure.

import type { UnixMillis } from '../domain/numbers.ts';
import { isTerminal, leftNoTrace, type Order } from '../domain/order.ts';
import { hasUnreported } from '../domain/order-sums.ts';
import { limits } from '../limits.ts';
import type { StoredOrder } from './order-records.ts';

/**
 * False: it may leave memory as soon as the history has it on disk, since only its name brings it back to life. An order that has ended
 * stays while fills of it are yet to be told, and while a fill may turn up though the venue showed no trace of it. Both are bounded by
 * `accountFirstReadMs`: no reading of an account that was read before looks further back, unless the gateway was down for longer.
 */
export function staysInMemory({ order }: StoredOrder, now: UnixMillis): boolean {
  if (!isTerminal(order.status)) return true;
  const isLate = order.closedAt === null || order.closedAt <= now - limits.accountFirstReadMs;
  return !isLate && mayFillYet(order);
}

/** It has ended, and fills of it may be told yet. */
export function mayFillYet(order: Order): boolean {
  return isTerminal(order.status) && (hasUnreported(order) || leftNoTrace(order));
}
