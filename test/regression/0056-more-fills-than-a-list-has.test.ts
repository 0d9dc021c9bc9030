// Found by review: an account may trade more since its last reading than a venue lists. Such an account was never read again: each reading
// failed, and left more for the next.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { limits } from '../../src/limits.ts';
import { unattributedOf } from '../../src/orders/bookings.ts';
import { listed, POD, Rig, shares } from '../orders/orders-rig.ts';

const FILLS = 1_000;
const ROWS_MAX = 100;
const HOUR_MS = 3_600_000;

/** Somebody has traded with the account once every few seconds for hours; the venue lists a hundred fills and no more. */
function busy(rig = new Rig()): Rig {
  const now = rig.timers.now();
  const spanMs = 6 * HOUR_MS;
  const fills = Array.from({ length: FILLS }, (_, index) => {
    const executedAt = Math.floor(now - spanMs + (index * spanMs) / FILLS) as UnixMillis;
    return { ...rig.fill(`f${index}`, 1), executedAt, venueOrderId: `other-${index}`, clientOrderId: null };
  });
  rig.venue.fillsSince = (since, until = null) => {
    const end = until ?? Number.POSITIVE_INFINITY;
    const rows = fills.filter(({ executedAt: at }) => at >= since && at <= end);
    rig.venue.calls.push(`fills ${rows.length}`);
    return Promise.resolve(rows.length > ROWS_MAX ? { ok: false, error: 'more than one page' } : listed(rows));
  };
  return rig;
}

const booked = (rig: Rig) => rig.position(unattributedOf(POD));
const isRead = (rig: Rig) => rig.news.at(-1)?.type === 'read';

async function readings(rig: Rig, count: number): Promise<void> {
  for (let reading = 0; reading < count && !isRead(rig); reading += 1) await rig.sweep(limits.accountReadRetryMsMax);
}

it('the fills are read in parts, each once, and then as before', async () => {
  const rig = busy();
  rig.executions.start();
  await readings(rig, 200);
  expect([isRead(rig), booked(rig)]).toEqual([true, shares(FILLS)]);
  expect(rig.divergences).toHaveLength(FILLS);
  const asked = rig.venue.calls.length;
  await rig.sweep(limits.accountReadMs);
  expect(rig.venue.calls.slice(asked)).toEqual(['fills 0']);
});

it('the next process reads the fills on from where the last one had come', async () => {
  const rig = busy();
  rig.executions.start();
  while (booked(rig) < shares(FILLS / 2)) await rig.sweep(limits.accountReadRetryMsMax);
  expect(isRead(rig)).toBe(false);
  const next = new Rig('venue_b', rig.restarted());
  await next.timers.settle(rig.timers.now() - next.timers.now());
  next.venue.fillsSince = rig.venue.fillsSince;
  rig.venue.calls.length = 0;
  next.executions.start();
  await readings(next, 200);
  expect([isRead(next), booked(next)]).toEqual([true, shares(FILLS)]);
  // What was read and booked is not asked for again.
  expect(Math.max(...rig.venue.calls.map(call => Number(call.split(' ')[1])))).toBeLessThan((FILLS * 2) / 3);
});

it('differ from an outage: one missing answer changes nothing', async () => {
  const rig = new Rig();
  const asked: (UnixMillis | null)[] = [];
  rig.venue.fillsSince = (_since, until = null) => {
    asked.push(until);
    return Promise.resolve(asked.length === 1 ? { ok: false, error: 'HTTP 503' } : listed([]));
  };
  rig.executions.start();
  await readings(rig, 5);
  expect([isRead(rig), asked]).toEqual([true, [null, null]]);
});
