// Found by review. A look asks for a bounded number of markets whose holdings the wallet no longer lists, and the next look for the others.
// If the first ones could not be read, each look asked for them again, and never for the others.

import { expect, it } from 'vitest';
import type { Ticks } from '../../src/domain/numbers.ts';
import { fail, ok } from '../../src/domain/result.ts';
import { limits } from '../../src/limits.ts';
import { unattributedOf } from '../../src/orders/bookings.ts';
import { POD, Rig } from '../orders/orders-rig.ts';

const NOBODY = unattributedOf(POD);
const COUNT = limits.payoutsAskedPerLook + 5;
const tokenOf = (index: number) => `${1_000 + index}`;

it('payouts have their turn behind those that cannot be asked, and then the first come once more', async () => {
  const rig = new Rig('venue_a');
  let isBack = false;
  rig.venue.payoutOf = address => {
    const isAway = Number(address) < 1_000 + limits.payoutsAskedPerLook && !isBack;
    return Promise.resolve(isAway ? fail('HTTP 500') : ok(0 as Ticks));
  };
  rig.executions.start();
  await rig.pass(100, 10);
  for (let index = 0; index < COUNT; index += 1) {
    const fill = rig.fill(`f${index}`, 10, { venueOrderId: 'foreign', address: tokenOf(index) });
    rig.hear({ type: 'fill', fill });
  }
  rig.venue.held = ok([]);
  const held = () => [...rig.store.positions(NOBODY, 'venue_a')].filter(({ size }) => size !== 0).length;
  await rig.sweep(limits.holdingsSettleMs);
  expect(held()).toBe(COUNT);
  for (let look = 0; look < 5; look += 1) await rig.sweep(limits.holdingsAuditMs);
  expect([held(), rig.divergences.includes('position-differs')]).toEqual([limits.payoutsAskedPerLook, false]);
  isBack = true;
  for (let look = 0; look < 3; look += 1) await rig.sweep(limits.holdingsAuditMs);
  expect(held()).toBe(0);
  expect(rig.store.position(NOBODY, 'venue_a', tokenOf(0))).toMatchObject({ size: 0 });
});
