// A late fill belongs to an order that was replaced three times in place. The order behind it had the fill in its size already, so nothing of
// it changed, and the later ones were not looked at. The last counted the trade as its own, too (simulation, seed 5 020 162).

import { expect, it } from 'vitest';
import { clientOrderIdOf } from '../../src/domain/actor-tag.ts';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { traded } from '../../src/domain/order-sums.ts';
import type { AmendOutcome } from '../../src/venues/venue.ts';
import { ACTOR, RESTS, Rig, shares, TIMEOUT, ticks } from '../orders/orders-rig.ts';

const amended = (remaining: number): AmendOutcome => ({
  ...{ type: 'amended', venueOrderId: 'v-1', taken: shares(0) },
  remaining: shares(remaining),
});
const KEYS = ['one', 'second', 'third', 'fourth'];

it('a late trade is taken off all orders that the venue has counted it in', async () => {
  const rig = new Rig('venue_b');
  rig.venue.amendments = [amended(9), amended(8), TIMEOUT as AmendOutcome];
  await rig.submit(RESTS);
  await rig.replace({ price: ticks(5_700) }, { idempotencyKey: 'second' });
  await rig.replace({ total: shares(9) }, { idempotencyKey: 'third' }, 'second');
  await rig.replace({ total: shares(8) }, { idempotencyKey: 'fourth' }, 'third');
  const stated = { size: shares(1), cost: BigInt(shares(1)) * 5_600n, fees: 1_000 as MicroDollars };
  const clientOrderId = clientOrderIdOf(rig.id('fourth'), ACTOR);
  rig.hear({ type: 'order', order: rig.venueOrder({ clientOrderId, stated }) });
  rig.hear({ type: 'fill', fill: rig.fill('t-1', 1) });
  expect(KEYS.map(key => traded(rig.order(rig.id(key))).size)).toEqual([shares(1), 0, 0, 0]);
  expect(KEYS.map(key => rig.order(rig.id(key)).request)).toMatchObject(
    [10, 9, 8, 7].map(size => ({ size: shares(size) })),
  );
});
