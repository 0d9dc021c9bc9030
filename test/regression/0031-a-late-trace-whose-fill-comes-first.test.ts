// Found by reading: an order that was given up and still trades was cancelled at once if the venue reported the order first. If it reported
// the fill first, the order had ended here and its resting part was ignored. It went on trading until a reading listed it.

import { expect, it } from 'vitest';
import { ABSENT, found, RESTS, Rig, shares } from '../orders/orders-rig.ts';

async function givenUp(): Promise<Rig> {
  const rig = new Rig();
  await rig.submit({ type: 'not-sent', message: 'no connection', retryAfterS: 1 });
  expect(rig.order().status).toBe('REJECTED');
  rig.venue.calls.length = 0;
  return rig;
}

it('the order is cancelled at once if its fill comes first', async () => {
  const rig = await givenUp();
  rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
  rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
  rig.hear({ type: 'order', order: rig.venueOrder() });
  await rig.pass(10, 5);
  expect(rig.venue.calls).toEqual(['cancel', 'lookUp']);
  expect([rig.order().status, rig.position()]).toEqual(['CANCELLED', shares(4)]);
  expect(rig.divergences).toEqual(['fill-of-refused', 'late-trace']);
});

it('the order is left alone if nothing of it rests', async () => {
  const rig = await givenUp();
  rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
  await rig.pass(10, 5);
  expect([rig.venue.calls, rig.order().status]).toEqual([[], 'FILLED']);
});

it('a fill of an order that still trades is no late trace', async () => {
  const rig = new Rig();
  await rig.submit(RESTS);
  rig.venue.calls.length = 0;
  rig.venue.lookUps = [ABSENT];
  rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
  await rig.pass(10, 5);
  expect([rig.venue.calls, rig.order().status]).toEqual([[], 'OPEN']);
});
