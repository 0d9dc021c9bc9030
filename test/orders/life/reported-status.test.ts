// Messages of the actor's private stream about an order, beside its fills: each change, once.

import { expect, it } from 'vitest';
import { NOTHING_FILLED } from '../../../src/core/domain/order-sums.ts';
import { RESTS, Rig, shares, TIMEOUT, TOKEN_SELL } from './orders-rig.ts';

const reported = (rig: Rig) =>
  rig.reported.map(({ event, order }) => [event, order.status, order.venueOrderId, order.stated?.size ?? null]);

it('an actor hears a new sum of its order once, though the order rests as before', async () => {
  const rig = await Rig.submitted(RESTS);
  const stated = { ...NOTHING_FILLED, size: shares(4), cost: 5_600n * BigInt(shares(4)) };
  for (let times = 0; times < 2; times += 1) rig.hear({ type: 'order', order: rig.venueOrder({ stated }) });
  expect(reported(rig)).toEqual([
    ['STATUS', 'OPEN', 'v-1', null],
    ['STATUS', 'OPEN', 'v-1', shares(4)],
  ]);
});

it('an actor hears the venue’s id of its order once, though the order is held back', async () => {
  const rig = await Rig.submitted(TIMEOUT, 'venue_a');
  const venueOrderId = `digest-${rig.id()}`;
  const order = rig.venueOrder({ venueOrderId, clientOrderId: null, address: TOKEN_SELL.tokenId, state: 'delayed' });
  for (let times = 0; times < 2; times += 1) rig.hear({ type: 'order', order });
  expect(reported(rig)).toEqual([['STATUS', 'SUBMITTED', venueOrderId, null]]);
});

it('a fill shows that the venue has its order, though the order is not recorded as sent', async () => {
  const rig = await Rig.submitted(TIMEOUT);
  const { sentAt: _sentAt, ...order } = rig.order();
  rig.store.change(to => to.putOrder({ ...rig.stored(), order: { ...order, status: 'PENDING', sentAt: null } }));
  rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
  const sentAt = rig.timers.now();
  expect(rig.order()).toMatchObject({ status: 'OPEN', sentAt, venueOrderId: 'v-1', filled: { size: shares(4) } });
});
