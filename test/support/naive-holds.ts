// Naive twin of the running sums of an actor's orders in one market: it adds up what each order may still do.

import type { StoredOrder } from '../../src/core/store/order-records.ts';

const OPEN: readonly string[] = ['PENDING', 'SUBMITTED', 'OPEN'];
const RESTS: readonly string[] = ['GTC', 'GTD'];
/** A smaller remainder of venue A's sum is its rounding. */
const [ROUNDING, UNREPORTED_MIN] = [10_000n, 100_000n];

interface NaiveHolds {
  /** What is added to the position, what is taken from it, and what is bought without a fill. */
  readonly sums: readonly [number, number, number];
  /** Open orders that cannot rest. */
  readonly passing: readonly StoredOrder[];
}

export function naiveHolds(orders: readonly StoredOrder[]): NaiveHolds {
  let [up, down, bought] = [0n, 0n, 0n];
  const passing: StoredOrder[] = [];
  for (const stored of orders) {
    const { request, status, filled, stated } = stored.order;
    const isOpen = OPEN.includes(status);
    const isUp =
      request.venue === 'venue_a' ? request.side === 'BUY' : (request.side === 'YES') === (request.action === 'BUY');
    const got = BigInt(filled.size);
    const more = stated === null ? 0n : BigInt(stated.size) - got;
    const isRounding = request.venue === 'venue_a' && got > 0n && more < ROUNDING;
    const unreported = more > 0n && !isRounding ? more : 0n;
    const counts = isOpen || unreported >= UNREPORTED_MIN;
    const left = 'dollars' in request ? 0n : BigInt(request.size) - got;
    const grows = isOpen ? (left > 0n ? left : 0n) : counts ? unreported : 0n;
    if (isUp) up += grows;
    else down += grows;
    if (isUp && counts) bought += unreported;
    if (isOpen && !RESTS.includes(request.timeInForce)) passing.push(stored);
  }
  return { sums: [Number(up), Number(down), Number(bought)], passing };
}
