// Found by review: a fill counts as it was reported first. One that was unattributed, or whose booking was forgotten, was taken out as it
// was reported last. The difference stayed in a position, though not in the order.

import { expect, it } from 'vitest';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { unattributedOf } from '../../src/orders/bookings.ts';
import type { VenueFill } from '../../src/venues/venue.ts';
import { ACTOR, POD, RESTS, Rig, shares, TOKEN_SELL, ticks, YES_BUY } from '../orders/orders-rig.ts';

const NOBODY = unattributedOf(POD);
const OTHERWISE: Partial<VenueFill> = {
  size: shares(7),
  positionChange: shares(7),
  price: ticks(5_500),
  addressPrice: ticks(5_500),
  fee: 70 as MicroDollars,
};
const AMOUNTS = { size: shares(10), cost: 5_600n * BigInt(shares(10)), fees: 1_000 };

it('an order claims its fill as it was reported first', () => {
  const rig = new Rig();
  const fill = rig.fill('f', 10, { clientOrderId: null });
  rig.hear({ type: 'fill', fill });
  expect([rig.position(), rig.position(NOBODY)]).toEqual([0, shares(10)]);
  rig.hear({ type: 'order', order: rig.venueOrder({ request: YES_BUY }) });
  rig.hear({ type: 'fill', fill: { ...fill, ...OTHERWISE } });
  expect(rig.order()).toMatchObject({ status: 'FILLED', filled: AMOUNTS });
  expect(rig.store.fills(rig.id(), 0, 2)).toMatchObject([{ size: shares(10), price: ticks(5_600), fee: 1_000 }]);
  expect(rig.store.position(ACTOR, 'venue_b', YES_BUY.ticker)).toMatchObject({ size: shares(10), fees: 1_000 });
  expect(rig.store.position(NOBODY, 'venue_b', YES_BUY.ticker)).toMatchObject({ size: 0, fees: 0 });
});

it('fails as it was reported first', async () => {
  const rig = new Rig('venue_a');
  const { tokenId } = TOKEN_SELL;
  await rig.submit(RESTS, { request: { ...TOKEN_SELL, side: 'BUY', size: shares(10) } });
  const fill = rig.fill('f', 10);
  rig.hear({ type: 'fill', fill });
  rig.store.change(to => to.deleteBooked(ACTOR, to.booked(ACTOR, 'venue_a', tokenId, 1)[0]!));
  rig.hear({ type: 'fill', fill: { ...fill, ...OTHERWISE, settlement: 'FAILED' } });
  expect(rig.order()).toMatchObject({ status: 'OPEN', filled: { size: 0, cost: 0n, fees: 0 } });
  expect(rig.store.position(ACTOR, 'venue_a', tokenId)).toMatchObject({ size: 0, fees: 0 });
});
