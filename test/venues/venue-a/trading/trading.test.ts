// Orders, cancels and accounts at venue A as tables of scenarios: the request, the fault on the way, and the result.

import { beforeEach, describe, expect, it } from 'vitest';
import { NOTHING_FILLED } from '../../../../src/core/domain/order-sums.ts';
import { eventListing, marketListing, NEG_RISK, REGULAR } from '../../../paper/venue-a/venue-a-rig.ts';
import { idOf } from './scripted-line.ts';
import { cents, dollars, FIRST, limit, marketBuy, SHARE, shares, TradingRig } from './trading-rig.ts';

let rig: TradingRig;

beforeEach(async () => {
  rig = await TradingRig.start();
});

describe('facts', () => {
  it('are those of the market', async () => {
    const grid = [{ start: 100, end: 9_900, step: 100 }];
    const sizes = { sizeMin: shares(5), sizeStep: 10_000 };
    const value = { grid, ...sizes, phase: 'OPEN', expiryLeadMs: 120_000, readAt: rig.venue.timers.now() };
    expect(await rig.trading.facts(FIRST)).toEqual({ ok: true, value });
  });

  it.each(['123456', 'no token'])('of %s do not exist', async token => {
    expect(await rig.trading.facts(token)).toEqual({ ok: false, error: { type: 'unknown-market' } });
  });

  it('cannot be had while the venue fails; a connection that breaks is tried again', async () => {
    rig.strike('GET /markets-by-token/:token', { kind: 'status', status: 500, isApplied: false });
    expect(await rig.trading.facts(FIRST)).toMatchObject({ ok: false, error: { type: 'unavailable' } });
    rig.strike('GET /markets-by-token/:token', { kind: 'lost', isApplied: false });
    expect(await rig.trading.facts(FIRST)).toMatchObject({ ok: true });
  });

  it('are read again when they have aged, and at once when the venue contradicts them', async () => {
    await rig.trading.facts(FIRST);
    rig.venue.exchange.setTickSize(rig.venue.market(REGULAR), '0.1');
    const refused = await rig.place(limit('BUY', 53, 10));
    expect(refused.outcome).toMatchObject({ type: 'refused', kind: 'invalid', error: { code: 'INVALID_ORDER' } });
    expect(await rig.trading.facts(FIRST)).toMatchObject({ value: { grid: [{ step: 1_000 }] } });
  });
});

describe('an order that is taken', () => {
  it('is matched at once, in whole or in part, at the prices of the others', async () => {
    rig.venue.quote(REGULAR, 1, 52, 4);
    rig.venue.quote(REGULAR, 1, 53, 100);
    const whole = await rig.place(limit('BUY', 55, 10));
    const cost = BigInt(cents(52) * shares(4) + cents(53) * shares(6));
    expect(whole.outcome).toMatchObject({ state: 'gone', stated: { size: shares(10), cost, fees: 0 } });
    const part = await rig.place(limit('BUY', 53, 1_00));
    const stated = { size: shares(94), cost: BigInt(cents(53) * shares(94)) };
    expect(part.outcome).toMatchObject({ state: 'rests', stated });
  });

  it.each([
    ['FOK', 20, { state: 'gone', stated: { size: shares(40) } }],
    ['FAK', 20, { state: 'gone', stated: { size: shares(40) } }],
    ['FAK', 200, { state: 'gone', stated: { size: shares(100), cost: BigInt(cents(50) * shares(100)) } }],
  ] as const)('%s for %d dollars', async (timeInForce, spent, expected) => {
    rig.venue.quote(REGULAR, 1, 50, 100);
    const { outcome } = await rig.place(marketBuy(spent, timeInForce));
    expect(outcome).toMatchObject({ type: 'accepted', ...expected });
  });

  it('finds nobody as FAK: gone, with nothing', async () => {
    const { outcome, intent } = await rig.place(marketBuy(20, 'FAK', 50));
    const { venueOrderId } = intent;
    expect(outcome).toEqual({ type: 'accepted', venueOrderId, state: 'gone', stated: NOTHING_FILLED });
  });

  it('sells at the market what it has', async () => {
    rig.venue.quote(REGULAR, 1, 50, 100);
    await rig.place(limit('BUY', 50, 100));
    rig.venue.quote(REGULAR, 0, 48, 30);
    rig.venue.quote(REGULAR, 0, 47, 30);
    const base = { venue: 'venue_a', tokenId: FIRST, type: 'MARKET', side: 'SELL', worstPrice: null } as const;
    const { outcome } = await rig.place({ ...base, size: shares(40), timeInForce: 'FOK' });
    const cost = BigInt(cents(48) * shares(30) + cents(47) * shares(10));
    expect(outcome).toMatchObject({ state: 'gone', stated: { size: shares(40), cost } });
  });

  it('of a neg-risk market is signed for its contract, and its fee is stated', async () => {
    rig.venue.quote(NEG_RISK, 1, 50, 100);
    const { outcome } = await rig.place({ ...limit('BUY', 50, 10), tokenId: NEG_RISK.tokens[0] });
    // The fee is 10 × 0.05 × 0.25.
    expect(outcome).toMatchObject({ state: 'gone', stated: { size: shares(10), fees: dollars(0.125) } });
  });

  it('is held back where the market has a taker delay, and is matched after it', async () => {
    rig = await TradingRig.start({ events: [eventListing([marketListing({ takerDelayS: 3 }), NEG_RISK])] });
    rig.venue.quote(REGULAR, 1, 50, 100);
    const { outcome, order, intent } = await rig.place(limit('BUY', 50, 10));
    expect(outcome).toEqual({ type: 'accepted', venueOrderId: intent.venueOrderId, state: 'delayed', stated: null });
    expect(await rig.trading.cancel(order, rig.in(1_000))).toMatchObject({ type: 'not-now' });
    expect(await rig.trading.lookUp(order, intent, rig.in(1_000))).toMatchObject({ type: 'found', state: 'delayed' });
    rig.venue.timers.advance(3_000);
    const fills = [{ size: shares(10), price: cents(50), liquidity: 'TAKER' }];
    const ended = await rig.trading.lookUp(order, intent, rig.in(1_000));
    expect(ended).toMatchObject({ type: 'found', state: 'gone', fills });
  });
});

describe('an order that cannot be prepared', () => {
  it.each([
    ['of no market', { ...limit('BUY', 50, 10), tokenId: '99' }, 'notFound', 'INVALID_ORDER'],
    ['off the grid', { ...limit('BUY', 50, 10), price: 5_050 }, 'invalid', 'INVALID_ORDER'],
    ['beyond it', { ...limit('BUY', 50, 10), price: 10_000 }, 'invalid', 'INVALID_ORDER'],
    ['with three decimals', { ...limit('BUY', 50, 10), size: 10_001_000 }, 'invalid', 'INVALID_ORDER'],
    ['at a market without offers', marketBuy(10, 'FAK'), 'invalid', 'NOT_FEASIBLE'],
  ] as const)('%s', async (_what, request, kind, code) => {
    const prepared = await rig.trading.prepare(rig.order(request as never), 'key');
    expect(prepared).toMatchObject({ ok: false, error: { kind, error: { code } } });
  });

  it('is a FOK in a book too thin for it; a FAK takes what there is', async () => {
    rig.venue.quote(REGULAR, 1, 50, 10);
    const fok = await rig.trading.prepare(rig.order(marketBuy(10, 'FOK')), 'key');
    expect(fok).toMatchObject({ ok: false, error: { kind: 'invalid', error: { code: 'NOT_FEASIBLE' } } });
    const { outcome } = await rig.place(marketBuy(10, 'FAK'));
    expect(outcome).toMatchObject({ state: 'gone', stated: { size: shares(10) } });
  });

  const sell = { venue: 'venue_a', tokenId: FIRST, type: 'MARKET', side: 'SELL', size: shares(5), worstPrice: null };

  it.each([
    ['a purchase', marketBuy(10, 'FAK'), 49, 50],
    ['a sale', { ...sell, timeInForce: 'FAK' }, 51, 50],
  ] as const)(
    'is %s without a price that needs a worse one than its collar',
    async (_what, request, refused, taken) => {
      const level = { price: cents(50), size: shares(1_000) };
      rig = await TradingRig.start({}, {}, { bookOf: () => ({ bids: [level], asks: [level] }) });
      const prepare = (worst: number) => rig.trading.prepare(rig.order(request as never), 'key', null, cents(worst));
      expect(await prepare(refused)).toMatchObject({
        ok: false,
        error: { kind: 'invalid', error: { code: 'NOT_FEASIBLE' } },
      });
      expect(await prepare(taken)).toMatchObject({ ok: true });
    },
  );

  it('while the venue does not answer', async () => {
    rig.strike('GET /*', { kind: 'status', status: 502, isApplied: false }, null);
    const prepared = await rig.trading.prepare(rig.order(limit('BUY', 50, 10)), 'key');
    expect(prepared).toMatchObject({ ok: false, error: { kind: 'unavailable', error: { code: 'UNKNOWN' } } });
  });

  it('takes the live book where there is one', async () => {
    const bookOf = () => ({ bids: [], asks: [{ price: cents(60), size: shares(1_000) }] });
    rig = await TradingRig.start({}, {}, { bookOf });
    const prepared = await rig.trading.prepare(rig.order(marketBuy(30, 'FOK')), 'key');
    const body = JSON.parse(Buffer.from(prepared.ok ? prepared.value.payload : '').toString());
    expect(body.order).toMatchObject({ makerAmount: '30000000', takerAmount: '50000000' });
  });
});

describe('an order that the venue refuses', () => {
  it('below the smallest size', async () => {
    const { outcome } = await rig.place(limit('BUY', 50, 1));
    expect(outcome).toMatchObject({ type: 'refused', kind: 'invalid', error: { code: 'INVALID_ORDER' } });
  });

  it('with a key that is not ours', async () => {
    rig = await TradingRig.start({}, { passphrase: 'wrong' });
    const { outcome } = await rig.place(limit('BUY', 50, 10));
    const error = { code: 'CREDENTIALS_INVALID', message: 'Unauthorized/Invalid api key' };
    expect(outcome).toMatchObject({ type: 'refused', kind: 'fault', error });
  });

  it.each([
    ['disabled', 1],
    ['cancel-only', 1],
    ['restarting', 1],
    ['post-only', 79],
  ] as const)('while it is %s: nothing was sent', async (mode, retryAfterS) => {
    await rig.trading.facts(FIRST);
    rig.venue.exchange.setMode(mode);
    const { outcome } = await rig.place(limit('BUY', 50, 10));
    expect(outcome).toMatchObject({ type: 'not-sent', retryAfterS: expect.any(Number) });
    if (mode === 'post-only')
      expect(outcome).toMatchObject({ retryAfterS: expect.toSatisfy(it => it > 1 && it <= retryAfterS) });
  });

  it('with 429: nothing is sent until it may come again, and cancels go on', async () => {
    const resting = await rig.place(limit('BUY', 50, 10));
    rig.strike('POST /order', { kind: 'rate-limited' });
    expect((await rig.place(limit('BUY', 50, 10))).outcome).toMatchObject({ type: 'not-sent', retryAfterS: 1 });
    expect((await rig.place(limit('BUY', 50, 10))).outcome).toMatchObject({ type: 'not-sent', retryAfterS: 1 });
    expect(await rig.trading.cancel(resting.order, rig.in(1_000))).toEqual({ type: 'cancelled' });
    rig.venue.timers.advance(1_000);
    expect((await rig.place(limit('BUY', 50, 10))).outcome).toMatchObject({ type: 'accepted' });
  });
});

describe('a cancel', () => {
  it('of an order that never was, or has no id, does not find it', async () => {
    const { order } = await rig.place(limit('BUY', 50, 10));
    for (const venueOrderId of [idOf('7'), null]) {
      const outcome = await rig.trading.cancel({ ...order, venueOrderId }, rig.in(1_000));
      expect(outcome).toMatchObject({ type: 'not-found' });
    }
  });

  it('that meets a 401 is refused', async () => {
    const { order } = await rig.place(limit('BUY', 50, 10));
    rig.strike('DELETE /order', { kind: 'status', status: 401, isApplied: false });
    expect(await rig.trading.cancel(order, rig.in(1_000))).toMatchObject({ type: 'refused' });
  });

  it('is not sent after its deadline', async () => {
    const { order } = await rig.place(limit('BUY', 50, 10));
    expect(await rig.trading.cancel(order, rig.in(0))).toMatchObject({ type: 'not-sent' });
    expect(await rig.trading.openOrders()).toMatchObject({ value: { rows: [{ state: 'rests' }] } });
  });

  it('goes through while the venue takes nothing else', async () => {
    const { order } = await rig.place(limit('BUY', 50, 10));
    rig.venue.exchange.setMode('cancel-only');
    expect(await rig.trading.cancel(order, rig.in(1_000))).toEqual({ type: 'cancelled' });
  });
});

describe('the account', () => {
  it('has what its buys do not hold back', async () => {
    const buys = [await rig.place(limit('BUY', 50, 10)), await rig.place(limit('BUY', 33, 10.01))];
    const committed = { committed: dollars(8.3033), committedTo: expect.any(Array) };
    const balance = await rig.trading.balance();
    const value = { available: dollars(1_000 - 5 - 3.3033), ...committed, claimable: 0, unconverted: 0 };
    expect(balance).toEqual({ ok: true, value });
    const names = balance.ok ? balance.value.committedTo.map(({ venueOrderId }) => venueOrderId) : [];
    expect(names.toSorted()).toEqual(buys.map(({ order }) => order.venueOrderId).toSorted());
  });

  it('has positions, and claims when their markets are resolved', async () => {
    rig.venue.quote(REGULAR, 1, 50, 100);
    rig.venue.quote(NEG_RISK, 1, 50, 100);
    await rig.place(limit('BUY', 50, 10));
    await rig.place({ ...limit('BUY', 50, 5.5), tokenId: NEG_RISK.tokens[0] });
    const both = await rig.trading.positions();
    expect(both.ok && both.value.rows.toSorted((one, other) => one.address.localeCompare(other.address))).toEqual([
      { address: FIRST, size: shares(10), isRedeemable: false },
      { address: NEG_RISK.tokens[0], size: shares(5.5), isRedeemable: false },
    ]);
    rig.venue.exchange.resolutions.resolve(rig.venue.market(REGULAR), 0);
    rig.venue.exchange.resolutions.resolve(rig.venue.market(NEG_RISK), 1);
    const rows = [{ address: FIRST, size: shares(10), isRedeemable: true }];
    expect(await rig.trading.positions()).toEqual({ ok: true, value: { rows, unread: [] } });
    expect(await rig.trading.balance()).toMatchObject({ value: { claimable: dollars(10) } });
  });

  it('lists its fills oldest first, those of others not', async () => {
    const other = rig.venue.wallet(2);
    await rig.venue.post(other, { token: FIRST, side: 'BUY', amounts: [5 * SHARE, 10 * SHARE] });
    rig.venue.quote(REGULAR, 1, 51, 10);
    await rig.place(limit('BUY', 51, 6));
    rig.venue.timers.advance(2_000);
    await rig.place(limit('BUY', 51, 5));
    await rig.venue.post(other, { token: FIRST, side: 'BUY', amounts: [5.1 * SHARE, 10 * SHARE] });
    const fills = await rig.trading.fillsSince(rig.in(-60_000));
    expect(fills.ok && fills.value.rows.map(({ price, size, liquidity }) => [price, size, liquidity])).toEqual([
      [cents(51), shares(6), 'TAKER'],
      [cents(51), shares(4), 'TAKER'],
    ]);
  });

  it('says what it cannot read', async () => {
    for (const [status, kind, words] of [
      [500, 'unavailable', 'could not insert order'],
      [401, 'fault', 'Unauthorized/Invalid api key'],
    ] as const) {
      rig.strike('GET /balance-allowance', { kind: 'status', status, isApplied: false });
      const error = { kind, message: `venue A: /balance-allowance: ${words}` };
      expect(await rig.trading.balance()).toEqual({ ok: false, error });
    }
    rig.strike('GET /data/orders', { kind: 'status', status: 500, isApplied: false });
    expect(await rig.trading.openOrders()).toMatchObject({ ok: false });
  });
});

describe('a clock that is off', () => {
  it('is set by the venue', async () => {
    const now = () => (rig.venue.timers.now() + 600_000) as never;
    const ahead = { now, elapsed: now, after: () => () => {} };
    rig = await TradingRig.start({}, {}, { timers: ahead });
    expect((await rig.trading.openOrders()).ok).toBe(false);
    await rig.trading.warmUp();
    expect(await rig.trading.openOrders()).toEqual({ ok: true, value: { rows: [], unread: [] } });
  });
});
