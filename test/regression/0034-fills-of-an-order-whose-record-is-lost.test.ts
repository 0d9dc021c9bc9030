// Found by reading. The venue's list of fills has no id of ours. After a restored backup it was booked before its orders were known, and an
// order that had ended meanwhile was never requested. The fills stayed unattributed, though the orders say whose they are.

import { expect, it } from 'vitest';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { unattributedOf } from '../../src/orders/bookings.ts';
import { POD, Rig, shares, YES_BUY } from '../orders/orders-rig.ts';

const NOBODY = unattributedOf(POD);
const stated = { size: shares(4), cost: BigInt(shares(4)) * 5_600n, fees: 1_000 as MicroDollars };

/** A gateway whose store is empty reads an account with a fill, which names its order at the venue only. */
async function started(change: (rig: Rig) => void): Promise<Rig> {
  const rig = new Rig();
  rig.venue.fills = [rig.fill('f', 4, { clientOrderId: null })];
  change(rig);
  rig.executions.start();
  await rig.pass(10, 5);
  return rig;
}

it('the fills are their owner’s if the order rests', async () => {
  const rig = await started(it => {
    it.venue.open = [it.venueOrder({ request: YES_BUY, stated })];
  });
  expect([rig.position(), rig.position(NOBODY), rig.order().status]).toEqual([shares(4), 0, 'OPEN']);
  expect(rig.divergences).toEqual(['adopted-order']);
});

it('the fills are their owner’s if the order has ended', async () => {
  const request = { ...YES_BUY, size: shares(4) };
  const rig = await started(it => {
    it.venue.made = [
      it.venueOrder({ request, stated, state: 'gone' }),
      it.venueOrder({ venueOrderId: 'v-2', state: 'gone' }),
    ];
  });
  expect([rig.position(), rig.position(NOBODY), rig.order().status]).toEqual([shares(4), 0, 'FILLED']);
  expect(rig.venue.calls).toEqual([]);
  expect(rig.divergences).toEqual(['adopted-order']);
});

it('the fills are unattributed if no actor of ours has made the order', async () => {
  const rig = await started(it => {
    it.venue.made = [it.venueOrder({ clientOrderId: null, request: YES_BUY, state: 'gone' })];
  });
  expect([rig.position(), rig.position(NOBODY)]).toEqual([0, shares(4)]);
  expect(rig.divergences).toEqual(['unattributed-fill']);
});

it('the fills are unattributed in the end if the venue cannot list so many orders, and the account is read', async () => {
  const rig = await started(it => {
    it.venue.ordersSince = () => Promise.resolve({ ok: false, error: 'more than 50 pages of orders' });
  });
  await rig.pass(60_000, 1_000);
  expect([rig.position(), rig.position(NOBODY)]).toEqual([0, shares(4)]);
  expect(rig.divergences).toEqual(['unattributed-fill']);
  expect(rig.news).toEqual([{ type: 'unread', message: 'more than 50 pages of orders' }, { type: 'read' }]);
});

it('wait for the venue to say whose they are', async () => {
  const rig = await started(it => {
    it.venue.ordersSince = () => Promise.resolve({ ok: false, error: 'HTTP 500' });
  });
  expect([rig.position(NOBODY), rig.news]).toEqual([0, [{ type: 'unread', message: 'HTTP 500' }]]);
});
