// Converts a fill to the frame of its order, computes its effect on the account's position, and compares settlement states. Pure.

import type { Fill, Settlement } from '../../core/domain/fill.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../core/domain/numbers.ts';
import type { Order } from '../../core/domain/order.ts';
import { addressOf, directionOf, priceInFrame } from '../../core/domain/order-frame.ts';
import type { FillAmounts } from '../../core/domain/order-sums.ts';
import type { VenueFill } from '../../venues/venue.ts';

/** The effect of a fill on a position. */
export interface Movement {
  readonly address: string;
  readonly positionChange: MicroShares;
  readonly addressPrice: Ticks;
  readonly fee: MicroDollars;
}

/** The amounts of a fill that was not counted. */
export const NO_AMOUNTS: FillAmounts = { size: 0 as MicroShares, price: 0 as Ticks, fee: 0 as MicroDollars };

/** Returns the fill in the frame of its order. A fill without an order stays in the venue's frame. */
export function fillFor(order: Order | null, venueFill: VenueFill): Fill {
  const { fillId, venueTradeId, size, fee, liquidity, settlement, executedAt, addressPrice } = venueFill;
  const price = order === null ? addressPrice : priceInFrame(order.request, addressPrice);
  return { fillId, venueTradeId, price, size, fee, liquidity, settlement, executedAt };
}

/** Returns the effect of an order's fill on the position. */
export function movementOf({ request }: Order, { price, size, fee }: Fill): Movement {
  return {
    address: addressOf(request),
    positionChange: (directionOf(request) * size) as MicroShares,
    addressPrice: priceInFrame(request, price),
    fee,
  };
}

/** Returns a repeated report of an orphan fill with the amounts of its first report, because those are booked. */
export function withBookedAmounts(report: VenueFill, { size, price, fee }: Fill): VenueFill {
  const positionChange = (Math.sign(report.positionChange) * size) as MicroShares;
  return { ...report, size, fee, positionChange, addressPrice: price };
}

/** Whether the order can have made the trade: both have the same market and the same direction. */
export function isTradeOf({ request }: Order, { address, positionChange }: VenueFill): boolean {
  return address === addressOf(request) && Math.sign(positionChange) === directionOf(request);
}

/** How far a trade has settled, by state. Repeated or late reports never move a trade back. */
const PROGRESS: Readonly<Record<Settlement, number>> = { MATCHED: 0, RETRYING: 1, MINED: 2, CONFIRMED: 3, FAILED: 3 };

export function isAdvance(from: Settlement, to: Settlement): boolean {
  return PROGRESS[to] > PROGRESS[from];
}
