// Found by review: cancel-all cancelled orders of unknown outcome first, ten at a time, each until its time was up. Orders that rested had
// their turn last: after a short hang of a venue, the orders that could trade went on trading for seconds.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { cancelAll as cancelAllOrders } from '../../src/orders/cancel-all.ts';
import { ABSENT, ACTOR, RESTS, Rig, TIMEOUT } from '../orders/orders-rig.ts';

const cancelAll = async (...asked: Parameters<typeof cancelAllOrders>) => (await cancelAllOrders(...asked)).results;

it('a cancel of all begins with the orders that rest', async () => {
  const rig = new Rig();
  await rig.submit(RESTS, { idempotencyKey: 'rests' });
  for (let index = 0; index < limits.cancelsInFlightMax; index += 1) {
    rig.timers.advance(1);
    await rig.submit(TIMEOUT, { idempotencyKey: `unknown ${index}` });
  }
  rig.venue.lookUps = [{ ...ABSENT, isCurrent: false }];
  const meant = { actorId: ACTOR, venue: 'venue_b', address: null, keyId: null } as const;
  const results = cancelAll(rig, rig.venue, meant, rig.deadline());
  await rig.timers.settle();
  expect(rig.order(rig.id('rests')).status).toBe('CANCELLED');
  await rig.pass(limits.venueAnswerTimeoutMs);
  expect((await results).map(({ outcome }) => outcome)).toEqual([
    'CANCELLED',
    ...Array.from({ length: limits.cancelsInFlightMax }, () => 'RECONCILE'),
  ]);
});
