// Venue B's archive. It gets ended orders two weeks after their last change, and fills and settled markets after three months. An order
// that traded long ago is found with its fills, in the archive or in the live lists.

import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/core/domain/durations.ts';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { type Order, transition } from '../../../../src/core/domain/order.ts';
import { fillsSince, ordersSince } from '../../../../src/venues/venue-b/trading/account.ts';
import { lookUp } from '../../../../src/venues/venue-b/trading/look-up.ts';
import { payoutOf } from '../../../../src/venues/venue-b/trading/settlements.ts';
import { look, type Placed, place, price, size } from '../../trading-rig.ts';
import { INTENT, orderOf, request } from './scripted-answers.ts';
import { FILL, ORDER, scriptedRest } from './scripted-rest.ts';
import { VenueBTradingRig } from './trading-rig.ts';

/** A purchase for 4 dollars, which rests until another trader sells. */
const WISH = { side: 'BUY', price: price('0.4'), size: size('10') } as const;
const DONE = { size: size('10'), cost: 10_000_000n * 4_000n } as const;

describe('4001: an order', () => {
  let rig: VenueBTradingRig;

  /** Places an order that rests at first. */
  async function placed(): Promise<Placed> {
    rig = await VenueBTradingRig.open({ listing: { closesInH: 24 * 365 } });
    return place(rig, WISH);
  }

  async function sold(contracts: string, afterDays: number): Promise<void> {
    await rig.advance(afterDays * DAY_MS);
    rig.others('SELL', WISH.price, size(contracts), 'take');
  }

  /** Returns the order as the gateway has it after an absence: open, or without an answer. */
  function asKnown({ order, intent }: Placed, status: 'OPEN' | 'SUBMITTED'): Pick<Placed, 'order' | 'intent'> {
    if (status === 'OPEN') return { order, intent };
    return { order: { ...order, status, venueOrderId: null } as Order, intent };
  }

  describe('that ended while the gateway was down', () => {
    it.each([
      ['OPEN', 2, 18],
      ['SUBMITTED', 2, 18],
      ['OPEN', 1, 32],
      ['OPEN', 1, 100],
      ['SUBMITTED', 1, 100],
    ] as const)(
      '%s, filled after %i days and looked for %i days later, has its fill',
      async (status, fillDays, days) => {
        const order = await placed();
        await sold('10', fillDays);
        await rig.advance(days * DAY_MS);
        const found = await look(rig, asKnown(order, status));
        expect(found).toMatchObject({ type: 'found', state: 'gone', stated: DONE, fills: [{ price: price('0.4') }] });
      },
    );

    it('has the fills of both sides, each once', async () => {
      const order = await placed();
      await sold('4', 1);
      await sold('6', 60);
      await rig.advance(40 * DAY_MS);
      const found = await look(rig, order);
      expect(found).toMatchObject({ type: 'found', state: 'gone', stated: DONE });
      expect(found).toMatchObject({ fills: [{ size: size('4') }, { size: size('6') }] });
    });

    it('is found without a time of its sending, too', async () => {
      const { order, intent } = await placed();
      await sold('10', 1);
      await rig.advance(19 * DAY_MS);
      const forgotten = { ...order, venueOrderId: null, sentAt: null, createdAt: rig.now() };
      await rig.advance(DAY_MS);
      expect(await look(rig, { order: forgotten, intent })).toMatchObject({ type: 'found', stated: DONE });
    });

    // The archive (venue-b.md §4.5) was never read before. A resting order that had meanwhile filled ended as CANCELLED, without its fills.
    it.each([null, 'no such order'])(
      '3235: is absent once the archive lacks it, too, by the id %j',
      async venueOrderId => {
        const { order, intent } = await placed();
        await rig.advance(20 * DAY_MS);
        const named = { ...intent, clientOrderId: 'never sent' };
        const found = await look(rig, { order: { ...order, venueOrderId }, intent: named });
        expect(found).toEqual({ type: 'absent', isCurrent: true });
      },
    );
  });

  it('that still rests has its archived fills', async () => {
    const order = await placed();
    await sold('4', 1);
    await rig.advance(100 * DAY_MS);
    const found = await look(rig, order);
    expect(found).toMatchObject({ type: 'found', state: 'rests', stated: { size: size('4') }, fills: [{}] });
  });

  it('is listed: a reading that goes back for months has archived orders and fills', async () => {
    const { outcome } = await placed();
    const since = rig.now();
    await sold('10', 1);
    await rig.advance(100 * DAY_MS);
    await place(rig, WISH);
    await sold('10', 1);
    expect(await rig.trading.fillsSince(since)).toMatchObject({ value: { rows: [{}, {}], unread: [] } });
    const until = (since + 2 * DAY_MS) as UnixMillis;
    expect(await rig.trading.fillsSince(since, until)).toMatchObject({ value: { rows: [{}] } });
    const orders = await rig.trading.ordersSince(since);
    expect(orders).toMatchObject({ value: [{}, { venueOrderId: (outcome as { venueOrderId: string }).venueOrderId }] });
  });
});

describe('4001: what is asked', () => {
  const AT = 1_780_000_000_000;
  const NOTHING = { orders: [], fills: [], cursor: '' };
  const EXECUTED = { ...ORDER, status: 'executed', fill_count_fp: '10.00', remaining_count_fp: '0.00' };
  const FILLS = [{ ...FILL, book_side: 'bid', yes_price_dollars: '0.3500', count_fp: '10.00' }];
  const cutoffs = (orders: unknown, fills: unknown) => ({ orders_updated_ts: orders, trades_created_ts: fills });
  const ago = (days: number): string => new Date(AT - days * DAY_MS).toISOString();

  function sentAt(at: number): Order {
    const pending = orderOf(request({ price: WISH.price }), at);
    return transition(pending, { type: 'sent', at: pending.createdAt });
  }

  /** Looks up an order that was sent `days` ago and is in no live list. Returns the requested targets and the result. */
  async function asked(days: number, cutoff: unknown, archive: unknown) {
    const targets: string[] = [];
    const rest = scriptedRest(target => {
      targets.push(new URL(target, 'http://venue.test').pathname.replace('/v2', ''));
      if (target.includes('user_data_timestamp')) return { as_of_time: new Date(AT).toISOString() };
      if (target.includes('/historical/cutoff')) return cutoff;
      return target.includes('/historical/') ? archive : NOTHING;
    });
    const found = await lookUp(rest, sentAt(AT - days * DAY_MS), INTENT, rest.deadline());
    return { found, archived: targets.filter(target => target.includes('historical')) };
  }

  it('is the archive, for what may be older than the cutoff', async () => {
    const archive = { orders: [EXECUTED], fills: FILLS, cursor: '' };
    const { found, archived } = await asked(20, cutoffs(ago(14), ago(90)), archive);
    expect(found).toMatchObject({ type: 'found', state: 'gone', stated: { size: size('10') } });
    expect(archived).toEqual(['/historical/cutoff', '/historical/orders', '/historical/cutoff']);
  });

  it('is no archive, for what is younger than the cutoff', async () => {
    const { found, archived } = await asked(2, cutoffs(ago(14), ago(90)), { status: 503 });
    expect(found).toEqual({ type: 'absent', isCurrent: true });
    expect(archived).toEqual(['/historical/cutoff']);
  });

  it('is the archive, where the venue states no cutoff that can be read', async () => {
    const archive = { orders: [EXECUTED], fills: FILLS, cursor: '' };
    const { found } = await asked(2, cutoffs('soon', undefined), archive);
    expect(found).toMatchObject({ type: 'found', state: 'gone', fills: [{}] });
  });

  it.each([
    ['the cutoffs', { status: 503 }, NOTHING],
    ['the archive', cutoffs(ago(14), ago(90)), { status: 503 }],
  ])('decides nothing while %s cannot be read', async (_what, cutoff, archive) => {
    expect((await asked(20, cutoff, archive)).found).toMatchObject({ type: 'unavailable' });
  });

  it('is no cutoff, by a usual reading', async () => {
    const targets: string[] = [];
    const rest = scriptedRest(target => {
      targets.push(target);
      return NOTHING;
    });
    const since = (rest.now - DAY_MS + 1) as UnixMillis;
    expect([await fillsSince(rest, since), await ordersSince(rest, since)]).toMatchObject([{ ok: true }, { ok: true }]);
    expect(targets.filter(target => target.includes('historical'))).toEqual([]);
  });
});

it('4001: a market that is archived has its payout', async () => {
  const missing = { status: 404, error: { code: 'not_found', message: 'not found' } };
  const settled = { market: { ticker: 'KXA', status: 'finalized', result: 'yes' } };
  const rest = (live: unknown, archived: unknown) =>
    scriptedRest(target => (target.includes('/historical/') ? archived : live));
  expect(await payoutOf(rest(missing, settled), 'KXA')).toEqual({ ok: true, value: 10_000 });
  expect(await payoutOf(rest(missing, missing), 'KXA')).toEqual({ ok: true, value: null });
  expect((await payoutOf(rest(missing, { status: 503 }), 'KXA')).ok).toBe(false);
});
