// Found by `npm run fuzz` (private stream of venue b): a fill that waits for its order was reported again under its id. The second report
// had another size and no name of an order. It was booked as it was reported last; a fill that does not wait is booked as it was reported
// first.

import { expect, it } from 'vitest';
import { unattributedOf } from '../../src/orders/bookings.ts';
import type { VenueFill } from '../../src/venues/venue.ts';
import { ABSENT, found, POD, Rig, shares, TIMEOUT } from '../orders/orders-rig.ts';

const NOBODY = unattributedOf(POD);
/** Names an order that was made here, as far as anybody can tell. */
const named = { venueOrderId: 'v-9', clientOrderId: 'ours' } as const;
const nameless = { venueOrderId: 'v-9', clientOrderId: null } as const;

async function reportedTwice(first: Partial<VenueFill>, again: Partial<VenueFill>): Promise<Rig> {
  const rig = new Rig();
  rig.executions.start();
  await rig.pass(10, 5);
  await rig.submit(TIMEOUT);
  rig.hear({ type: 'fill', fill: rig.fill('f', 4, { settlement: 'MATCHED', ...first }) });
  rig.hear({ type: 'fill', fill: rig.fill('f', 3, { positionChange: shares(3), ...again }) });
  return rig;
}

it.each([
  ['without the name', named, nameless],
  ['with the name', nameless, named],
  ['alike', nameless, nameless],
])(
  'a waiting fill is booked as it was reported first, and has settled as it was reported last: %s',
  async (_, first, again) => {
    const rig = await reportedTwice(first, { ...again, settlement: 'CONFIRMED' });
    expect([rig.store.fill(rig.account, 'f'), rig.position(NOBODY)]).toEqual([null, 0]);
    rig.venue.lookUps = [ABSENT];
    for (let sweeps = 0; sweeps < 60; sweeps += 1) await rig.sweep();
    expect(rig.store.fill(rig.account, 'f')?.fill).toMatchObject({ size: shares(4), settlement: 'CONFIRMED' });
    expect(rig.position(NOBODY)).toBe(shares(4));
  },
);

it('a waiting fill is its order’s once that is named, and keeps its settlement', async () => {
  const rig = await reportedTwice({ ...nameless, settlement: 'CONFIRMED' }, { settlement: 'MATCHED' });
  rig.venue.lookUps = [found('rests', [])];
  await rig.sweep();
  expect(rig.store.fills(rig.id(), 0, 10)).toMatchObject([{ size: shares(4), settlement: 'CONFIRMED' }]);
  expect([rig.position(), rig.position(NOBODY)]).toEqual([shares(4), 0]);
});
