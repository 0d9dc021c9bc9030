// After the clock was set back, each new fill was earlier than the ones that a protection had counted. It came too late to count, until the
// clock had caught up: the protection was armed and protected from nothing. Now what was counted counts as executed just then.

import { describe, expect, it } from 'vitest';
import { ACTOR, POD, RESTS, Rig } from '../orders/orders-rig.ts';

const OWNER = { podId: POD, actorId: ACTOR };
const EVERYWHERE = { venue: 'venue_b', address: null } as const;
const HOUR_MS = 3_600_000;
const WINDOW_MS = 1_000;

async function counted(): Promise<Rig> {
  const rig = new Rig();
  await rig.submit({ ...RESTS, venueOrderId: 'v-one' });
  rig.protections.set(OWNER, EVERYWHERE, { fillsMax: 2, sharesMax: null, windowMs: WINDOW_MS });
  fill(rig, 'before');
  rig.timers.setClock(-HOUR_MS);
  return rig;
}

function fill(rig: Rig, fillId: string): void {
  rig.hear({ type: 'fill', fill: rig.fill(fillId, 1, { venueOrderId: 'v-one' }) });
}

const triggered = (rig: Rig) => rig.store.protections(ACTOR).map(it => it.triggered?.fills ?? null);

describe('a protection after the clock was set back', () => {
  it('triggers as before', async () => {
    const rig = await counted();
    await rig.pass(2 * WINDOW_MS);
    for (const fillId of ['one', 'two', 'three']) fill(rig, fillId);
    expect(triggered(rig)).toEqual([3]);
  });

  it('counts what it had counted for one window more', async () => {
    const rig = await counted();
    fill(rig, 'one');
    expect(triggered(rig)).toEqual([null]);
    await rig.pass(2 * WINDOW_MS);
    for (const fillId of ['two', 'three']) fill(rig, fillId);
    expect(triggered(rig)).toEqual([null]);
    fill(rig, 'four');
    expect(triggered(rig)).toEqual([3]);
  });

  it('says the same after a restart', async () => {
    const rig = await counted();
    fill(rig, 'one');
    expect(rig.restarted().protections(ACTOR)).toEqual(rig.store.protections(ACTOR));
  });
});
