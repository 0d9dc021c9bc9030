// The machine's clock was an hour ahead, then set back. The mark of an account's reading carried that time. The next readings came an hour
// late and asked for fills from the future. So what the private stream had missed was never read. Orders with an unknown outcome were not
// looked up meanwhile, and a dead man's switch fired an hour late.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { limits } from '../../src/limits.ts';
import { CancelAfterWatch } from '../../src/orders/cancel-after.ts';
import { ACTOR, found, listed, POD, RESTS, Rig, shares, TIMEOUT } from '../orders/orders-rig.ts';

const HOUR_MS = 3_600_000;

/** Executions that have read everything while the clock stood an hour ahead. */
async function readAhead(): Promise<Rig> {
  const rig = new Rig();
  rig.timers.setClock(HOUR_MS);
  rig.executions.start();
  await rig.pass(10, 5);
  return rig;
}

it('fills are read from before the clock was set back, and soon', async () => {
  const rig = await readAhead();
  await rig.submit(RESTS);
  rig.venue.open = [rig.venueOrder()];
  rig.timers.setClock(-HOUR_MS);
  const missed = rig.fill('missed', 4);
  // As a venue does: what happened since.
  rig.venue.fillsSince = (since: UnixMillis) => Promise.resolve(listed(missed.executedAt >= since ? [missed] : []));
  await rig.pass(2 * limits.accountReadMs, 500);
  expect(rig.position()).toBe(shares(4));
  rig.executions.stop();
});

it('after a start, however long nobody was there', async () => {
  const rig = await readAhead();
  rig.executions.stop();
  await rig.submit(RESTS);
  const missed = rig.fill('missed', 4, { executedAt: (rig.timers.now() - HOUR_MS) as UnixMillis });
  rig.timers.setClock(-HOUR_MS / 2);
  rig.venue.fillsSince = (since: UnixMillis) => Promise.resolve(listed(missed.executedAt >= since ? [missed] : []));
  const next = new Rig('venue_b', rig.restarted());
  next.timers.setClock(rig.timers.now() - next.timers.now());
  next.venue.fillsSince = rig.venue.fillsSince;
  next.executions.start();
  await next.pass(10, 5);
  expect(next.position()).toBe(shares(4));
  next.executions.stop();
});

it('an order with an unknown outcome is looked at soon', async () => {
  const rig = await readAhead();
  await rig.submit(TIMEOUT);
  rig.timers.setClock(-HOUR_MS);
  rig.venue.lookUps = [found('rests')];
  await rig.pass(2 * limits.lookPauseMs, 500);
  expect(rig.order().status).toBe('OPEN');
  rig.executions.stop();
});

it('a switch that could not have been set so late has fallen due', () => {
  const rig = new Rig();
  const watch = new CancelAfterWatch({
    ledger: rig.ledger,
    timers: rig.timers,
    fired: () => {},
    storeFailed: rig.storeFailed,
  });
  rig.timers.setClock(HOUR_MS);
  watch.set({ keyId: 'key', actorId: ACTOR, podId: POD }, limits.cancelAfterMsMax);
  rig.timers.setClock(-HOUR_MS);
  watch.check();
  expect(rig.store.cancelAfters()).toEqual([]);
});
