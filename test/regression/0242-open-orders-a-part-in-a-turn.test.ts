// Found by review: open orders replace an expired cursor. They were read and written in one turn of the main thread, as many as the
// connection took. 4 000 of them kept all others waiting for 70 ms, for one read of their actor.

import { expect, it } from 'vitest';
import { fullActorId } from '../../src/domain/identity.ts';
import { limits } from '../../src/limits.ts';
import { OrderRig } from '../gateway/stream/order-rig.ts';
import { orderOf } from '../support/memory-order-feed.ts';
import { ANYBODY } from '../support/stream-rig.ts';

const PARTS = 5;
const ACTOR = fullActorId(ANYBODY);

it('open orders are sent a part in a turn, and then what happened meanwhile', async () => {
  const rig = new OrderRig();
  rig.feed.commit(ACTOR);
  rig.feed.prune(1);
  rig.feed.open = Array.from({ length: PARTS * limits.ordersPerSnapshotMax }, (_, number) => orderOf(ACTOR, number));
  const client = rig.connect();
  await client.subscribe(0);
  // After CURSOR_EXPIRED the last cursor, then the first part.
  for (let turn = 0; turn < 2; turn++) await rig.timers.settle();
  rig.feed.commit(ACTOR);
  rig.feed.tell();
  const reported = (): boolean[] =>
    client.heard.flatMap(message => (message.type === 'ordersSnapshot' ? [message.hasMore] : []));
  expect([reported(), client.cursors]).toEqual([[true], []]);
  await rig.settle();
  expect(reported()).toEqual([true, true, true, true, false]);
  expect(client.cursors).toEqual([2]);
});
