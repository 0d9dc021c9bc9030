// Purchases and sales of YES and NO at venue B. The wire has each in terms of YES, and all views have each in the order's own frame. Also
// covers refusals of the whole venue, a market, or a key. On the real paper exchange.

import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MicroDollars, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { filledInFrame, priceInFrame } from '../../../../src/core/domain/order-frame.ts';
import { connectWebSocket } from '../../../../src/core/net/websocket.ts';
import { silentLog } from '../../../../src/core/runtime/log.ts';
import { limits } from '../../../../src/limits.ts';
import { createBudgetMemory } from '../../../../src/venues/venue-b/trading/budget.ts';
import { createVenueBTrading } from '../../../../src/venues/venue-b/trading.ts';
import { outcomeOf } from '../../../support/order-outcome.ts';
import { cancel, Ear, look, place, price, send, size, soon, strike, type Wish } from '../../trading-rig.ts';
import type { VenueBTradingRigOptions } from './trading-rig.ts';
import { KEY_ID, OTHER_TICKER, OWNER, TENNIS_TICKER, TICKER, VenueBTradingRig } from './trading-rig.ts';

let rig: VenueBTradingRig;
const open = async (options?: VenueBTradingRigOptions): Promise<void> => {
  rig = await VenueBTradingRig.open(options);
};
beforeEach(() => open());

const RESTING: Wish = { side: 'BUY', price: price('0.3'), size: size('10') };

it('an answer that our own code fails on fails its order alone', async () => {
  const fault = new Error('a fault of ours');
  const failing = { type: 'answer', status: 201, headers: new Map(), body: '' } as const;
  const unreadable = Object.defineProperty({ ...failing }, 'body', {
    get: () => {
      throw fault;
    },
  });
  await open({
    outbound: pool => ({
      request: (request, timeoutMs) => pool.request(request, timeoutMs),
      send: (request, timeoutMs, done) => {
        const isOrder = request.method === 'POST';
        pool.send(request, timeoutMs, isOrder ? () => done(unreadable) : done);
      },
      warmUp: connections => pool.warmUp(connections),
      close: () => pool.close(),
    }),
  });
  const pending = rig.wish({ price: price('0.3'), size: size('10') });
  const prepared = await rig.trading.prepare(pending, 'key');
  if (!prepared.ok) throw new Error('not prepared');
  await expect(outcomeOf(rig.trading, pending, prepared.value, soon(rig))).rejects.toBe(fault);
});

describe('a wish', () => {
  // Other traders rest at 0.48 for YES, on the side that the order takes. Each request has a worse limit in its own frame, so it trades at
  // their price.
  it.each([
    ['YES', 'BUY', '0.55', 'bid', '0.5500', 1],
    ['YES', 'SELL', '0.45', 'ask', '0.4500', -1],
    ['NO', 'BUY', '0.6', 'ask', '0.4000', -1],
    ['NO', 'SELL', '0.41', 'bid', '0.5900', 1],
  ] as const)('to %s %s at %s is a %s at %s', async (side, action, limit, bookSide, yesPrice, sign) => {
    rig.others(bookSide === 'bid' ? 'SELL' : 'BUY', price('0.48'), size('10'), 'rest');
    const ear = await Ear.up(rig.trading);
    const pending = rig.wish({ side, action, price: price(limit) });
    const prepared = await rig.trading.prepare(pending, 'key');
    if (!prepared.ok) throw new Error('not prepared');
    expect(JSON.parse(Buffer.from(prepared.value.payload).toString())).toMatchObject({
      side: bookSide,
      price: yesPrice,
    });

    const placed = await send(rig, pending);
    const paid = side === 'YES' ? price('0.48') : price('0.52');
    const cost = BigInt(paid) * BigInt(size('10'));
    // The ask trades so far from half a dollar that its average price may be that of either side.
    const stated = { size: size('10'), cost };
    const taken = bookSide === 'bid' ? { type: 'accepted', state: 'gone', stated } : { type: 'exists' };
    expect(placed.outcome).toMatchObject({ ...taken, venueOrderId: expect.any(String) });
    expect(await look(rig, placed)).toMatchObject({
      type: 'found',
      stated: { cost },
      fills: [{ price: paid, addressPrice: price('0.48'), positionChange: sign * size('10') }],
    });

    await ear.until(() => ear.fills.length === 1 && ear.count('order') > 0);
    const [reported] = ear.fills;
    expect(reported).toMatchObject({ clientOrderId: placed.intent.clientOrderId, addressPrice: price('0.48') });
    expect(priceInFrame(pending.request, reported!.addressPrice)).toBe(paid);
    const streamed = ear.events.findLast(event => event.type === 'order')?.order.stated;
    expect(filledInFrame(pending.request, streamed!).cost).toBe(cost);
    expect(await rig.trading.positions()).toMatchObject({
      value: { rows: [{ address: TICKER, size: sign * size('10') }] },
    });
  });

  it('is signed as well with an RSA key, on REST and on the stream', async () => {
    await open({ keyType: 'rsa' });
    await Ear.up(rig.trading);
    const placed = await place(rig, RESTING);
    expect(placed.outcome.type).toBe('accepted');
    expect(await cancel(rig, placed)).toEqual({ type: 'cancelled' });
  });

  it('that meets the same taker as another has a fill of its own', async () => {
    await place(rig, RESTING);
    await place(rig, RESTING);
    rig.others('SELL', price('0.3'), size('20'), 'take');
    const fills = await rig.trading.fillsSince(0 as UnixMillis);
    if (!fills.ok) throw new Error(fills.error);
    for (const key of ['fillId', 'venueOrderId'] as const) {
      expect(new Set(fills.value.rows.map(fill => fill[key])).size).toBe(2);
    }
  });
});

describe('a cancel of an order', () => {
  it('that was filled in part says so before its fill is reported', async () => {
    const placed = await place(rig, RESTING);
    rig.others('SELL', RESTING.price, size('4'), 'take');
    expect(await cancel(rig, placed)).toEqual({ type: 'cancelled', filled: size('4') });
    expect(await look(rig, placed)).toMatchObject({ state: 'gone', stated: { size: size('4') } });
  });
});

describe('a cancel that cannot be made', () => {
  it('of an order whose id the venue has not said is not sent', async () => {
    const placed = await place(rig, RESTING);
    const nameless = { ...placed, order: { ...placed.order, venueOrderId: null } };
    expect(await cancel(rig, nameless)).toMatchObject({ type: 'not-found' });
    expect(await look(rig, placed)).toMatchObject({ type: 'found', state: 'rests' });
  });

  it('since the venue counts too many is made as soon as ours are there again', async () => {
    const placed = await place(rig, RESTING);
    strike(rig, rig.operations.cancel, { kind: 'rate-limited' });
    expect(await cancel(rig, placed)).toMatchObject({ type: 'not-sent' });
    const message = expect.stringContaining('rate limit');
    expect(await cancel(rig, placed, 0)).toMatchObject({ type: 'not-sent', message });
    const inItsTurn = cancel(rig, placed);
    await rig.advance(limits.venueBCancelWaitMsMax);
    expect(await inItsTurn).toEqual({ type: 'cancelled' });
  });
});

describe('the venue as a whole', () => {
  it('takes cancels, but no orders, while trading is paused', async () => {
    const placed = await place(rig, RESTING);
    rig.paper.control.pause('trading');
    expect((await place(rig, RESTING)).outcome).toMatchObject({ type: 'not-sent', message: 'trading is paused' });
    expect(await cancel(rig, placed)).toEqual({ type: 'cancelled' });
  });

  it('takes neither orders nor cancels while the exchange is paused', async () => {
    const placed = await place(rig, RESTING);
    rig.paper.control.pause('exchange');
    expect((await place(rig, RESTING)).outcome.type).toBe('not-sent');
    expect((await cancel(rig, placed)).type).toBe('not-sent');
    rig.paper.control.resume();
    expect(await look(rig, placed)).toMatchObject({ state: 'rests' });
    expect((await place(rig, RESTING)).outcome.type).toBe('accepted');
  });

  it('is not there: nothing was sent', async () => {
    const pending = rig.order(RESTING);
    rig.paper.close();
    await rig.pool.close();
    expect((await send(rig, pending)).outcome).toMatchObject({ type: 'not-sent' });
  });

  it('is not asked any more while it counts too many: ours are spent too', async () => {
    strike(rig, rig.operations.submit, { kind: 'rate-limited' });
    await place(rig, RESTING);
    expect((await place(rig, RESTING)).outcome).toMatchObject({
      type: 'not-sent',
      message: expect.stringContaining('rate limit'),
    });
    await rig.advance(2_000);
    expect((await place(rig, RESTING)).outcome.type).toBe('accepted');
  });

  it('never counts too many of the smallest tier, and cancels always have room', async () => {
    await open({ tier: 'basic' });
    await rig.advance(2_000);
    const outcomes = [];
    const resting = [];
    for (let index = 0; index < 12; index += 1) {
      const placed = await place(rig, RESTING);
      outcomes.push(placed.outcome.type);
      if (placed.outcome.type === 'accepted') resting.push(placed);
    }
    expect(outcomes).toEqual([...Array(8).fill('accepted'), ...Array(4).fill('not-sent')]);
    for (const placed of resting) expect(await cancel(rig, placed)).toEqual({ type: 'cancelled' });
  });

  // Each shard of venue B except the first has its own bucket for writes (venue-b.md §9). The paper exchange had a single bucket for all
  // shards. So a user who traded on two shards was refused there, although our count of both buckets allowed it.
  it('3194: has a budget of the smallest tier for each shard, spent by what goes there alone', async () => {
    await open({ tier: 'basic' });
    rig.fund(3, 1_000_000_000 as MicroDollars);
    for (const ticker of [TICKER, TENNIS_TICKER]) await rig.trading.facts(ticker);
    const placed = (ticker: string) => send(rig, rig.wish({ ticker, size: size('1') }));
    const outcomes: string[] = [];
    for (let count = 0; count < 16; count += 1) {
      outcomes.push((await placed(count < 8 ? TICKER : TENNIS_TICKER)).outcome.type);
    }
    expect(outcomes).toEqual(Array(16).fill('accepted'));
    const more = await placed(TENNIS_TICKER);
    expect(more.outcome).toMatchObject({ type: 'not-sent', message: expect.stringContaining('is spent') });
  });

  // If a larger tier counted as the smallest tier, the threads would spend a budget that is too small.
  it('is known of its tier by a thread that only listens and cancels, as the one that reconciles does', async () => {
    await open({ parts: { budgetMemory: createBudgetMemory() } });
    const resting = [];
    for (let index = 0; index < 60; index += 1) resting.push(await place(rig, RESTING));
    const other = rig.another();
    try {
      const ear = new Ear(other);
      await ear.until(() => ear.count('up') === 1);
      const outcomes = new Set<string>();
      const deadline = (rig.now() + 60_000) as UnixMillis;
      for (const { order } of resting) outcomes.add((await other.cancel(order, deadline)).type);
      expect([...outcomes]).toEqual(['cancelled']);
    } finally {
      await other.close();
    }
  });
});

describe('a market', () => {
  it('that is unknown takes no order', async () => {
    expect((await send(rig, rig.wish({ ticker: 'KXNEVER' }))).outcome).toMatchObject({
      type: 'refused',
      kind: 'notFound',
    });
  });

  it('that is closed takes no order, and its facts are read anew', async () => {
    expect(await rig.trading.facts(TICKER)).toMatchObject({ value: { phase: 'OPEN' } });
    rig.paper.control.close(TICKER, 0);
    expect((await place(rig, RESTING)).outcome).toMatchObject({ type: 'refused', kind: 'notFound' });
    expect(await rig.trading.facts(TICKER)).toMatchObject({ value: { phase: 'CLOSED' } });
  });

  it('that refuses a price has its facts read anew: its grid may be another by now', async () => {
    await rig.trading.facts(TICKER);
    await rig.advance(1);
    expect((await place(rig, { ...RESTING, price: price('0.305') })).outcome).toMatchObject({
      error: { code: 'INVALID_ORDER' },
    });
    expect(await rig.trading.facts(TICKER)).toMatchObject({ value: { readAt: rig.now() } });
  });

  it('that is paused refuses, and others do not', async () => {
    rig.paper.control.setPaused(TICKER, true);
    expect((await place(rig, RESTING)).outcome).toMatchObject({ type: 'refused', kind: 'invalid' });
    expect((await send(rig, rig.wish({ ticker: OTHER_TICKER }))).outcome.type).toBe('accepted');
  });

  it('that has closed has nothing left to cancel', async () => {
    const placed = await place(rig, RESTING);
    rig.paper.control.close(TICKER, 0);
    await rig.advance(60_000);
    expect((await cancel(rig, placed)).type).toBe('not-found');
    expect(await look(rig, placed)).toMatchObject({ type: 'found', state: 'gone' });
  });
});

describe('a key', () => {
  const trader = (keyId: string, privateKeyPem = newKey()) => {
    const { rest: restUrl, stream: streamUrl } = rig.paper.urls;
    const { pool: outbound, timers } = rig;
    const parts = { outbound, connect: connectWebSocket, timers, random: () => 0, log: silentLog };
    return createVenueBTrading({ restUrl, streamUrl, keyId, privateKeyPem }, parts);
  };
  const newKey = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  it.each([
    ['that is not the account’s', KEY_ID, 'INCORRECT_API_KEY_SIGNATURE'],
    ['that the venue does not know', '00000009-bbbb-4bbb-8bbb-bbbbbbbbbbbb', 'NOT_FOUND'],
  ])('%s is a fault of ours, and no detail is shown', async (_title, keyId, details) => {
    const trading = trader(keyId);
    const pending = rig.order(RESTING);
    const prepared = await trading.prepare(pending, 'key');
    if (!prepared.ok) throw new Error('not prepared');
    const outcome = await outcomeOf(trading, pending, prepared.value, soon(rig));
    expect(outcome).toMatchObject({ type: 'refused', kind: 'fault', error: { code: 'CREDENTIALS_INVALID' } });
    expect(JSON.stringify(outcome)).toContain(details);
    expect(await trading.balance()).toMatchObject({ ok: false, error: { kind: 'fault' } });
    const ear = new Ear(trading);
    await ear.until(() => ear.count('down') > 0);
    expect(ear.count('up')).toBe(0);
    await trading.close();
  });

  it('is taken at once or not at all', async () => {
    expect(() => trader(KEY_ID, 'no PEM')).toThrow(/not readable PEM/);
  });

  it('whose clock is wrong does nothing, and is not at fault', async () => {
    const placed = await place(rig, RESTING);
    const { available } = rig.paper.exchange.reads(0).balance(OWNER);
    rig.faults.setSkewMs('venue_b', 60_000);
    const notSent = { type: 'not-sent', message: 'header timestamp expired', retryAfterS: 1 };
    expect((await place(rig, RESTING)).outcome).toMatchObject(notSent);
    expect(await cancel(rig, placed)).toEqual(notSent);
    expect(await rig.trading.balance()).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    rig.faults.resetConditions();
    expect(rig.paper.exchange.reads(0).balance(OWNER).available).toBe(available);
    expect(await cancel(rig, placed)).toEqual({ type: 'cancelled' });
  });
});
