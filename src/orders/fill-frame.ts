// A fill as its order has it, and as it moves the account's position; and which of two words about its settlement is the later one.
// Pure.

import type { Fill, Settlement } from '../domain/fill.ts';
import type { MicroDollars, MicroShares, Ticks } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import { priceInFrame } from '../domain/order-frame.ts';
import { addressOf } from '../domain/order-lists.ts';
import type { FillAmounts } from '../domain/order-sums.ts';
import type { VenueFill } from '../venues/venue.ts';
import { directionOf } from './direction.ts';

/** What a fill does to a position. */
export interface Movement {
  readonly address: string;
  readonly positionChange: MicroShares;
  readonly addressPrice: Ticks;
  readonly fee: MicroDollars;
}

/** Of a fill that nothing was counted of. */
export const NO_AMOUNTS: FillAmounts = { size: 0 as MicroShares, price: 0 as Ticks, fee: 0 as MicroDollars };

/** In the frame of its order; of nobody's order as the venue has it. */
export function fillFor(order: Order | null, venueFill: VenueFill): Fill {
  const { fillId, venueTradeId, size, fee, liquidity, settlement, executedAt, addressPrice } = venueFill;
  const price = order === null ? addressPrice : priceInFrame(order.request, addressPrice);
  return { fillId, venueTradeId, price, size, fee, liquidity, settlement, executedAt };
}

/** The same from the order's side. */
export function movementOf({ request }: Order, { price, size, fee }: Fill): Movement {
  return {
    address: addressOf(request),
    positionChange: (directionOf(request) * size) as MicroShares,
    addressPrice: priceInFrame(request, price),
    fee,
  };
}

/** A fill of nobody's that is told once more, with the amounts that it was told with first: they have been booked. */
export function asBooked(told: VenueFill, { size, price, fee }: Fill): VenueFill {
  const positionChange = (Math.sign(told.positionChange) * size) as MicroShares;
  return { ...told, size, fee, positionChange, addressPrice: price };
}

/** Whether an order can have made a trade: it is of its market, and the way that it wanted. */
export function isOf({ request }: Order, { address, positionChange }: VenueFill): boolean {
  return address === addressOf(request) && Math.sign(positionChange) === directionOf(request);
}

/** How far on its way a trade is; what is told twice or late does not bring it back. */
const PROGRESS: Readonly<Record<Settlement, number>> = { MATCHED: 0, RETRYING: 1, MINED: 2, CONFIRMED: 3, FAILED: 3 };

export function advances(from: Settlement, to: Settlement): boolean {
  return PROGRESS[to] > PROGRESS[from];
}
