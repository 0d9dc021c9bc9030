// Orders on another shard of venue B than the first, beside orders on the first shard. Sports may be on such a shard (venue-b.md §3). The
// account is read on all shards, and a request with the id of an order finds the order on its shard.

import { beforeEach, describe, expect, it } from 'vitest';
import type { MicroDollars, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import { shardsIn } from '../../../../src/venues/venue-b/trading/account.ts';
import { cancel, Ear, look, type Placed, price, send, size } from '../../trading-rig.ts';
import { TENNIS_TICKER, TICKER, VenueBTradingRig } from './trading-rig.ts';

let rig: VenueBTradingRig;
/** The order on shard 0 and the order on shard 3. */
let placed: readonly [Placed, Placed];

const WISH = { price: price('0.5') };

beforeEach(async () => {
  rig = await VenueBTradingRig.open();
  rig.fund(3, 40_000_000 as MicroDollars);
  placed = [await send(rig, rig.wish(WISH)), await send(rig, rig.wish({ ...WISH, ticker: TENNIS_TICKER }))];
  expect(placed.map(({ outcome }) => outcome.type)).toEqual(['accepted', 'accepted']);
});

/** Fills both orders at their price. */
function fill(contracts: string): void {
  for (const ticker of [TICKER, TENNIS_TICKER]) rig.others('SELL', WISH.price, size(contracts), 'take', ticker);
}

describe('an account with orders on two shards', () => {
  it('has both of them open, and both hold something back', async () => {
    expect(await rig.trading.openOrders()).toMatchObject({
      value: { rows: [{ address: TENNIS_TICKER }, { address: TICKER }] },
    });
    expect(await rig.trading.balance()).toMatchObject({ value: { committed: 10_000_000 } });
  });

  it('has the cash of each, net of its own orders, and the sum of them', async () => {
    const balance = await rig.trading.balance();
    const { available, shards = [] } = balance.ok ? balance.value : ({} as never);
    expect(shards.map(({ shard }) => shard)).toEqual([0, 3]);
    for (const [at, cash] of [1_000_000_000, 40_000_000].entries()) {
      expect(shards[at]!.available).toBeLessThanOrEqual(cash - 5_000_000);
      expect(shards[at]!.available).toBeGreaterThan(cash - 5_500_000);
    }
    expect(shards.reduce((sum, it) => sum + it.available, 0)).toBe(available);
  });

  it('can use the cash of a shard there only, and hears so in the words of the venue', async () => {
    const { outcome } = await send(rig, rig.wish({ ...WISH, ticker: TENNIS_TICKER, size: size('80') }));
    expect(outcome).toMatchObject({
      type: 'refused',
      kind: 'insufficientBalance',
      error: { code: 'VENUE_REJECTED', message: 'insufficient balance' },
      venueError: { code: 'insufficient_balance' },
    });
    expect((await send(rig, rig.wish({ ...WISH, size: size('80') }))).outcome).toMatchObject({ type: 'accepted' });
  });

  it('has all orders of both that were made since a time, however they have ended', async () => {
    fill('10');
    expect(await rig.trading.ordersSince(0 as UnixMillis)).toMatchObject({
      value: [
        { address: TENNIS_TICKER, state: 'gone', stated: { size: size('10') }, request: { size: size('10') } },
        { address: TICKER, state: 'gone', clientOrderId: placed[0].intent.clientOrderId },
      ],
    });
    await rig.advance(10_000);
    expect(await rig.trading.ordersSince(rig.now())).toEqual({ ok: true, value: [] });
  });

  it('has the fills and the holdings of both', async () => {
    fill('4');
    const fills = await rig.trading.fillsSince(0 as UnixMillis);
    expect(fills).toMatchObject({ value: { rows: [{ address: TICKER }, { address: TENNIS_TICKER }] } });
    const held = await rig.trading.positions();
    const sizes = held.ok ? held.value.rows.map(it => [it.address, it.size]) : [];
    expect(Object.fromEntries(sizes)).toEqual({ [TICKER]: size('4'), [TENNIS_TICKER]: size('4') });
  });

  it('hears what both have paid, also if nobody has listened', async () => {
    fill('10');
    for (const ticker of [TICKER, TENNIS_TICKER]) rig.paper.control.settle(ticker, '1');
    await rig.advance(600_000);
    const ear = await Ear.up(rig.trading);
    while (ear.count('settled') < 2) await rig.advance(limits.venueBSettlementsPauseMs);
    const settled = ear.events.flatMap(event => (event.type === 'settled' ? [event.address] : []));
    expect(settled.sort()).toEqual([TENNIS_TICKER, TICKER]);
  });
});

it('an order on a shard without any cash of the account is refused as one without enough', async () => {
  const poor = await VenueBTradingRig.open();
  const { outcome } = await send(poor, poor.wish({ ...WISH, ticker: TENNIS_TICKER }));
  expect(outcome).toMatchObject({
    type: 'refused',
    kind: 'insufficientBalance',
    error: { message: 'insufficient shard balance' },
    venueError: { code: 'insufficient_shard_balance' },
  });
  expect(await poor.trading.balance()).toMatchObject({
    value: { available: 1_000_000_000, shards: [{ shard: 0, available: 1_000_000_000 }] },
  });
});

describe('the cash of shards', () => {
  const row = (exchange_index: unknown, balance: unknown): object => ({ exchange_index, balance });
  const shardsOf = (...rows: object[]) => shardsIn({ balance_breakdown: rows }, [], []);

  it.each([
    ['without the breakdown', []],
    ['with an amount that cannot be read', [row(0, '1.0000'), row(3, 5)]],
    ['without the number of a shard', [row(0, '1.0000'), row(undefined, '5.0000')]],
    ['with a shard listed twice', [row(0, '1.0000'), row(0, '5.0000')]],
  ])('is not claimed %s', (_, rows) => {
    expect(shardsOf(...rows)).toEqual([]);
  });

  it('is that of each shard, never below 0', () => {
    expect(shardsOf(row(0, '1.5000'), row(2, '-3.0000'))).toEqual([
      { shard: 0, available: 1_500_000 },
      { shard: 2, available: 0 },
    ]);
  });

  it('of an account that the venue shows gross is net of the orders on the shard, if they name it', async () => {
    const gross = await VenueBTradingRig.open({ isBalanceGross: true });
    gross.fund(3, 40_000_000 as MicroDollars);
    await send(gross, gross.wish({ ...WISH, ticker: TENNIS_TICKER }));
    const balance = await gross.trading.balance();
    const orders = await gross.trading.openOrders();
    expect(orders).toMatchObject({ value: { rows: [{ address: TENNIS_TICKER }] } });
    // The paper exchange states net cash, so the cost of the order is taken off twice.
    expect(balance).toMatchObject({ value: { shards: [{ shard: 0, available: 1_000_000_000 }, { shard: 3 }] } });
    const cash = balance.ok ? balance.value.shards![1]!.available : 0;
    expect(cash).toBeLessThanOrEqual(30_000_000);
    expect(cash).toBeGreaterThan(29_500_000);
  });
});

describe('an order on another shard', () => {
  it('is found by its id and by ours, with its fills', async () => {
    fill('4');
    const [, { order, intent }] = placed;
    for (const venueOrderId of [order.venueOrderId, null]) {
      expect(await look(rig, { order: { ...order, venueOrderId }, intent })).toMatchObject({
        type: 'found',
        state: 'rests',
        stated: { size: size('4') },
        fills: [{ address: TENNIS_TICKER }],
      });
    }
  });

  it('is cancelled without any other', async () => {
    expect(await cancel(rig, placed[1])).toEqual({ type: 'cancelled' });
    expect(await rig.trading.openOrders()).toMatchObject({ value: { rows: [{ address: TICKER }] } });
  });
});
