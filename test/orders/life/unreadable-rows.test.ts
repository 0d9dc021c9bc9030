// One row of a venue’s list that cannot be read.

import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/core/domain/answer.ts';
import { limits } from '../../../src/limits.ts';
import { unattributedOf } from '../../../src/orders/life/bookings.ts';
import { readMark } from '../../../src/orders/life/reading-window.ts';
import { unreadRow } from '../../../src/venues/unread-rows.ts';
import type { UnreadRow } from '../../../src/venues/venue.ts';
import { submit } from '../../support/submitted.ts';
import { found, POD, RESTS, Rig, shares, TIMEOUT, YES_BUY } from './orders-rig.ts';

// One unreadable row blinded an account. Filled orders stayed SUBMITTED while the row was listed, and after a restart the venue took no
// order at all. Now good rows count. A bad one holds the orders and markets that it names, or the account if it names none. It is counted,
// reported with its form, requested again, and applied once when it can be read.
describe('3004: one unreadable row', () => {
  const MARKET = YES_BUY.ticker;
  const OTHER = { ...YES_BUY, ticker: 'KXGAME-2' } as const;
  const named = (venueOrderId: string) => ({ venueOrderId, clientOrderId: null });
  const NOBODY = unattributedOf(POD);

  function row(change: Parameters<typeof unreadRow>[3] = {}): UnreadRow {
    const all = { tradeId: 'bad', orders: [named('foreign')], addresses: [MARKET], ...change };
    return unreadRow('fill', 'bad', { trade_id: 'bad', count_fp: '' }, all);
  }

  /** Reads two orders. The venue lists only a fill of one order, and a row that cannot be read. */
  async function read(change: Parameters<typeof unreadRow>[3] = {}) {
    const rig = await Rig.submitted(RESTS);
    rig.venue.fills = [rig.fill('good', 10)];
    rig.venue.lookUps = [found('gone', rig.venue.fills)];
    rig.venue.unread = [row({ at: rig.timers.now(), ...change })];
    rig.executions.start();
    await rig.sweep(100);
    return rig;
  }

  const again = (rig: Rig): Rig => {
    const next = new Rig('venue_b', rig.restarted());
    next.timers.setClock(rig.timers.now() - next.timers.now());
    next.venue.unread = rig.venue.unread;
    return next;
  };

  /** A new order there. */
  async function tried(rig: Rig, request: typeof YES_BUY | typeof OTHER): Promise<Answer> {
    rig.venue.submits = [{ ...RESTS, venueOrderId: `v-${request.ticker}-${rig.timers.now()}` }];
    return submit(rig.parts, rig.submission({ request, idempotencyKey: `${request.ticker}-${rig.timers.now()}` }));
  }

  describe('a fill that was not made here', () => {
    it('holds its market, and nothing else', async () => {
      const rig = await read();
      expect([rig.order().status, rig.position()]).toEqual(['FILLED', shares(10)]);
      expect(rig.executions.isRead(rig.account)).toBe(true);
      const refusal = {
        type: 'refused',
        kind: 'unavailable',
        message: expect.stringMatching(/cannot be read.*nothing was sent/),
      };
      expect(await tried(rig, YES_BUY)).toMatchObject(refusal);
      expect(rig.venue.calls.filter(call => call.startsWith('submit'))).toHaveLength(1);
      expect(await tried(rig, OTHER)).not.toMatchObject({ type: 'refused' });
    });

    it('is reported once, with its form, however often it is read', async () => {
      const rig = await read();
      await rig.sweep(limits.accountReadMs);
      await rig.sweep(limits.accountReadMs);
      expect(rig.divergences).toEqual(['unreadable-row']);
      expect(rig.news).toContainEqual({ type: 'held', rows: 1 });
      expect(row().form).toBe('{trade_id: text, count_fp: empty text}');
    });

    it('holds its market after a restart, too, from the first moment on, and the account is read', async () => {
      const next = again(await read());
      expect(await tried(next, YES_BUY)).toMatchObject({ type: 'refused' });
      next.executions.start();
      await next.sweep(100);
      expect(next.executions.isRead(next.account)).toBe(true);
      expect(await tried(next, YES_BUY)).toMatchObject({ type: 'refused' });
      expect(await tried(next, OTHER)).not.toMatchObject({ type: 'refused' });
    });

    it('is applied once when it can be read, by a later process as well, and its market is free', async () => {
      const rig = await read();
      const reported = rig.fill('bad', 4, { clientOrderId: null, venueOrderId: 'foreign' });
      // Hours pass.
      for (let sweep = 0; sweep < 10; sweep += 1) await rig.sweep(limits.accountSettlingMs);
      const next = again(rig);
      expect(readMark(next.store, next.account, next.timers.now())).toBeLessThanOrEqual(reported.executedAt);
      next.venue.unread = [];
      next.venue.fillsSince = (since, until = null) => {
        const isIn = reported.executedAt >= since && reported.executedAt <= (until ?? Number.POSITIVE_INFINITY);
        return Promise.resolve({ ok: true, value: { rows: isIn ? [reported] : [], unread: [] } });
      };
      next.executions.start();
      for (let sweep = 0; sweep < 3; sweep += 1) await next.sweep(limits.accountReadMs);
      expect([next.position(NOBODY), next.position()]).toEqual([shares(4), shares(10)]);
      expect(await tried(next, YES_BUY)).not.toMatchObject({ type: 'refused' });
      expect(readMark(next.store, next.account, next.timers.now())).toBeGreaterThan(reported.executedAt);
    });

    it('is requested by itself, without all that has been read since', async () => {
      const rig = await read();
      for (let sweep = 0; sweep < 10; sweep += 1) await rig.sweep(limits.accountSettlingMs);
      const [span, rest] = rig.venue.asked.slice(-2);
      const at = rig.venue.unread[0]!.at!;
      expect(span).toEqual([at - limits.accountReadOverlapMs, at + limits.accountReadOverlapMs]);
      expect(rest![0]).toBeGreaterThan(at + 5 * limits.accountSettlingMs);
    });

    it('keeps the mark where it is if it does not say when it was', async () => {
      const rig = await read({ at: null });
      const mark = readMark(rig.store, rig.account, rig.timers.now());
      for (let sweep = 0; sweep < 5; sweep += 1) await rig.sweep(limits.accountSettlingMs);
      expect(readMark(rig.store, rig.account, rig.timers.now())).toBe(mark);
      expect(rig.venue.asked.at(-1)).toEqual(rig.venue.asked.at(-2));
    });

    it('is not booked as unattributed from the list of holdings meanwhile', async () => {
      const rig = await read();
      rig.venue.held = { ok: true, value: [{ address: MARKET, size: shares(14), isRedeemable: false }] };
      await rig.sweep(limits.holdingsSettleMs);
      for (let look = 0; look < 4; look += 1) await rig.sweep(limits.holdingsAuditMs);
      expect(rig.position(NOBODY)).toBe(0);
      rig.venue.unread = [];
      for (let look = 0; look < 4; look += 1) await rig.sweep(limits.holdingsAuditMs);
      expect(rig.position(NOBODY)).toBe(shares(4));
    });
  });

  describe('a row', () => {
    it('that names neither an order nor a market holds the account, and good ones count', async () => {
      const rig = await read({ orders: [], addresses: [] });
      expect([rig.order().status, rig.executions.isRead(rig.account)]).toEqual(['FILLED', false]);
      expect(rig.news.at(-1)).toMatchObject({
        type: 'unread',
        message: expect.stringContaining('neither order nor market'),
      });
      expect(await tried(rig, OTHER)).toMatchObject({
        type: 'refused',
        message: expect.stringContaining('so that its market is not known'),
      });
      rig.venue.unread = [];
      await rig.sweep(limits.accountReadRetryMsMax);
      expect(rig.executions.isRead(rig.account)).toBe(true);
      expect(await tried(rig, OTHER)).not.toMatchObject({ type: 'refused' });
    });

    it('that is only unreported, of an order that was made here, holds that order and no market', async () => {
      const rig = await read({ orders: [named('v-1')], isUnreported: true });
      expect(await tried(rig, YES_BUY)).not.toMatchObject({ type: 'refused' });
      expect(rig.divergences).toEqual([]);
      // The row is requested again soon, and reported if it is still unreadable.
      const { length } = rig.venue.asked;
      await rig.sweep(2 * limits.accountReadRetryMs);
      expect(rig.venue.asked.length).toBeGreaterThan(length);
      expect(rig.divergences).toEqual(['unreadable-row']);
    });

    it('of a trade that is booked already holds nothing', async () => {
      const rig = await read({ orders: [named('v-1')] });
      await rig.sweep(limits.accountReadMs);
      rig.venue.unread = [row({ at: rig.timers.now(), orders: [named('v-1')], tradeId: 'good' })];
      await rig.sweep(limits.accountReadMs);
      expect(await tried(rig, YES_BUY)).not.toMatchObject({ type: 'refused' });
    });

    it('of what rests, without a readable id, holds its market; with one nothing but that order', async () => {
      const rig = await read();
      rig.venue.unread = [unreadRow('order', '', { status: 'odd' }, { addresses: [MARKET] })];
      await rig.sweep(limits.accountReadMs);
      expect(await tried(rig, YES_BUY)).toMatchObject({ type: 'refused' });
      rig.venue.unread = [
        unreadRow('order', 'o', { status: 'odd' }, { addresses: [MARKET], orders: [named('foreign')] }),
      ];
      await rig.sweep(limits.accountReadMs);
      expect(await tried(rig, YES_BUY)).not.toMatchObject({ type: 'refused' });
    });
  });

  describe('an order', () => {
    it('whose look shows what cannot be read stays as it is, and its account is read', async () => {
      const rig = await Rig.submitted(TIMEOUT);
      rig.venue.lookUps = [
        { type: 'held', row: unreadRow('order', 'v-1', { status: 'pending' }, { orders: [named('v-1')] }) },
      ];
      rig.executions.start();
      for (let sweep = 0; sweep < 60; sweep += 1) await rig.sweep();
      expect([rig.order().status, rig.executions.isRead(rig.account)]).toEqual(['SUBMITTED', true]);
      expect(rig.divergences).toEqual(['unreadable-row']);
      rig.venue.lookUps = [found('gone', [rig.fill('f', 10)])];
      for (let sweep = 0; sweep < 10; sweep += 1) await rig.sweep();
      expect([rig.order().status, rig.position()]).toEqual(['FILLED', shares(10)]);
    });

    it('can be cancelled, too', async () => {
      const rig = await Rig.submitted(TIMEOUT, 'venue_a');
      rig.venue.lookUps = [{ type: 'held', row: unreadRow('order', 'v', { status: 'odd' }, {}) }];
      rig.venue.cancels = [{ type: 'cancelled' }];
      void rig.cancel(rig.id());
      rig.executions.start();
      for (let sweep = 0; sweep < 5; sweep += 1) await rig.sweep();
      expect(rig.venue.calls).toContain('cancel');
      expect(rig.order().status).toBe('SUBMITTED');
    });

    it('is not ended by its stream while a fill of it cannot be read', async () => {
      const rig = await Rig.submitted(RESTS);
      rig.venue.open = [rig.venueOrder()];
      rig.venue.unread = [row({ orders: [named('v-1')], at: rig.timers.now() })];
      rig.executions.start();
      await rig.sweep(100);
      rig.venue.open = [];
      rig.venue.lookUps = [{ type: 'held', row: rig.venue.unread[0]! }];
      rig.hear({ type: 'order', order: rig.venueOrder({ state: 'gone' }) });
      await rig.sweep();
      expect(rig.order().status).toBe('OPEN');
      rig.venue.unread = [];
      rig.venue.lookUps = [found('gone', [rig.fill('bad', 4)])];
      await rig.sweep(limits.accountReadMs);
      expect([rig.order().status, rig.position()]).toEqual(['CANCELLED', shares(4)]);
    });
  });

  it('a message that cannot be read is counted, and the account is read at once, but not for every one of many', async () => {
    const rig = new Rig();
    rig.executions.start();
    await rig.pass(20, 10);
    await rig.sweep(limits.accountRereadMs);
    const { length } = rig.venue.asked;
    for (let at = 0; at < 100; at += 1) rig.hear({ type: 'unread', row: row() });
    await rig.sweep();
    expect(rig.venue.asked.length).toBe(length + 1);
    for (let second = 0; second < 8; second += 1) {
      rig.hear({ type: 'unread', row: row() });
      await rig.sweep();
    }
    expect(rig.venue.asked.length).toBe(length + 1);
    await rig.sweep(limits.accountRereadMs);
    expect(rig.venue.asked.length).toBeGreaterThan(length + 1);
    expect(rig.divergences).toEqual(['unreadable-row']);
  });
});
