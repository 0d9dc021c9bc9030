// Found by review: a failed trade was taken out of a position without a check of the rest. If the later bookings alone are beyond the exact
// range, the position could not be stored, and the thread died, at every start.

import { beforeEach, expect, it } from 'vitest';
import type { MicroShares } from '../../src/domain/numbers.ts';
import { unattributedOf } from '../../src/orders/bookings.ts';
import { POD, Rig, TOKEN_SELL } from '../orders/orders-rig.ts';

const NOBODY = unattributedOf(POD);
const MOST = Number.MAX_SAFE_INTEGER;
const { tokenId } = TOKEN_SELL;

let rig: Rig;
beforeEach(() => {
  rig = new Rig('venue_a');
});

const trade = (fillId: string, change: number) => {
  const size = Math.abs(change) as MicroShares;
  return rig.fill(fillId, 1, { size, positionChange: change as MicroShares, venueOrderId: 'foreign' });
};

it.each([
  ['is remembered', 0],
  ['is not remembered any more', 1],
])('stays, with a word, where it %s', (_what, forgotten) => {
  const bought = trade('bought', MOST);
  for (const fill of [bought, trade('sold', -MOST), trade('sold again', -MOST)]) rig.hear({ type: 'fill', fill });
  for (const booked of rig.store.booked(NOBODY, 'venue_a', tokenId, forgotten)) {
    rig.store.change(to => to.deleteBooked(NOBODY, booked));
  }
  rig.hear({ type: 'fill', fill: { ...bought, settlement: 'FAILED' } });
  expect(rig.store.position(NOBODY, 'venue_a', tokenId)).toMatchObject({ size: -MOST });
  expect(rig.store.fill(rig.account, 'bought')?.fill.settlement).toBe('MATCHED');
  expect(rig.divergences.at(-1)).toBe('uncountable-fill');
});
