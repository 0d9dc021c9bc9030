// The time at which a changed order of venue B ends (venue-b.md §5.4).

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BID } from '../../../../src/core/domain/market.ts';
import type { MicroDollars, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { amendBody } from '../../../../src/venues/venue-b/trading/amend.ts';
import { ANSWER_MS, type Placed, place, price, send, size, strike } from '../../trading-rig.ts';
import { OWNER, TENNIS_TICKER, TICKER, VenueBTradingRig } from './trading-rig.ts';

let rig: VenueBTradingRig;
beforeEach(async () => {
  rig = await VenueBTradingRig.open();
});
afterEach(() => rig.close());

const WISH = { side: 'BUY', price: price('0.5'), size: size('10') } as const;
const names = { clientOrderId: 'old', newClientOrderId: 'new', total: WISH.size };

/** To another price, with the terms of the old order. */
async function replaced({ order: old, intent }: Placed): Promise<void> {
  const request = { ...old.request, price: price('0.4') } as typeof old.request;
  const { amends } = rig.trading;
  const change = amends!.prepare({ order: old, intent }, { ...rig.order(WISH), request }, WISH.size);
  const outcome = await amends!.amend(old, change, (rig.now() + ANSWER_MS) as UnixMillis, null);
  expect(outcome).toMatchObject({ type: 'amended' });
}

function atVenue({ order }: Placed) {
  return rig.paper.exchange.reads(0).order(OWNER, order.venueOrderId ?? '');
}

describe('a replacement in place', () => {
  it('of an order that is good till a time ends then, even if the venue has lost that time', async () => {
    const placed = await place(rig, { ...WISH, forMs: 60_000 });
    const until = atVenue(placed)?.expiresAt;
    rig.paper.exchange.orders.amend(OWNER, placed.order.venueOrderId!, {
      ...{ ticker: TICKER, side: BID, price: WISH.price, total: WISH.size, expiresAt: null },
      ...{ clientOrderId: null, updatedClientOrderId: null },
    });
    expect(atVenue(placed)).toMatchObject({ status: 'resting', expiresAt: null });
    await replaced(placed);
    expect(until).not.toBeNull();
    expect(atVenue(placed)).toMatchObject({ status: 'resting', price: price('0.4'), expiresAt: until });
    await rig.advance(60_000);
    expect(atVenue(placed)).toMatchObject({ status: 'canceled' });
  });

  it('of another order never ends by itself, and names no time', async () => {
    const placed = await place(rig, WISH);
    await replaced(placed);
    expect(atVenue(placed)).toMatchObject({ status: 'resting', price: price('0.4'), expiresAt: null });
    const request = placed.order.request as Parameters<typeof amendBody>[0]['request'];
    expect(JSON.parse(amendBody({ request, ...names }))).not.toHaveProperty('expiration_time');
  });
});

// A fill came between a replace at venue B and its arrival: the order has filled all of the new total. The venue refuses such an amendment
// by INVALID_AMEND_QTY_FOR_ORDER (venue-b.md §7). It was a 400, as if the request were wrong, where docs/PROTOCOL.md promises 409.
describe('3191: an amendment to what has filled', () => {
  let rig: VenueBTradingRig;
  beforeEach(async () => {
    rig = await VenueBTradingRig.open();
  });
  afterEach(() => rig.close());

  const WISH = { side: 'BUY', price: price('0.5'), size: size('10') } as const;

  it.each(['6', '7'])('with %s of 10 filled nothing of a total of 6 is left', async filled => {
    const { order, intent } = await place(rig, WISH);
    rig.others('SELL', WISH.price, size(filled), 'take');
    const { amends } = rig.trading;
    const change = amends!.prepare({ order, intent }, rig.order(WISH), size('6'));
    const outcome = await amends!.amend(order, change, (rig.now() + ANSWER_MS) as UnixMillis, null);
    expect(outcome).toMatchObject({
      type: 'refused',
      kind: 'notCancellable',
      error: { code: 'NOT_FEASIBLE', message: 'invalid amend qty for order' },
      venueError: { code: 'invalid_amend_qty_for_order' },
    });
    expect(await rig.trading.openOrders()).toMatchObject({ value: { rows: [{ venueOrderId: order.venueOrderId }] } });
  });
});

// Venue B refuses an amendment for its price: the market has another grid than we know. The next order reads the market again after a
// refused order, and did not after a refused amendment. So each further replace could be refused for minutes.
describe('3192: an amendment off the grid', () => {
  let rig: VenueBTradingRig;
  beforeEach(async () => {
    rig = await VenueBTradingRig.open();
  });
  afterEach(() => rig.close());

  const WISH = { side: 'BUY', price: price('0.5'), size: size('10') } as const;

  it('the market is read again after an amendment that it contradicts', async () => {
    // Counts by a fault that does nothing.
    strike(rig, 'GET /markets/:ticker', { kind: 'delay', beforeMs: 0, afterMs: 0 }, null);
    const rule = [...rig.faults.rules].at(-1)!;
    await rig.trading.facts(TICKER);
    const { order, intent } = await place(rig, WISH);
    const { amends } = rig.trading;
    const change = amends!.prepare({ order, intent }, rig.order({ ...WISH, price: price('0.505') }), WISH.size);
    const outcome = await amends!.amend(order, change, (rig.now() + ANSWER_MS) as UnixMillis, null);
    expect(outcome).toMatchObject({ type: 'refused', error: { code: 'INVALID_ORDER' } });
    await rig.trading.facts(TICKER);
    expect(rule.struck).toBe(2);
  });
});

// Changes of an order group at venue B go to the first shard unless they name another (venue-b.md §3). A group of another is not found
// there. Ours named none. So a protection's group for tennis, baseball or crypto was taken for gone at its first change. It was never reset
// or removed, and orders that rested in it kept its old limit.
describe('3193: a group on another shard', () => {
  let rig: VenueBTradingRig;
  beforeEach(async () => {
    rig = await VenueBTradingRig.open();
    rig.fund(3, 1_000_000_000 as MicroDollars);
  });
  afterEach(() => rig.close());

  const AT = { price: price('0.3'), size: size('10'), timeInForce: 'GTC' } as const;
  const WISH = { ticker: TENNIS_TICKER, side: 'YES', action: 'BUY', ...AT } as const;
  const DONE = { ok: true, value: null };

  it('is limited, reset and removed there', async () => {
    const { groups } = rig.trading;
    const made = await groups!.make(3, 20);
    const groupId = made.ok ? made.value : '';
    expect(await groups!.setLimit(3, groupId, 7)).toEqual(DONE);
    const { outcome } = await send(rig, rig.wish(WISH), ANSWER_MS, null, groupId);
    expect(outcome.type).toBe('accepted');
    rig.paper.exchange.groups.trigger(OWNER, groupId);
    expect(await groups!.reset(3, groupId)).toEqual(DONE);
    expect([...rig.paper.exchange.groups.of(OWNER)]).toMatchObject([
      { limit: size('7'), shard: 3, isTriggered: false },
    ]);
    expect(await groups!.remove(0, groupId)).toMatchObject({ ok: false, error: { isGone: true } });
    expect(await groups!.remove(3, groupId)).toEqual(DONE);
    expect([...rig.paper.exchange.groups.of(OWNER)]).toEqual([]);
  });
});

// Writes to another shard of venue B than the first have a bucket of their own (venue-b.md §9). The paper exchange had one bucket for all.
// So who traded on two shards there was refused, although our count of both buckets allowed it.
describe('3194: a bucket for each shard', () => {
  /** Of the smallest tier: 100 tokens, of which 20 are left for cancels. */
  const ORDERS = 8;
  const AT = { price: price('0.3'), size: size('1'), timeInForce: 'GTC' } as const;

  let rig: VenueBTradingRig;
  beforeEach(async () => {
    rig = await VenueBTradingRig.open({ tier: 'basic' });
    rig.fund(3, 1_000_000_000 as MicroDollars);
    for (const ticker of [TICKER, TENNIS_TICKER]) await rig.trading.facts(ticker);
  });
  afterEach(() => rig.close());

  it('is spent by what goes there alone', async () => {
    const outcomes: string[] = [];
    for (const ticker of [TICKER, TENNIS_TICKER]) {
      for (let count = 0; count < ORDERS; count += 1) {
        const placed = await send(rig, rig.wish({ ticker, side: 'YES', action: 'BUY', ...AT }));
        outcomes.push(placed.outcome.type);
      }
    }
    expect(outcomes).toEqual(Array.from({ length: 2 * ORDERS }, () => 'accepted'));
    const more = await send(rig, rig.wish({ ticker: TENNIS_TICKER, side: 'YES', action: 'BUY', ...AT }));
    expect(more.outcome).toMatchObject({ type: 'not-sent', message: expect.stringContaining('is spent') });
  });
});

// Venue B says 429 to a change of an order group: the bucket of its shard is empty, since the account has another user. An order's 429 was
// heeded, that of a group was not. So orders went out against an empty bucket, and were refused one by one.
describe('3196: a group beyond the rate limit', () => {
  let rig: VenueBTradingRig;
  beforeEach(async () => {
    rig = await VenueBTradingRig.open();
    rig.fund(3, 1_000_000_000 as MicroDollars);
  });
  afterEach(() => rig.close());

  it('empties the bucket of its shard, and no other', async () => {
    for (const ticker of [TICKER, TENNIS_TICKER]) await rig.trading.facts(ticker);
    strike(rig, 'POST /portfolio/order_groups/create', { kind: 'rate-limited' });
    expect(await rig.trading.groups!.make(3, 20)).toMatchObject({ ok: false, error: { isGone: false } });
    expect(rig.trading.budget(TENNIS_TICKER)).toMatchObject({ orders: { left: 0 } });
    const { orders } = rig.trading.budget(TICKER);
    expect(orders.left).toBe(orders.burst);
  });
});
