// Trades that fail after they were booked.

import { beforeEach, describe, expect, it } from 'vitest';
import { fraction } from '../../../src/core/domain/fraction.ts';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { MicroDollars, MicroShares, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { NO_PRICES } from '../../../src/core/domain/position.ts';
import { limits } from '../../../src/limits.ts';
import { unattributedOf } from '../../../src/orders/life/bookings.ts';
import { listPositions, Valuation } from '../../../src/orders/life/owner-values.ts';
import type { VenueFill } from '../../../src/venues/venue.ts';
import { ACTOR, found, listed, POD, RESTS, Rig, shares, TOKEN_SELL, ticks } from './orders-rig.ts';

// While the account's fills were being read in parts, the request to read the failed trade again got lost. The next part followed, and the
// last part ended the reading.
describe('0080: an older trade that fails while fills are read in parts', () => {
  const FILLS = 300;
  const ROWS_MAX = 100;
  const SPAN_MS = 6 * 3_600_000;

  /** A venue where somebody has traded with the account for hours. It lists only a hundred fills. */
  class Busy {
    readonly rig = new Rig('venue_a');
    /** Called with each part while the part is being read. */
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
    // More parts of the reading were to come.
    expect(failedIn).toEqual([expect.any(Number)]);
    expect(busy.booked).toBe(shares(FILLS - 1));
  });

  it('the trade is read again though an older one is being read for the same reason', async () => {
    const busy = new Busy();
    const failed: number[] = [];
    busy.onPart = (_since, until) => {
      // The trade fails during the last part: that of the first reading, and that of the second.
      if (!busy.isKnown(FILLS - 2) || until !== null || failed.length === 2) return;
      busy.fail(failed.length);
      failed.push(failed.length);
    };
    await busy.readAll();
    expect([failed, busy.booked]).toEqual([[0, 1], shares(FILLS - 2)]);
  });
});

// For each failed trade the gateway booked all later trades again. That is more than a transaction takes, and the thread died at every
// start.
describe('0081: many trades of an order that fail together', () => {
  const FAILED = 600;
  const { tokenId } = TOKEN_SELL;

  it('an order is looked up though hundreds of its trades have failed', async () => {
    const rig = new Rig('venue_a');
    const request = { ...TOKEN_SELL, side: 'BUY', size: shares(2 * FAILED) } as const;
    await rig.submit(RESTS, { request, bodySha256Hex: 'a'.repeat(64) });
    const traded = Array.from({ length: FAILED + 1 }, (_, index) => {
      return rig.fill(`${index}:0x${'a'.repeat(64)}:0x${'b'.repeat(64)}`, 1);
    });
    for (const fill of traded) rig.hear({ type: 'fill', fill });
    const fills = traded.map((fill, index) => ({ ...fill, settlement: index === 0 ? 'MINED' : 'FAILED' }) as const);
    rig.venue.lookUps = [{ type: 'found', venueOrderId: `digest-${rig.id()}`, state: 'rests', stated: null, fills }];
    rig.hear({ type: 'settlement', fillId: fills[1]!.fillId, settlement: 'FAILED' });
    await rig.sweep(limits.lookPauseMs);
    expect(rig.order()).toMatchObject({ status: 'OPEN', filled: { size: shares(1) } });
    const left = { size: shares(1), average: fraction(5_600n), realized: fraction(0n) };
    expect(rig.store.position(ACTOR, 'venue_a', tokenId)).toMatchObject(left);
    expect(rig.store.movements(ACTOR, 'venue_a', tokenId, 10)).toHaveLength(1);
  });
});

// If the later bookings alone exceeded the exact range, the position could not be stored, and the thread died at every start.
describe('0084: a failed trade without which nothing is exact', () => {
  const NOBODY = unattributedOf(POD);
  const MOST = Number.MAX_SAFE_INTEGER;
  const { tokenId } = TOKEN_SELL;

  let rig: Rig;
  beforeEach(() => {
    rig = new Rig('venue_a');
  });

  const trade = (fillId: string, change: number) => {
    const size = Math.abs(change) as MicroShares;
    return rig.fill(fillId, 1, { size, positionChange: change as MicroShares, venueOrderId: 'foreign' });
  };

  it.each([
    ['is remembered', 0],
    ['is not remembered any more', 1],
  ])('stays, with a word, where it %s', (_what, forgotten) => {
    const bought = trade('bought', MOST);
    for (const fill of [bought, trade('sold', -MOST), trade('sold again', -MOST)]) rig.hear({ type: 'fill', fill });
    for (const booked of rig.store.movements(NOBODY, 'venue_a', tokenId, forgotten)) {
      rig.store.change(to => to.deleteBooked(NOBODY, booked));
    }
    rig.hear({ type: 'fill', fill: { ...bought, settlement: 'FAILED' } });
    expect(rig.store.position(NOBODY, 'venue_a', tokenId)).toMatchObject({ size: -MOST });
    expect(rig.store.fill(rig.account, 'bought')?.fill.settlement).toBe('MATCHED');
    expect(rig.divergences.at(-1)).toBe('uncountable-fill');
  });
});

// The seller owed the shares, but the seller's list of positions had no row for them. So the seller was short and did not know.
describe('0113: shares sold that a failed trade took back', () => {
  const { tokenId } = TOKEN_SELL;
  const caller = { podId: POD, actorId: ACTOR, keyId: 'key' };

  async function traded(rig: Rig, side: 'BUY' | 'SELL', price: number): Promise<void> {
    await rig.submit(RESTS, { request: { ...TOKEN_SELL, side, size: shares(10) }, idempotencyKey: side });
    const [change, at] = [shares(side === 'BUY' ? 10 : -10), ticks(price)];
    const names = { venueOrderId: `digest-${rig.id(side)}`, positionChange: change, price: at, addressPrice: at };
    rig.hear({ type: 'fill', fill: rig.fill(side, 10, names) });
  }

  it('the shares are owed, and shown as owed until they are bought back', async () => {
    const rig = new Rig('venue_a');
    const valuation = new Valuation(rig.store, () => NO_PRICES);
    const read = async () => {
      const { body } = await listPositions(valuation, {
        name: 'positions',
        venue: 'venue_a',
        caller,
        address: null,
        hasTotals: true,
      });
      return JSON.parse(body);
    };
    const positions = async () => (await read()).positions;
    await traded(rig, 'BUY', 4_000);
    await traded(rig, 'SELL', 4_500);
    // The closed position is not listed, and its profit is in the totals.
    expect(await read()).toMatchObject({ positions: [], realized: 500_000 });
    rig.hear({ type: 'settlement', fillId: 'BUY', settlement: 'FAILED' });
    const owed = { size: '-10', averagePrice: '0.45', mark: '0.45', valueUsd: '-4.5', unrealizedPnlUsd: '0' };
    expect(await positions()).toEqual([{ tokenId, ...owed, redeemable: false }]);
    expect(rig.divergences).toEqual(['shares-owed']);
  });
});

// The gateway looked for such a failure within sixteen minutes after the match, and never later. The order stayed FILLED, and its owner
// kept shares that did not exist. Now the gateway reads trades again until they have settled.
describe('0129: a trade that fails an hour later', () => {
  /** A trade that the venue lists by the time of its match. */
  async function traded() {
    const rig = await Rig.submitted(RESTS, 'venue_a');
    const fill = rig.fill('f', 10);
    let reported: VenueFill = fill;
    rig.venue.fillsSince = since => Promise.resolve(listed(reported.executedAt >= since ? [reported] : []));
    rig.hear({ type: 'fill', fill });
    rig.executions.start();
    const wait = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += limits.accountReadMs) await rig.sweep(limits.accountReadMs);
    };
    await wait(limits.accountReadMs);
    const settle = (settlement: VenueFill['settlement']): void => {
      reported = { ...fill, settlement };
    };
    return { rig, wait, settle };
  }

  it.each([20, 55])('a trade is taken out when it fails %i minutes after it was made', async minutes => {
    const { rig, wait, settle } = await traded();
    await wait(minutes * 60_000);
    expect(rig.position()).toBe(shares(10));
    settle('FAILED');
    await wait(2 * limits.accountReadMs);
    expect(rig.position()).toBe(0);
  });

  it('a trade is not read for ever', async () => {
    const { rig, wait, settle } = await traded();
    await wait(limits.accountSettlingMs + 2 * limits.accountReadOverlapMs);
    settle('FAILED');
    await wait(2 * limits.accountReadMs);
    expect(rig.position()).toBe(shares(10));
  });
});

// At venue A an order is replaced by a cancel and a new order. A trade of the former order failed in between. So more was left of the order
// than at the check of its actor's limits. The new order was sent with a cost past `notionalMax` (simulation, seed 8 040 494).
describe('3213: a failed trade passes a limit', () => {
  it.each([
    ['is not sent', 6_719_999, ['cancel', 'lookUp'], 'REJECTED'],
    ['is sent within the limit', 6_720_000, ['cancel', 'lookUp', 'submit SUBMITTED'], 'OPEN'],
  ] as const)('a new order whose size has grown since its check %s', async (_what, notionalMax, calls, status) => {
    const rig = await Rig.submitted(RESTS, 'venue_a');
    const trade = rig.fill('t-1', 3);
    rig.hear({ type: 'fill', fill: trade });
    rig.venue.calls.length = 0;
    rig.venue.lookUps = [found('gone', [{ ...trade, settlement: 'FAILED' }])];
    rig.venue.submits = [{ ...RESTS, venueOrderId: `digest-${rig.id('new')}` }];
    const limits = { ...NO_LIMITS, notionalMax: notionalMax as MicroDollars };
    const answer = await rig.replace({ total: shares(12) }, { limits });
    expect(rig.venue.calls).toEqual(calls);
    const [old, order] = [rig.order(), rig.order(rig.id('new'))];
    expect([old.status, order.status]).toEqual(['CANCELLED', status]);
    if (status === 'REJECTED') expect(answer).toMatchObject({ kind: 'invalid', message: order.error?.message });
    if (status === 'REJECTED') expect(order.error).toMatchObject({ code: 'NOT_FEASIBLE', message: /notionalMax/ });
  });
});
