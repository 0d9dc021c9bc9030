// At venue A an order is replaced by a cancel and a new order. A trade of the old one failed in between, so that more was left than when its
// actor's limits were checked. The new order was sent with a cost past `notionalMax` (simulation, seed 8 040 494).

import { expect, it } from 'vitest';
import { NO_LIMITS } from '../../src/domain/identity.ts';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { found, RESTS, Rig, shares } from '../orders/orders-rig.ts';

it.each([
  ['is not sent', 6_719_999, ['cancel', 'lookUp'], 'REJECTED'],
  ['is sent within the limit', 6_720_000, ['cancel', 'lookUp', 'submit SUBMITTED'], 'OPEN'],
] as const)('a new order whose size has grown since its check %s', async (_what, notionalMax, calls, status) => {
  const rig = new Rig('venue_a');
  await rig.submit(RESTS);
  const trade = rig.fill('t-1', 3);
  rig.hear({ type: 'fill', fill: trade });
  rig.venue.calls.length = 0;
  rig.venue.lookUps = [found('gone', [{ ...trade, settlement: 'FAILED' }])];
  rig.venue.submits = [{ ...RESTS, venueOrderId: `digest-${rig.id('new')}` }];
  const limits = { ...NO_LIMITS, notionalMax: notionalMax as MicroDollars };
  const answer = await rig.replace({ total: shares(12) }, { limits });
  expect(rig.venue.calls).toEqual(calls);
  const [old, order] = [rig.order(), rig.order(rig.id('new'))];
  expect([old.status, order.status]).toEqual(['CANCELLED', status]);
  if (status === 'REJECTED') expect(answer).toMatchObject({ kind: 'invalid', message: order.error?.message });
  if (status === 'REJECTED') expect(order.error).toMatchObject({ code: 'INVALID_ORDER', message: /notionalMax/ });
});
