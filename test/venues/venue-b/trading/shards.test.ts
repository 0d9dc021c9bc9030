// Orders on another shard of venue B than the first, beside some on the first. Sports may be on such a shard (venue-b.md §3). The account
// is read on all shards, and what names an order finds it wherever it is.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import { cancel, Ear, look, type Placed, price, send, size } from '../../trading-rig.ts';
import { TENNIS_TICKER, TICKER, VenueBTradingRig } from './trading-rig.ts';

let rig: VenueBTradingRig;
/** On shard 0, on shard 3. */
let placed: readonly [Placed, Placed];

const WISH = { side: 'YES', action: 'BUY', price: price('0.5'), size: size('10'), timeInForce: 'GTC' } as const;

beforeEach(async () => {
  rig = await VenueBTradingRig.open();
  placed = [await send(rig, rig.wish(WISH)), await send(rig, rig.wish({ ...WISH, ticker: TENNIS_TICKER }))];
  expect(placed.map(({ outcome }) => outcome.type)).toEqual(['accepted', 'accepted']);
});
afterEach(() => rig.close());

/** Of both orders, at their price. */
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
    expect(new Map(held.ok ? held.value.rows.map(it => [it.address, it.size]) : [])).toEqual(
      new Map([
        [TICKER, size('4')],
        [TENNIS_TICKER, size('4')],
      ]),
    );
  });

  it('hears what both have paid, also if nobody has listened', async () => {
    fill('10');
    for (const ticker of [TICKER, TENNIS_TICKER]) rig.paper.control.settle(ticker, '1');
    await rig.advance(600_000);
    const ear = new Ear(rig.trading);
    await ear.until(() => ear.count('up') === 1);
    while (ear.count('settled') < 2) await rig.advance(limits.venueBSettlementsPauseMs);
    const settled = ear.events.flatMap(event => (event.type === 'settled' ? [event.address] : []));
    expect(settled.sort()).toEqual([TENNIS_TICKER, TICKER]);
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
