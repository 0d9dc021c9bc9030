// Whether venue B has an order: by the venue's id, by our id, and among other orders. Also covers what an absence proves while the venue's
// reads lag.

import { beforeEach, describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import { PLAIN_TERMS } from '../../../paper/venue-b/core/rig.ts';
import { look, place, price, send, size, strike, type Wish } from '../../trading-rig.ts';
import { OWNER, VenueBTradingRig } from './trading-rig.ts';

let rig: VenueBTradingRig;
beforeEach(async () => {
  rig = await VenueBTradingRig.open();
});

const RESTING: Wish = { side: 'BUY', price: price('0.3'), size: size('10') };
const LIST = 'GET /portfolio/orders';
const LOST = { kind: 'lost', isApplied: false } as const;

describe('an order without a trace', () => {
  it('proves nothing until the venue shows what is younger than it by 5 s', async () => {
    strike(rig, rig.operations.submit, LOST);
    const placed = await place(rig, RESTING);
    expect(await look(rig, placed)).toEqual({ type: 'absent', isCurrent: false });
    await rig.advance(limits.venueBReadMarginMs);
    expect(await look(rig, placed)).toEqual({ type: 'absent', isCurrent: false });
    await rig.advance(1);
    expect(await look(rig, placed)).toEqual({ type: 'absent', isCurrent: true });
  });

  it('proves nothing while reads are stale, and is found once they are not', async () => {
    strike(rig, rig.operations.submit, { kind: 'lost', isApplied: true });
    rig.faults.setStaleMs('venue_b', 10_000);
    const placed = await place(rig, RESTING);
    await rig.advance(6_000);
    expect(await look(rig, placed)).toEqual({ type: 'absent', isCurrent: false });
    await rig.advance(10_000);
    expect(await look(rig, placed)).toMatchObject({ type: 'found', state: 'rests' });
  });

  it('is never absent because a list could not be read', async () => {
    const placed = await place(rig, RESTING);
    await rig.advance(10_000);
    const unanswered = { ...placed, order: { ...placed.order, venueOrderId: null } };
    for (const fault of [LOST, { kind: 'status', status: 503, isApplied: false }] as const) {
      strike(rig, LIST, fault, fault.kind === 'status' ? 1 : 2);
      expect((await look(rig, unanswered)).type).toBe('unavailable');
    }
    expect((await look(rig, unanswered)).type).toBe('found');
  });

  it('is looked for in turn where the venue counts too many reads', async () => {
    strike(rig, LIST, { kind: 'rate-limited' });
    strike(rig, rig.operations.submit, LOST);
    const placed = await place(rig, RESTING);
    let looked: string | null = null;
    look(rig, placed).then(({ type }) => {
      looked = type;
    });
    while (looked === null) await rig.advance(1);
    expect(looked).toBe('absent');
  });

  it('is not taken for gone by the venue’s id either', async () => {
    const placed = await place(rig, RESTING);
    rig.faults.setStaleMs('venue_b', 10_000);
    // The venue's read is older than the order.
    expect(await look(rig, placed)).toEqual({ type: 'absent', isCurrent: false });
  });

  it('has a deadline', async () => {
    const placed = await place(rig, RESTING);
    strike(rig, 'GET /portfolio/orders/:order_id', { kind: 'hung', isApplied: false, hangMs: 3_600_000 });
    const found = await rig.trading.lookUp(placed.order, placed.intent, (rig.now() + 60) as UnixMillis);
    expect(found.type).toBe('unavailable');
    const late = await rig.trading.lookUp(placed.order, placed.intent, (rig.now() - 1) as UnixMillis);
    expect(late.type).toBe('unavailable');
  });
});

describe('an order that is there', () => {
  it('is found by our own id among others of its market, and no other for it', async () => {
    const placed = [];
    for (let index = 0; index < 5; index += 1) placed.push(await place(rig, RESTING));
    for (const { order, intent } of placed) {
      const found = await look(rig, { order: { ...order, venueOrderId: null }, intent });
      expect(found).toMatchObject({ type: 'found', venueOrderId: order.venueOrderId });
    }
  });

  it('is found long after, by the time of its sending', async () => {
    const { order, intent } = await place(rig, RESTING);
    await rig.advance(20 * 3_600_000);
    expect((await look(rig, { order: { ...order, venueOrderId: null }, intent })).type).toBe('found');
  });

  it('is found at any time if nobody knows when it was sent', async () => {
    const { order, intent } = await place(rig, RESTING);
    await rig.advance(20 * 3_600_000);
    const forgotten = { ...order, venueOrderId: null, sentAt: null, createdAt: rig.now() };
    expect((await look(rig, { order: forgotten, intent })).type).toBe('found');
  });

  it('has the request, for callers who have lost it: in terms of YES', async () => {
    await send(rig, rig.wish({ side: 'NO' }));
    expect(await rig.trading.openOrders()).toMatchObject({
      ok: true,
      value: { rows: [{ request: { side: 'YES', action: 'SELL', price: price('0.7'), size: size('10') } }] },
    });
  });

  it('was killed, and says so as one that is gone', async () => {
    strike(rig, rig.operations.submit, { kind: 'lost', isApplied: true });
    const placed = await send(rig, rig.wish({ timeInForce: 'FOK' }));
    expect(placed.outcome.type).toBe('unknown');
    expect(await look(rig, placed)).toMatchObject({ type: 'found', state: 'gone', stated: { size: 0 }, fills: [] });
  });

  it('has the fills that are listed, oldest first, and the exact cost of them', async () => {
    rig.others('SELL', price('0.27'), size('3'), 'rest');
    rig.others('SELL', price('0.28'), size('3'), 'rest');
    const placed = await place(rig, RESTING);
    const found = await look(rig, placed);
    expect(found).toMatchObject({
      type: 'found',
      state: 'rests',
      stated: { size: size('6'), cost: 3_000_000n * 5_500n },
      fills: [{ price: price('0.27') }, { price: price('0.28') }],
    });
  });

  it('is not known in part: without its fills it is not known', async () => {
    rig.others('SELL', price('0.27'), size('3'), 'rest');
    const placed = await place(rig, RESTING);
    strike(rig, 'GET /portfolio/fills', { kind: 'status', status: 500, isApplied: false });
    expect((await look(rig, placed)).type).toBe('unavailable');
    expect((await look(rig, placed)).type).toBe('found');
  });

  it('is asked for again once if a connection fails on the way', async () => {
    const placed = await place(rig, RESTING);
    strike(rig, 'GET /portfolio/orders/:order_id', LOST);
    expect((await look(rig, placed)).type).toBe('found');
  });
});

describe('lists', () => {
  it('are followed over their pages', async () => {
    // Places more resting orders than fit into a page, without the network.
    const market = rig.paper.exchange.markets.get(rig.address)!;
    for (let index = 0; index < limits.venueBRowsPerPageMax + 5; index += 1) {
      const wish = {
        clientOrderId: `direct-${index}`,
        market,
        side: 0,
        price: price('0.01'),
        size: size('1'),
      } as const;
      rig.paper.exchange.orders.place(OWNER, { ...wish, ...PLAIN_TERMS });
    }
    const orders = await rig.trading.openOrders();
    if (!orders.ok) throw new Error(orders.error);
    const named = new Set(orders.value.rows.map(({ clientOrderId }) => clientOrderId));
    expect(named.size).toBe(limits.venueBRowsPerPageMax + 5);
  });

  it('begin where they are asked to, oldest first', async () => {
    rig.others('SELL', price('0.2'), size('1'), 'rest');
    await place(rig, { ...RESTING, size: size('1') });
    await rig.advance(60_000);
    const since = rig.now();
    for (const at of ['0.21', '0.22']) {
      rig.others('SELL', price(at), size('1'), 'rest');
      await place(rig, { ...RESTING, size: size('1') });
      await rig.advance(1_000);
    }
    const fills = await rig.trading.fillsSince(since);
    expect(fills).toMatchObject({ value: { rows: [{ price: price('0.21') }, { price: price('0.22') }] } });
    expect(await rig.trading.fillsSince(0 as UnixMillis)).toMatchObject({ ok: true, value: { rows: [{}, {}, {}] } });
  });
});
