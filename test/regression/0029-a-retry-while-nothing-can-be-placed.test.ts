// Found by reading, after a restart. Until every order had been looked up at its venue, the retry of an existing order was answered that
// nothing was sent.

import { expect, it } from 'vitest';
import { RESTS, Rig, TIMEOUT } from '../orders/orders-rig.ts';

const untradable = { isTradable: false };

it('hears what came of the first', async () => {
  const rig = new Rig();
  await rig.submit(RESTS);
  rig.venue.calls.length = 0;
  expect(await rig.submit(RESTS, untradable)).toMatchObject({ type: 'made', status: 'OPEN', isReplayed: true });
  expect(rig.venue.calls).toEqual([]);
});

it('a retry is answered that the outcome is unknown, if it is', async () => {
  const rig = new Rig();
  await rig.submit(TIMEOUT);
  expect(await rig.submit(RESTS, untradable)).toMatchObject({ kind: 'unknownOutcome', orderId: rig.id() });
});

it('a request with a new key sends nothing, and its answer says so', async () => {
  const rig = new Rig();
  const message = 'venue_b: not every order has been looked up there since the start: nothing was sent';
  expect(await rig.submit(RESTS, untradable)).toMatchObject({ kind: 'unavailable', message, retryAfterS: 1 });
  expect([rig.venue.calls, rig.store.order(rig.id())]).toEqual([[], null]);
});
