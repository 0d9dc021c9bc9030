// Found by review: an order that seemed unsent, but rests at its venue, was CANCELLED at once, and its retry was answered so. The cancel
// itself came later and might take any time. Meanwhile the order rested, and could be filled.

import { beforeEach, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { submit } from '../../src/orders/submit.ts';
import { found, NOT_SENT, Rig } from '../orders/orders-rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = new Rig();
  rig.venue.cancels = [{ type: 'unknown', message: 'no answer' }];
  rig.venue.lookUps = [found('rests')];
  expect(await rig.submit(NOT_SENT)).toMatchObject({ kind: 'unavailable' });
  rig.reported.length = 0;
  rig.hear({ type: 'order', order: rig.venueOrder() });
  await rig.pass(20_000);
});

const retry = () => submit(rig.parts, rig.submission());
const tellings = () => rig.reported.map(({ order: { status } }) => status);

it('the cancel is not reported while the order rests', async () => {
  expect([rig.order().status, tellings()]).toEqual(['REJECTED', []]);
  expect(await retry()).toMatchObject({ kind: 'unknownOutcome', orderId: rig.id(), isReplayed: false });
});

it('the cancel is reported when the venue has confirmed it', async () => {
  rig.venue.cancels = [{ type: 'cancelled' }];
  rig.venue.lookUps = [found('gone')];
  await rig.sweep(limits.lookPauseMsMax);
  expect([rig.order().status, tellings()]).toEqual(['CANCELLED', ['CANCELLED']]);
  expect(await retry()).toMatchObject({ type: 'made', status: 'CANCELLED', isReplayed: true });
});

it('the cancel is not reported if the order is filled first', async () => {
  rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
  expect([rig.order().status, tellings()]).toEqual(['FILLED', ['FILLED']]);
  expect(await retry()).toMatchObject({ type: 'made', status: 'FILLED' });
});

it('the next process does not report the cancel, and makes it', async () => {
  const next = new Rig('venue_b', rig.restarted());
  next.venue.open = [next.venueOrder()];
  next.venue.lookUps = [found('gone')];
  await next.timers.settle(60_000);
  expect(next.order().status).toBe('REJECTED');
  next.executions.start();
  await next.pass(100, 10);
  expect([next.order().status, next.venue.calls.includes('cancel')]).toEqual(['CANCELLED', true]);
});
