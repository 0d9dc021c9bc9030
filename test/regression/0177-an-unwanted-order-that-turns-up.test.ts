// Found by review: an order of unknown outcome with a cancel request was looked for ever less often. When the venue's stream reported that
// it rests, the cancel was left to the next look, up to eight seconds later. Meanwhile it could be filled.

import { expect, it } from 'vitest';
import { ABSENT, found, RESTS, Rig, TIMEOUT } from '../orders/orders-rig.ts';

const NOT_YET = { ...ABSENT, isCurrent: false } as const;

/** Wanted cancelled by its owner, who heard that nobody knows; and looked for since. */
async function unwanted(): Promise<Rig> {
  const rig = new Rig();
  await rig.submit(TIMEOUT);
  rig.venue.lookUps = [NOT_YET];
  expect(await rig.cancel(rig.id())).toMatchObject({ kind: 'unknownOutcome' });
  for (let look = 0; look < 12; look += 1) await rig.sweep();
  rig.venue.lookUps = [found('gone')];
  rig.venue.calls.length = 0;
  return rig;
}

it('the order is cancelled at once if it rests', async () => {
  const rig = await unwanted();
  rig.hear({ type: 'order', order: rig.venueOrder() });
  await rig.timers.settle();
  expect(rig.venue.calls[0]).toBe('cancel');
  expect(rig.order().status).toBe('CANCELLED');
});

it('the order is cancelled at once if a trade shows it', async () => {
  const rig = await unwanted();
  const fill = rig.fill('f', 4);
  rig.venue.lookUps = [found('gone', [fill])];
  rig.hear({ type: 'fill', fill });
  await rig.timers.settle();
  expect(rig.venue.calls[0]).toBe('cancel');
  expect(rig.order().status).toBe('CANCELLED');
});

it('the order is left to the caller that has just requested its cancel', async () => {
  const rig = new Rig();
  await rig.submit(RESTS);
  rig.venue.calls.length = 0;
  rig.venue.cancels = [new Promise(() => {})];
  void rig.cancel(rig.id());
  await rig.timers.settle();
  rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
  await rig.timers.settle();
  expect(rig.venue.calls).toEqual(['cancel']);
});
