// What the stream's orders channel asks for, from what trades. Main thread.

import { VENUES } from '../domain/market.ts';
import { limits } from '../limits.ts';
import { monotonicUs } from '../runtime/clock.ts';
import type { Trading } from '../threads/trading.ts';
import type { OrderFeed } from './stream/order-feed.ts';

export function orderFeedOf(trading: Trading): OrderFeed {
  const { orders, pool } = trading;
  return {
    events: (actorId, after, rowsMax) => orders.events(actorId, after, rowsMax),
    lastCursor: actorId => orders.lastCursor(actorId),
    openOrders: actorId =>
      VENUES.flatMap(venue =>
        (['PENDING', 'SUBMITTED', 'OPEN'] as const).flatMap(status =>
          orders.orders({ actorId, venue, address: null, status, after: null, rowsMax: limits.openOrdersShownMax }),
        ),
      ),
    listen: hear => trading.listen(hear),
    cancelAllOf: (keyId, actorId, podId) => {
      const caller = { keyId, actorId, podId };
      for (const venue of VENUES) {
        void pool.operate({ name: 'cancel-all', venue, caller, address: null, keyId }, null, monotonicUs());
      }
    },
  };
}
