// An amendment arrives at venue B after it was given up, behind another amendment of the same order. The venue has one order then, the late
// one. Both of ours had its id, so memory, journal and history each could find another one by it (simulation, seed 2 028 217).

import { expect, it } from 'vitest';
import { clientOrderIdOf } from '../../src/domain/actor-tag.ts';
import { limits } from '../../src/limits.ts';
import type { AmendOutcome } from '../../src/venues/venue.ts';
import { ABSENT, ACTOR, found, RESTS, Rig, shares, TIMEOUT, ticks } from '../orders/orders-rig.ts';

it('a late amendment takes the place of the one before it', async () => {
  const rig = new Rig('venue_b');
  const amended = { type: 'amended', venueOrderId: 'v-1', remaining: null, taken: shares(0) } as const;
  rig.venue.amendments = [TIMEOUT as AmendOutcome, amended];
  rig.venue.lookUps = [ABSENT, ABSENT, found('rests')];
  await rig.submit(RESTS);
  await rig.replace({ price: ticks(5_700) }, { idempotencyKey: 'late' });
  await rig.sweep(limits.absenceProvenMs + 1_000);
  expect(rig.order(rig.id('late'))).toMatchObject({ status: 'REJECTED' });
  await rig.replace({ price: ticks(5_800) }, { idempotencyKey: 'second' });
  rig.hear({ type: 'fill', fill: rig.fill('t-1', 2, { clientOrderId: clientOrderIdOf(rig.id('second'), ACTOR) }) });
  expect(rig.order(rig.id('second'))).toMatchObject({
    status: 'OPEN',
    venueOrderId: 'v-1',
    filled: { size: shares(2) },
  });

  rig.venue.lookUps = [found('rests'), found('gone')];
  rig.hear({ type: 'order', order: rig.venueOrder({ clientOrderId: clientOrderIdOf(rig.id('late'), ACTOR) }) });
  await rig.sweep();

  expect(rig.order(rig.id('second'))).toMatchObject({
    status: 'CANCELLED',
    cancelReason: 'REPLACED',
    replacedBy: rig.id('late'),
    venueOrderId: null,
  });
  expect(rig.order(rig.id('late'))).toMatchObject({
    status: 'CANCELLED',
    venueOrderId: 'v-1',
    request: { size: shares(8) },
    replaces: { orderId: rig.id('second'), before: { size: 0 } },
  });
  expect(rig.order()).toMatchObject({ replacedBy: rig.id('second') });
  expect(rig.store.orderOfVenue(rig.account, 'v-1')).toBe(rig.id('late'));
});

it('an id of another order, in the answer to an amendment, leaves that order as it is', async () => {
  const rig = new Rig('venue_b');
  await rig.submit({ ...RESTS, venueOrderId: 'v-2' }, { idempotencyKey: 'other' });
  await rig.submit(RESTS);
  rig.venue.amendments = [{ type: 'amended', venueOrderId: 'v-2', remaining: null, taken: shares(0) }];
  await rig.replace({ price: ticks(5_700) });
  expect(rig.order(rig.id('other'))).toMatchObject({ status: 'OPEN', venueOrderId: 'v-2', replacedBy: null });
  expect(rig.order()).toMatchObject({ status: 'CANCELLED', replacedBy: rig.id('new') });
});
