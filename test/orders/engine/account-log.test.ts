// Counts of halts of orders. After a start, the log reports again the causes that still halt orders.

import { expect, it } from 'vitest';
import type { MicroShares, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { Protection } from '../../../src/core/domain/protection.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { type Log, silentLog } from '../../../src/core/runtime/log.ts';
import { logHalt } from '../../../src/orders/engine/account-log.ts';
import { dollars, LossRig } from '../life/loss-rig.ts';
import { ACTOR, POD, Rig } from '../life/orders-rig.ts';

const LATE_MS = 60_000;

// After each start, a limit that had been reached hours before was counted again, and raised its alarm again.
it.each([
  [LATE_MS - 1, 1],
  [LATE_MS, 0],
])('5100: a limit that was reached %i ms before a start is counted %i times at the start', (ageMs, count) => {
  const rig = new Rig();
  const operator = new LossRig(rig);
  operator.losses.set(ACTOR, { lossMax: dollars(0), cancels: false });
  const reached = operator.changes.find(({ event }) => event === 'REACHED')!;
  const reachedAt = rig.timers.now();
  operator.losses.stop();
  const metrics = new Metrics({ operations: [] });
  const warned: string[] = [];
  const log: Log = { ...silentLog, warn: event => warned.push(event) };
  const now = (reachedAt + ageMs) as UnixMillis;
  const protection: Protection = {
    ...{ actorId: ACTOR, podId: POD, venue: 'venue_b', address: null, fillsMax: 1, sharesMax: null, windowMs: 1_000 },
    ...{ setAt: reachedAt, triggered: { at: reachedAt, fills: 2, size: 2 as MicroShares }, counted: [] },
  };
  logHalt(log, metrics, { type: 'lossLimit', ...reached }, now);
  logHalt(log, metrics, { type: 'protection', event: 'TRIGGERED', protection }, now);
  expect(metrics.read(metrics.counter('loss_limits_reached_total'))).toBe(count);
  expect(metrics.read(metrics.counter('protections_triggered_total', 'venue_b'))).toBe(count);
  expect(warned).toEqual(['loss limit reached', 'protection triggered']);
});
