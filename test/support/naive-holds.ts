// The naive twin of the running sums of an actor's orders in one market. It adds up what each order may still trade.

import type { OrderRequest } from '../../src/core/domain/order-request.ts';
import type { StoredOrder } from '../../src/core/store/order-records.ts';

const OPEN: readonly string[] = ['PENDING', 'SUBMITTED', 'OPEN'];
const RESTS: readonly string[] = ['GTC', 'GTD'];
/** The bounds of unreported fills at venue A. A remainder of its sum below ROUNDING comes from its rounding. Venue B rounds nothing. */
const [ROUNDING, UNREPORTED_MIN] = [10_000n, 100_000n];

interface NaiveHolds {
  /** The sizes added to the position, taken from the position, and bought without a fill. */
  readonly sums: readonly [number, number, number];
  /** The most that the orders of each direction may cost, in micro-dollars. */
  readonly costs: readonly [number, number];
  /** The open orders that cannot rest. */
  readonly passing: readonly StoredOrder[];
}

export function naiveHolds(orders: readonly StoredOrder[]): NaiveHolds {
  let [up, down, bought] = [0n, 0n, 0n];
  let [upCost, downCost] = [0n, 0n];
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
    const counts = isOpen || unreported >= (request.venue === 'venue_b' ? 1n : UNREPORTED_MIN);
    const left = 'dollars' in request ? 0n : BigInt(request.size) - got;
    const grows = isOpen ? (left > 0n ? left : 0n) : counts ? unreported : 0n;
    if (isUp) up += grows;
    else down += grows;
    const cost = 'dollars' in request ? dollarsLeft(stored, counts) : 0n;
    const whole = 'dollars' in request ? cost : (grows * unitCost(request) + 9_999n) / 10_000n;
    if (isUp) upCost += whole;
    else downCost += whole;
    if (isUp && counts) bought += unreported;
    if (isOpen && !RESTS.includes(request.timeInForce)) passing.push(stored);
  }
  return { sums: [Number(up), Number(down), Number(bought)], costs: [Number(upCost), Number(downCost)], passing };
}

function dollarsLeft({ order: { request, filled } }: StoredOrder, counts: boolean): bigint {
  const left = 'dollars' in request ? BigInt(request.dollars) - filled.cost / 10_000n : 0n;
  return counts && left > 0n ? left : 0n;
}

/** Returns the cost of one share. A sale at 0.4 loses 0.6 if the market pays; a sale without a price may lose the whole payout. */
function unitCost(request: OrderRequest): bigint {
  const price = 'price' in request ? request.price : request.worstPrice;
  const isSale = request.venue === 'venue_a' ? request.side === 'SELL' : request.action === 'SELL';
  return price === null ? 10_000n : BigInt(isSale ? 10_000 - price : price);
}
