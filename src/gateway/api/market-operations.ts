// GET /v1/markets (contract §6): answered by an order worker from the catalog's shared memory, so that neither this thread nor that
// of the catalog is kept. Main thread.

import type { Snapshot } from '../../catalog/snapshot-writer.ts';
import { VENUES, type Venue } from '../../domain/market.ts';
import { ok } from '../../domain/result.ts';
import type { OrderHandler } from './operation.ts';
import { callerOf } from './order-operations.ts';

export interface MarketHandlerParts {
  /** What is known now; null: nothing yet. */
  readonly catalog: () => Snapshot | null;
  /** Whether orders can be placed there now. */
  readonly isTradable: (podId: string, venue: Venue) => boolean;
}

export function marketHandlers({ catalog, isTradable }: MarketHandlerParts): Readonly<Record<string, OrderHandler>> {
  return {
    listMarkets: ({ key, query, request }) =>
      ok({
        name: 'markets',
        caller: callerOf(key),
        path: request.path,
        query,
        catalog: catalog(),
        tradable: VENUES.filter(venue => isTradable(key.podId, venue)),
      }),
  };
}
