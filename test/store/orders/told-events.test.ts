// Events that clients were told of, through losses of power at random steps: a cursor never stands for two events, and whoever resumes
// from one hears everything that was told since, or that it has expired.

import { expect, it } from 'vitest';
import { Random } from '../../../src/runtime/random.ts';
import type { OpenedOrderStore } from '../../../src/store/order-store.ts';
import { LosingDisk } from '../durable/losing-disk.ts';
import { removeFolder, temporaryFolder } from '../durable/store-rig.ts';
import { at, openOrders, storedOrder } from './order-rig.ts';

const LIVES = 60;
const STEPS_MAX = 30;
const ACTORS = ['alice', 'bob'];

interface Told {
  readonly actorId: string;
  readonly cursor: number;
  /** Told in this order, over all lives; the event's time. */
  readonly number: number;
}

it('are resumed from without loss, or have expired', async () => {
  const random = new Random(20_261_122);
  const told: Told[] = [];
  let folder = temporaryFolder();
  let lost = 0;
  for (let life = 0; life < LIVES; life++) {
    const disk = new LosingDisk(folder);
    const store = await openOrders(folder, { bootId: `boot-${life}`, files: disk });
    expectHonest(store, told);
    lost += told.filter(({ actorId, cursor }) => store.events(actorId, cursor, 1) === null).length;
    await live(store, random, told);
    expectHonest(store, told);
    const step = disk.steps;
    await store.close();
    const next = temporaryFolder();
    // Or it ended clean.
    disk.rebuild(random.chance(0.2) ? disk.steps : step, next, random);
    removeFolder(folder);
    folder = next;
  }
  removeFolder(folder);
  expect(lost).toBeGreaterThan(LIVES);
});

async function live(store: OpenedOrderStore, random: Random, told: Told[]): Promise<void> {
  for (let steps = random.below(STEPS_MAX); steps >= 0; steps--) {
    const actorId = random.pick(ACTORS);
    const number = told.length;
    const { order } = storedOrder({ number: 1, actorId });
    const event = store.change(to => to.appendEvent({ actorId, event: 'STATUS', order, fill: null, at: at(number) }));
    told.push({ actorId, cursor: event.cursor, number });
    if (random.chance(0.1)) await store.durable.durable();
    if (random.chance(0.05)) await store.durable.checkpoint();
  }
}

/** For every cursor that was ever told. */
function expectHonest(store: OpenedOrderStore, told: readonly Told[]): void {
  for (const actorId of ACTORS) {
    const ofActor = told.filter(it => it.actorId === actorId);
    expect(new Set(ofActor.map(({ cursor }) => cursor)).size).toBe(ofActor.length);
    for (const [index, { cursor }] of ofActor.entries()) {
      const since = store.events(actorId, cursor, 10_000);
      if (since === null) continue;
      expect(since.map(it => ({ actorId, cursor: it.cursor, number: Number(it.at) }))).toEqual(
        ofActor.slice(index + 1),
      );
    }
  }
}
