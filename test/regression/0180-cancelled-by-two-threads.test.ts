// Found by simulation: while a cancel-all runs, the gateway's own retries make the same cancels after a second. Orders that those had
// cancelled were NOT_CANCELLABLE in the answer, which says that they were filled.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { cancelAll as cancelAllOrders } from '../../src/orders/cancel-all.ts';
import type { CancelOutcome } from '../../src/venues/venue.ts';
import { ACTOR, RESTS, Rig } from '../orders/orders-rig.ts';

const cancelAll = async (...asked: Parameters<typeof cancelAllOrders>) => (await cancelAllOrders(...asked)).results;

it('an order that another thread has cancelled is answered as cancelled', async () => {
  const rig = new Rig();
  const count = limits.cancelsInFlightMax + 1;
  for (let number = 0; number < count; number += 1) {
    rig.timers.advance(1);
    await rig.submit({ ...RESTS, venueOrderId: `v-${number}` }, { idempotencyKey: `${number}` });
  }
  const slow = Promise.withResolvers<CancelOutcome>();
  rig.venue.cancels = [slow.promise];
  const meant = { actorId: ACTOR, venue: 'venue_b', address: null, keyId: null } as const;
  const results = cancelAll(rig, rig.venue, meant, rig.deadline());
  await rig.timers.settle();
  // The oldest comes last.
  rig.venue.cancels = [{ type: 'cancelled' }];
  rig.executions.cancelNow(rig.account, [rig.id('0')]);
  await rig.timers.settle();
  expect(rig.order(rig.id('0')).status).toBe('CANCELLED');
  slow.resolve({ type: 'cancelled' });
  expect((await results).map(({ outcome }) => outcome)).toEqual(Array.from({ length: count }, () => 'CANCELLED'));
});
