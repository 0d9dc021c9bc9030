// Found by review: an unattributed trade that fails is read again, with all since then. While the account's fills were being read in parts
// this request got lost: the next part followed, and the last one ended the reading.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { limits } from '../../src/limits.ts';
import { unattributedOf } from '../../src/orders/bookings.ts';
import type { VenueFill } from '../../src/venues/venue.ts';
import { listed, POD, Rig, shares } from '../orders/orders-rig.ts';

const FILLS = 300;
const ROWS_MAX = 100;
const SPAN_MS = 6 * 3_600_000;

/** Somebody has traded with the account for hours; the venue lists a hundred fills and no more. */
class Busy {
  readonly rig = new Rig('venue_a');
  /** Called with each part while it is being read. */
  onPart: (since: UnixMillis, until: UnixMillis | null) => void = () => {};
  readonly #fills: VenueFill[];

  constructor() {
    const { rig } = this;
    const now = rig.timers.now();
    this.#fills = Array.from({ length: FILLS }, (_, index) => ({
      ...rig.fill(`f${index}`, 1, { venueOrderId: `other-${index}` }),
      executedAt: Math.floor(now - SPAN_MS + (index * SPAN_MS) / FILLS) as UnixMillis,
    }));
    rig.venue.fillsSince = (since, until = null) => {
      const end = until ?? Number.POSITIVE_INFINITY;
      const rows = this.#fills.filter(({ executedAt: at }) => at >= since && at <= end);
      if (rows.length > ROWS_MAX) return Promise.resolve({ ok: false, error: 'more than one page' });
      this.onPart(since, until);
      return Promise.resolve(listed(rows));
    };
  }

  fail(index: number): void {
    this.#fills[index] = { ...this.#fills[index]!, settlement: 'FAILED' };
    this.rig.hear({ type: 'settlement', fillId: `f${index}`, settlement: 'FAILED' });
  }

  isKnown(index: number): boolean {
    return this.rig.store.fill(this.rig.account, `f${index}`) !== null;
  }

  async readAll(): Promise<void> {
    this.rig.executions.start();
    for (let reading = 0; reading < 200; reading += 1) await this.rig.sweep(limits.accountReadRetryMsMax);
    expect(this.rig.news.at(-1)).toEqual({ type: 'read' });
  }

  get booked(): number {
    return this.rig.position(unattributedOf(POD));
  }
}

it('the trade is read again when the other parts have been read', async () => {
  const busy = new Busy();
  const failedIn: (UnixMillis | null)[] = [];
  busy.onPart = (_since, until) => {
    if (!busy.isKnown(0) || failedIn.length > 0) return;
    failedIn.push(until);
    busy.fail(0);
  };
  await busy.readAll();
  // There were parts to come.
  expect(failedIn).toEqual([expect.any(Number)]);
  expect(busy.booked).toBe(shares(FILLS - 1));
});

it('the trade is read again though an older one is being read for the same reason', async () => {
  const busy = new Busy();
  const failed: number[] = [];
  busy.onPart = (_since, until) => {
    // With the last part: that of the first time, and that of the second.
    if (!busy.isKnown(FILLS - 2) || until !== null || failed.length === 2) return;
    busy.fail(failed.length);
    failed.push(failed.length);
  };
  await busy.readAll();
  expect([failed, busy.booked]).toEqual([[0, 1], shares(FILLS - 2)]);
});
