// Found by review: an order that was adopted by its first trade has the size of that trade. Later trades became its fills, and a request of
// a smaller size still claimed it.

import { expect, it } from 'vitest';
import { clientOrderIdOf } from '../../src/domain/actor-tag.ts';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { ok } from '../../src/domain/result.ts';
import { limits } from '../../src/limits.ts';
import { ACTOR, RESTS, Rig, shares, YES_BUY } from '../orders/orders-rig.ts';

/** Three of it were traded first, and seven when it had been adopted. */
async function adopted(): Promise<Rig> {
  const rig = new Rig();
  rig.executions.start();
  await rig.pass(100, 10);
  const clientOrderId = clientOrderIdOf(rig.id(), ACTOR);
  rig.hear({ type: 'fill', fill: rig.fill('f', 3, { clientOrderId }) });
  await rig.sweep();
  rig.hear({ type: 'fill', fill: rig.fill('g', 7, { clientOrderId }) });
  expect(rig.order()).toMatchObject({ request: { size: shares(3) }, filled: { size: shares(10) } });
  return rig;
}

it.each([3, 9])('an adopted order does not belong to a retry that wanted %i', async count => {
  const rig = await adopted();
  const answer = await rig.submit(RESTS, { request: { ...YES_BUY, size: shares(count) } });
  expect(answer).toMatchObject({ type: 'refused', kind: 'idempotencyConflict' });
  expect(rig.order()).toMatchObject({ keyId: '', request: { size: shares(3) } });
});

it.each([
  [10, 'FILLED'],
  [12, 'CANCELLED'],
])('an adopted order may belong to a retry that wanted %i', async (count, status) => {
  const rig = await adopted();
  const request = { ...YES_BUY, size: shares(count) };
  expect(await rig.submit(RESTS, { request })).toMatchObject({ type: 'made', status });
  expect(rig.order()).toMatchObject({ keyId: 'key', request, status });
});

/** Nor is it known by its trades alone while the venue's lists are of before them: it may rest. */
it('a trade adopts no order if the lists are too old for it', async () => {
  const rig = new Rig();
  const clientOrderId = clientOrderIdOf(rig.id(), ACTOR);
  rig.executions.start();
  await rig.pass(100, 10);
  const since = rig.timers.now();
  rig.venue.upTo = ok((since - 1) as UnixMillis);
  rig.hear({ type: 'fill', fill: rig.fill('f', 3, { clientOrderId }) });
  let readings = 0;
  const open = rig.venue.openOrders.bind(rig.venue);
  rig.venue.openOrders = () => {
    readings += 1;
    return open();
  };
  for (let sweep = 0; sweep < 9; sweep += 1) await rig.sweep();
  // Lists that lag are not read over and over.
  expect([rig.store.order(rig.id()), readings]).toEqual([null, 1]);
  rig.venue.upTo = ok((since + 1) as UnixMillis);
  rig.venue.open = [rig.venueOrder({ request: YES_BUY })];
  await rig.sweep(limits.accountReadMs);
  expect(rig.order()).toMatchObject({ status: 'OPEN', request: YES_BUY, filled: { size: shares(3) } });
  expect(rig.venue.calls).toEqual([]);
});
