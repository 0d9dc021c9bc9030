// Noticed in a review: a protection that triggered while nothing could be recorded never forgot the orders whose cancels it had asked for. An
// order that is sent again under its key has the same id: the next time, it was not cancelled.

import { expect, it } from 'vitest';
import type { ProtectionTerms } from '../../src/domain/protection.ts';
import { ProtectionWatch } from '../../src/orders/protection-watch.ts';
import { ACTOR, NOT_SENT, POD, RESTS, Rig } from '../orders/orders-rig.ts';

const OWNER = { podId: POD, actorId: ACTOR };
const EVERYWHERE = { venue: 'venue_b', address: null } as const;
const ONE_FILL: ProtectionTerms = { fillsMax: 1, sharesMax: null, windowMs: 1_000 };

/** Two fills of the order trigger the protection, and from then on the disk takes nothing. */
async function triggered(rig: Rig, key: string): Promise<void> {
  const clientOrderId = null;
  for (const part of ['1', '2']) {
    rig.hear({ type: 'fill', fill: rig.fill(`${key}-${part}`, 1, { venueOrderId: `v-${key}`, clientOrderId }) });
  }
  rig.store.isFull = true;
  await rig.pass(100);
}

const cancels = (rig: Rig): number => rig.venue.calls.filter(call => call === 'cancel').length;
const resting = (key: string) => ({ ...RESTS, venueOrderId: `v-${key}` });

it('an order that was sent again is cancelled by a protection that triggers again, unrecorded both times', async () => {
  const rig = new Rig();
  rig.protections.start();
  rig.protections.set(OWNER, EVERYWHERE, ONE_FILL);
  await rig.submit(resting('two'), { idempotencyKey: 'two' });
  const { answer, say } = rig.start();
  await rig.pass(50);
  expect(rig.order().status).toBe('SUBMITTED');
  await triggered(rig, 'two');
  expect(cancels(rig)).toBe(1);
  rig.store.isFull = false;
  say(NOT_SENT);
  expect(await answer).toMatchObject({ kind: 'unavailable' });
  await rig.sweep(5_000);
  rig.protections.reset({ ...EVERYWHERE, actorId: ACTOR });

  expect(await rig.submit(resting('one'))).toMatchObject({ status: 'OPEN' });
  await rig.submit(resting('four'), { idempotencyKey: 'four' });
  const before = cancels(rig);
  await triggered(rig, 'four');
  expect(cancels(rig) - before).toBe(2);
});

it('a cancel is asked for once, however long nothing can be recorded', async () => {
  const rig = new Rig();
  rig.protections.set(OWNER, EVERYWHERE, ONE_FILL);
  await rig.submit(resting('two'), { idempotencyKey: 'two' });
  await triggered(rig, 'two');
  const asked: unknown[] = [];
  const watch = new ProtectionWatch({
    ...{ ledger: rig.ledger, timers: rig.timers, changed: () => {}, storeFailed: () => {} },
    unwanted: (_protection, orderIds, isRecorded) => asked.push([orderIds, isRecorded]),
  });
  watch.start();
  await rig.pass(5_000);
  watch.stop();
  expect(asked).toEqual([[[rig.id('two')], false]]);
});
