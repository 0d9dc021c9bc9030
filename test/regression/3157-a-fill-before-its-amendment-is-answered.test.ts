// The private stream shows that an amendment is made. Its answer, which says what the old order left, is still on its way. A fill that venue
// B lists without a name was booked to the new order. The answer then left that order no more than it had filled, so it ended FILLED. A
// cancel of it was refused (simulation, seed 5 020 955).

import { expect, it } from 'vitest';
import { clientOrderIdOf } from '../../src/domain/actor-tag.ts';
import type { AmendOutcome } from '../../src/venues/venue.ts';
import { ACTOR, RESTS, Rig, shares } from '../orders/orders-rig.ts';

it('a nameless fill waits for the answer to an amendment that is seen as made', async () => {
  const rig = new Rig('venue_b');
  await rig.submit(RESTS);
  const { promise, resolve } = Promise.withResolvers<AmendOutcome>();
  rig.venue.amendments = [promise];
  void rig.replace({ total: shares(2) });
  await rig.pass(10, 5);
  rig.hear({ type: 'order', order: rig.venueOrder({ clientOrderId: clientOrderIdOf(rig.id('new'), ACTOR) }) });
  rig.venue.open = [rig.venueOrder({ clientOrderId: clientOrderIdOf(rig.id('new'), ACTOR) })];
  rig.venue.fills = [rig.fill('t-1', 1, { clientOrderId: null })];
  await rig.sweep();
  const both = () => [rig.order(), rig.order(rig.id('new'))];
  expect(both()).toMatchObject([
    { status: 'CANCELLED', filled: { size: 0 } },
    { status: 'OPEN', filled: { size: 0 } },
  ]);
  resolve({ type: 'amended', venueOrderId: 'v-1', remaining: shares(1), taken: shares(0) });
  await rig.sweep();
  expect(both()).toMatchObject([
    { status: 'CANCELLED', filled: { size: shares(1) } },
    { status: 'OPEN', request: { size: shares(1) }, filled: { size: 0 } },
  ]);
  expect([rig.position(), rig.divergences]).toEqual([shares(1), []]);
});
