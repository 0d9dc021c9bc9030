// Orders of venue B that are looked up in the lists of the venue.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import type { Result } from '../../../../src/core/domain/result.ts';
import { limits } from '../../../../src/limits.ts';
import type { Listed, LookUp } from '../../../../src/venues/venue.ts';
import {
  balance,
  fillsSince,
  ordersSince,
  positions,
  restingOrders,
} from '../../../../src/venues/venue-b/trading/account.ts';
import { submitOutcome } from '../../../../src/venues/venue-b/trading/answers.ts';
import { lookUp } from '../../../../src/venues/venue-b/trading/look-up.ts';
import { fillRecordOf, orderRecordOf } from '../../../../src/venues/venue-b/trading/reported-rows.ts';
import type { VenueBRest } from '../../../../src/venues/venue-b/trading/rest.ts';
import { ABSENT, found, Rig, TIMEOUT, YES_BUY } from '../../../orders/life/orders-rig.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { size } from '../../trading-rig.ts';
import { answer, request } from './scripted-answers.ts';
import { FILL, ORDER, scriptedRest, scriptedSettlements } from './scripted-rest.ts';

// An order whose answer was lost never came to venue B. The gateway gives it up after 30 s without a trace (contract §4.7). Before that it
// searches all orders of the market, in case the order was sent long ago. If the market has more orders than the gateway can read, that
// search never ended. The order stayed SUBMITTED. After a restart the account was not traded, because not every order had been looked up.
describe('3195: a market with too many orders', () => {
  const TOO_LONG = { type: 'unavailable', message: 'more pages than are read' } as const satisfies LookUp;

  it('an order without a trace is given up although its market has more orders than are read', async () => {
    const rig = new Rig();
    await rig.submit(TIMEOUT);
    const looks = () => Array.from({ length: 30 }, () => [ABSENT, TOO_LONG]).flat();
    await rig.timers.settle(limits.absenceProvenMs);
    rig.venue.lookUps = looks();
    await rig.sweep();
    expect(rig.order().status).toBe('SUBMITTED');
    expect(rig.venue.calls.at(-1)).toBe('lookUp at any time');
    rig.venue.lookUps = looks();
    await rig.sweep(limits.absenceUnsearchedMs);
    expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'UNKNOWN' } });
  });

  it('a search among more orders than are read finds nothing out', async () => {
    const rig = new Rig();
    await rig.submit(TIMEOUT);
    let pages = 0;
    const rest = scriptedRest(() => {
      pages += 1;
      return { cursor: `page-${pages}`, orders: [{}] };
    }, rig.timers);
    const { order, intent } = rig.store.order(rig.id())!;
    const looked = await lookUp(rest, { ...order, sentAt: null }, intent!, rest.deadline());
    expect(looked).toMatchObject({ type: 'unavailable', message: expect.stringContaining('venueBPagesMax') });
  });
});

// The answer of an order was lost. Venue B's list of its market shows the order on the first page, because the newest orders come first.
// The look-up read all pages of four minutes before it searched them. A bot with some thousand orders there got no look-up done within its
// 5 s.
it('3197: a look-up reads no page after the one with the order', async () => {
  const rig = new Rig();
  await rig.submit(TIMEOUT);
  const { order, intent } = rig.store.order(rig.id())!;
  const others = Array.from({ length: 3 }, (_, index) => ({
    ...ORDER,
    order_id: `other-${index}`,
    client_order_id: 'other',
  }));
  const its = { ...ORDER, order_id: 'its', client_order_id: intent!.clientOrderId };
  let pages = 0;
  const rest = scriptedRest(target => {
    if (!target.includes('/portfolio/orders')) return { fills: [] };
    pages += 1;
    return { cursor: `page-${pages}`, orders: pages === 2 ? [...others, its] : others };
  }, rig.timers);
  const looked = await lookUp(rest, order, intent!, rest.deadline());
  expect([looked, pages]).toMatchObject([{ type: 'found', venueOrderId: 'its' }, 2]);
});

// An order that was filled at unstated prices was answered 201 CANCELLED with nothing filled. That stayed the answer to its idempotency
// key. Now the traded amount is looked up.
it('0131: an order filled at prices that are not said is looked up, and answered as it turns out', async () => {
  const rig = new Rig();
  rig.venue.lookUps = [found('gone', [rig.fill('f', 10)])];
  const filled = { order_id: 'v-1', client_order_id: 'c', fill_count: '10.00', remaining_count: '0.00' };
  expect(await rig.submit(submitOutcome(YES_BUY, 'c', answer(201, filled)))).toMatchObject({
    type: 'made',
    status: 'FILLED',
  });
});

// An answer with a null client id counted as the answer to another order, so an accepted order was a 502. Null averages had the same
// effect. A fill with a null fee was unreadable, and so was its account.
describe('0265: null is what is not set', () => {
  const TAKEN = { order_id: 'order', client_order_id: 'ours', fill_count: '0.00', remaining_count: '10.00', ts_ms: 1 };
  const PARTLY = { ...TAKEN, fill_count: '4.00', remaining_count: '6.00' };

  describe.each([null, undefined])('%s in an answer to a new order', unset => {
    it.each([
      ['its own id', { ...TAKEN, client_order_id: unset }, { size: 0 }],
      ['averages of nothing', { ...TAKEN, average_fill_price: unset, average_fee_paid: unset }, { size: 0 }],
      ['averages of what it took', { ...PARTLY, average_fill_price: unset, average_fee_paid: unset }, null],
      ['the fee', { ...PARTLY, average_fill_price: '0.5200', average_fee_paid: unset }, { size: size('4'), fees: 0 }],
    ])('for %s', (_what, body, stated) => {
      const outcome = submitOutcome(request(), 'ours', answer(201, body));
      expect(outcome).toMatchObject({ type: 'accepted', venueOrderId: 'order', state: 'rests', stated });
    });

    it('for the averages of what is filled whole: it is looked up', () => {
      const body = { ...PARTLY, fill_count: '10.00', remaining_count: '0.00', average_fill_price: unset };
      expect(submitOutcome(request(), 'ours', answer(201, body)).type).toBe('exists');
    });

    it('for sums of an order, and for the fee of a fill', () => {
      const sums = { maker_fill_cost_dollars: unset, maker_fees_dollars: unset };
      const order = { ...ORDER, fill_count_fp: '1.00', remaining_count_fp: '9.00', ...sums };
      expect(orderRecordOf(order)).toMatchObject({ stated: { size: size('1'), fees: 10_000 } });
      expect(fillRecordOf({ ...FILL, fee_cost: unset })).toMatchObject({ fee: 0, size: size('2.5') });
    });
  });
});

// A whole list had the time of a single request. So an account with more pages than fit into it, at the pace of the venue, was not read at
// all. Such an account took no orders, or a month of its settlements was never read. Now each page has that time. A list for which a caller
// waits still has that time as a whole.
describe('0266: a list of many pages', () => {
  const SINCE = 0 as UnixMillis;
  const PAGES = 12;
  const PAGE_MS = 600;
  const ROWS = {
    orders: ORDER,
    fills: FILL,
    market_positions: { ticker: 'KXA', position_fp: '1.00' },
    settlements: { ticker: 'KXA', market_result: 'yes', settled_time: '2026-06-11T06:29:30Z' },
  };

  /** Returns a venue with lists of many pages. Each page takes its time. */
  function slowVenue(): { readonly rest: VenueBRest; readonly timers: VirtualTimers } {
    const timers = new VirtualTimers();
    const page = (target: string): object => {
      if (target.includes('/balance')) return { balance_dollars: '1.0000' };
      const { searchParams, pathname } = new URL(target, 'http://venue.test');
      const name = pathname.split('/').at(-1)!.replace('positions', 'market_positions') as keyof typeof ROWS;
      const number = Number(searchParams.get('cursor') ?? 1);
      return { [name]: [ROWS[name]], cursor: number < PAGES ? String(number + 1) : '' };
    };
    const answer = (target: string) => new Promise(resolve => void timers.after(PAGE_MS, () => resolve(page(target))));
    return { rest: scriptedRest(answer, timers), timers };
  }

  /** Lets time pass until everything is read: the live list, perhaps the cutoffs, and an archived list. */
  async function waitedFor<T>(timers: VirtualTimers, value: Promise<T>): Promise<T> {
    let isRead = false;
    const read = value.finally(() => {
      isRead = true;
    });
    for (let page = 0; page < 4 * PAGES && !isRead; page += 1) await timers.settle(PAGE_MS);
    expect(isRead).toBe(true);
    return read;
  }

  it.each<[string, (rest: VenueBRest) => Promise<Result<readonly unknown[] | Listed<unknown>, string>>]>([
    ['what rests', rest => restingOrders(rest)],
    ['orders', rest => ordersSince(rest, SINCE)],
    ['fills', rest => fillsSince(rest, SINCE)],
    ['positions', rest => positions(rest)],
  ])('%s: all pages are read, in any time that they take together', async (_what, list) => {
    const { rest, timers } = slowVenue();
    expect(PAGES * PAGE_MS).toBeGreaterThan(limits.upstreamRestTimeoutMs);
    const read = await waitedFor(timers, list(rest));
    expect(read.ok && ('rows' in read.value ? read.value.rows : read.value)).toHaveLength(PAGES);
  });

  it('settlements, too', async () => {
    const { rest, timers } = slowVenue();
    const { settlements, reported } = scriptedSettlements(rest, timers);
    settlements.readSoon();
    await timers.settle(limits.venueBSettlementsPauseMs);
    for (let page = 0; page < 2 * PAGES; page += 1) await timers.settle(PAGE_MS);
    settlements.stop();
    expect(reported).toHaveLength(PAGES);
  });

  it('a balance is waited for no longer than a read', async () => {
    const { rest, timers } = slowVenue();
    const asked = balance(rest, false);
    const ended = asked.then(() => true);
    for (let ms = 0; ms <= limits.upstreamRestTimeoutMs; ms += PAGE_MS) await timers.settle(PAGE_MS);
    expect(await Promise.race([ended, Promise.resolve(false)])).toBe(true);
    expect(await asked).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
  });
});
