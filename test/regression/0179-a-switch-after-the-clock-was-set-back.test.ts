// Found by review: a dead man's switch fired by the wall clock alone. After the clock was set back by some minutes, the orders of a dead
// bot stayed in the books for as long.

import { expect, it } from 'vitest';
import { CancelAfterWatch } from '../../src/orders/cancel-after.ts';
import { ACTOR, POD, RESTS, Rig } from '../orders/orders-rig.ts';

const OWNER = { keyId: 'key', actorId: ACTOR, podId: POD };
const MINUTES_MS = 300_000;

async function armed(): Promise<{ readonly rig: Rig; readonly watch: CancelAfterWatch; readonly fired: string[] }> {
  const rig = new Rig();
  const fired: string[] = [];
  await rig.submit(RESTS);
  const watch = new CancelAfterWatch({ ...rig, fired: (_owner, orderIds) => fired.push(...orderIds) });
  watch.start();
  watch.set(OWNER, 5_000);
  rig.timers.advance(1_000);
  rig.timers.setClock(-MINUTES_MS);
  return { rig, watch, fired };
}

it('fires after the requested time', async () => {
  const { rig, fired } = await armed();
  await rig.timers.settle(3_900);
  expect(fired).toEqual([]);
  await rig.timers.settle(100);
  expect(fired).toEqual([rig.id()]);
  expect(rig.store.cancelAfters()).toEqual([]);
});

it('a switch that is set anew lasts from then on', async () => {
  const { rig, watch, fired } = await armed();
  watch.set(OWNER, 5_000);
  await rig.timers.settle(4_900);
  expect(fired).toEqual([]);
  await rig.timers.settle(100);
  expect(fired).toEqual([rig.id()]);
});
