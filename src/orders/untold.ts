// What has been traded by the venue's word and is not booked yet: fills are told one by one, afterwards. Pure.

import type { Order } from '../domain/order.ts';
import { addressOf } from '../domain/order-lists.ts';
import type { OrderRequest } from '../domain/order-request.ts';
import { hasUntold, untoldOf } from '../domain/order-sums.ts';
import { limits } from '../limits.ts';
import type { OrderReads } from '../store/order-records.ts';
import { directionOf } from './direction.ts';

export const ENDED_AFTER_TRADING = ['FILLED', 'CANCELLED'] as const;

/**
 * What the actor's ended orders in the same direction have traded by the venue's word and not yet in fills. The latest are looked at, and
 * further back as long as one of them has such fills; null if that are too many to look at.
 */
export function untoldGrowth(reads: OrderReads, actorId: string, request: OrderRequest): number | null {
  const rowsMax = limits.endedOrdersPerLook;
  const query = { actorId, venue: request.venue, address: addressOf(request), rowsMax } as const;
  let growth = 0;
  for (const status of ENDED_AFTER_TRADING) {
    let after: Order | null = null;
    for (let looked = 0; ; looked += rowsMax) {
      if (looked >= limits.restingOrdersMax) return null;
      const orders: readonly Order[] = reads.orders({ ...query, status, after });
      const untold = orders.filter(hasUntold);
      for (const order of untold) if (directionOf(order.request) === directionOf(request)) growth += untoldOf(order);
      if (untold.length === 0 || orders.length < rowsMax) break;
      after = orders.at(-1)!;
    }
  }
  return growth;
}
