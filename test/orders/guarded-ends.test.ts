// Why an order ended that the guard has cancelled while the engine did not answer: the first request counts, recorded or not.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import type { CancelReason } from '../../src/domain/order.ts';
import { wantCancelled } from '../../src/orders/cancel-requests.ts';
import { explainEnd } from '../../src/orders/guarded-ends.ts';
import { RESTS, Rig } from './orders-rig.ts';

async function resting(): Promise<Rig> {
  const rig = new Rig();
  await rig.submit(RESTS);
  return rig;
}

const explain = (rig: Rig, reason: CancelReason, at: UnixMillis) =>
  explainEnd(rig.ledger, { orderId: rig.id(), reason, at });
const stop = (rig: Rig) => rig.ledger.change(entry => wantCancelled(entry, rig.id(), 'STOP'));
const gone = (rig: Rig, reason: 'VENUE' | 'SELF_TRADE' = 'VENUE') =>
  rig.hear({ type: 'order', order: rig.venueOrder({ state: 'gone', reason }) });

it.each([
  ['the stop, the end, then the guard’s report', [stop, gone], null, 'REQUESTED'],
  ['the end, then the guard’s report', [gone], null, 'REQUESTED'],
  ['the stop, the guard’s report, then the end', [stop], gone, 'REQUESTED'],
  ['the guard’s report, then the end', [], gone, 'REQUESTED'],
] as const)('4030: an order cancelled by request in a freeze says so: %s', async (_, before, after, reason) => {
  const rig = await resting();
  const at = rig.timers.now();
  rig.timers.advance(1_000);
  for (const step of before) step(rig);
  expect(explain(rig, 'REQUESTED', at)).toBe(after === null ? null : true);
  if (after !== null) after(rig);
  expect(rig.order()).toMatchObject({ status: 'CANCELLED', cancelReason: reason });
});

it('4030: a request that was recorded before the freeze stands', async () => {
  const rig = await resting();
  stop(rig);
  rig.timers.advance(1_000);
  explain(rig, 'REQUESTED', rig.timers.now());
  gone(rig);
  explain(rig, 'REQUESTED', rig.timers.now());
  expect(rig.order().cancelReason).toBe('STOP');
});

it('4030: the venue’s own reason stands', async () => {
  const rig = await resting();
  gone(rig, 'SELF_TRADE');
  expect(explain(rig, 'REQUESTED', rig.timers.now())).toBeNull();
  expect(rig.order().cancelReason).toBe('SELF_TRADE');
});
