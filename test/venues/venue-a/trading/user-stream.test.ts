// Reports of the user channel about our orders and trades. Messages are lost, doubled or out of order, a settlement fails, and the line
// breaks. Also covers how a payout is recognized.

import { beforeEach, describe, expect, it } from 'vitest';
import { ASK } from '../../../../src/core/domain/market.ts';
import { limits } from '../../../../src/limits.ts';
import type { MessageFault } from '../../../../src/paper/faults/faults.ts';
import type { PrivateEvent } from '../../../../src/venues/venue.ts';
import { NEG_RISK, REGULAR } from '../../../paper/venue-a/venue-a-rig.ts';
import { turnsUntil } from '../../../support/turns.ts';
import { cents, dollars, FIRST, limit, SECOND, shares, TradingRig } from './trading-rig.ts';

let rig: TradingRig;

beforeEach(async () => {
  rig = await TradingRig.start();
});

const fillsIn = (events: readonly PrivateEvent[]) => events.flatMap(it => (it.type === 'fill' ? [it.fill] : []));
const ordersIn = (events: readonly PrivateEvent[]) => events.flatMap(it => (it.type === 'order' ? [it.order] : []));
const settlementsIn = (events: readonly PrivateEvent[]) =>
  events.flatMap(it => (it.type === 'settlement' ? [it.settlement] : []));
const count = (events: readonly PrivateEvent[], type: PrivateEvent['type']) =>
  events.filter(it => it.type === type).length;

/** Makes the house sell to the bids for the first token. */
function houseSells(price: number, size: number): void {
  const { desk } = rig.venue.exchange;
  const market = desk.markets.find(it => it.address === REGULAR.conditionId)!;
  desk.place(market, ASK, cents(price), shares(size), 'take');
}

/** Lets time pass in steps, and hears the messages of each step. A single long step would look like silence of the venue. */
async function pass(forMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < forMs; passedMs += 5_000) {
    rig.venue.timers.advance(5_000);
    await rig.trading.openOrders();
  }
}

describe('an order', () => {
  it('is reported when it rests, grows and ends', async () => {
    const events = await rig.listen();
    const { order } = await rig.place(limit('BUY', 50, 10));
    houseSells(50, 4);
    await rig.trading.cancel(order, rig.in(1_000));
    await turnsUntil(() => ordersIn(events).length === 3);
    expect(ordersIn(events).map(({ state, stated }) => [state, stated?.size])).toEqual([
      ['rests', 0],
      ['rests', shares(4)],
      ['gone', shares(4)],
    ]);
    expect(ordersIn(events).every(it => it.venueOrderId === order.venueOrderId && it.address === FIRST)).toBe(true);
  });
});

describe('a trade', () => {
  it('of a taker: each maker at its own price, with fees', async () => {
    rig.venue.quote(NEG_RISK, 1, 50, 4);
    rig.venue.quote(NEG_RISK, 1, 52, 10);
    const events = await rig.listen();
    await rig.place({ ...limit('BUY', 60, 10), tokenId: NEG_RISK.tokens[0] });
    await turnsUntil(() => fillsIn(events).length === 2);
    expect(fillsIn(events).map(({ price, size, fee, positionChange }) => [price, size, fee, positionChange])).toEqual([
      [cents(50), shares(4), dollars(0.05), shares(4)],
      // The fee is 6 × 0.05 × 0.2496, to five decimals.
      [cents(52), shares(6), dollars(0.07488), shares(6)],
    ]);
  });

  it('of a seller and of the second token: in the frame of the order', async () => {
    rig.venue.quote(REGULAR, 0, 40, 20);
    const events = await rig.listen();
    await rig.place({ ...limit('BUY', 60, 10), tokenId: SECOND });
    await turnsUntil(() => fillsIn(events).length === 1);
    rig.venue.quote(REGULAR, 1, 45, 20);
    await rig.place({ ...limit('SELL', 55, 6), tokenId: SECOND });
    await turnsUntil(() => fillsIn(events).length === 2);
    expect(fillsIn(events).map(it => [it.address, it.price, it.addressPrice, it.positionChange])).toEqual([
      [SECOND, cents(60), cents(60), shares(10)],
      [SECOND, cents(55), cents(55), -shares(6)],
    ]);
  });

  it('with ourselves is two fills', async () => {
    await rig.place(limit('BUY', 50, 10));
    const events = await rig.listen();
    await rig.place({ ...limit('BUY', 50, 10), tokenId: SECOND });
    await turnsUntil(() => fillsIn(events).length === 2);
    const sides = new Set(fillsIn(events).map(it => `${it.liquidity} ${it.address}`));
    expect(sides).toEqual(new Set([`TAKER ${SECOND}`, `MAKER ${FIRST}`]));
    expect(new Set(fillsIn(events).map(it => it.fillId)).size).toBe(2);
  });

  it('goes on to settle', async () => {
    rig.venue.quote(REGULAR, 1, 50, 10);
    const events = await rig.listen();
    await rig.place(limit('BUY', 50, 10));
    await turnsUntil(() => count(events, 'fill') === 1);
    rig.venue.timers.advance(20_000);
    await turnsUntil(() => settlementsIn(events).length === 2);
    expect(settlementsIn(events)).toEqual(['MINED', 'CONFIRMED']);
    expect(new Set(fillsIn(events).map(it => it.fillId)).size).toBe(1);
  });

  it.each([
    ['settlement-fails', ['FAILED']],
    ['settlement-retries', ['RETRYING', 'MINED', 'CONFIRMED']],
  ] as const)('whose %s', async (kind, expected) => {
    rig.strike('*', { kind });
    rig.venue.quote(REGULAR, 1, 50, 10);
    const events = await rig.listen();
    const { order, intent } = await rig.place(limit('BUY', 50, 10));
    await turnsUntil(() => count(events, 'fill') === 1);
    await pass(60_000);
    await turnsUntil(() => settlementsIn(events).length === expected.length);
    expect(settlementsIn(events)).toEqual(expected);
    const size = kind === 'settlement-fails' ? 0 : shares(10);
    const fills = [{ settlement: expected.at(-1) }];
    const look = () => rig.trading.lookUp(order, intent, rig.in(1_000));
    await look();
    rig.venue.timers.advance(limits.venueAReadLagMs);
    expect(await look()).toMatchObject({ state: 'gone', stated: { size }, fills });
    expect(await rig.trading.fillsSince(order.createdAt)).toMatchObject({ ok: true, value: { rows: fills } });
  });

  it.each([
    ['duplicate', 2, 2],
    ['swap', 1, 2],
    ['drop', 0, 0],
  ] as const satisfies readonly (readonly [MessageFault, number, number])[])(
    'whose message meets %s can be read all the same',
    async (kind, reported) => {
      rig.venue.quote(REGULAR, 1, 50, 10);
      const events = await rig.listen();
      rig.strike('trade', { kind });
      const { order } = await rig.place(limit('BUY', 50, 10));
      await turnsUntil(() => ordersIn(events).some(it => it.state === 'gone'));
      await rig.place(limit('BUY', 40, 10));
      await turnsUntil(() => ordersIn(events).filter(it => it.state === 'rests' && it.stated?.size === 0).length >= 2);
      expect(fillsIn(events).length).toBe(reported);
      const read = await rig.trading.fillsSince(rig.in(-1_000));
      expect(read).toMatchObject({ value: { rows: [{ venueOrderId: order.venueOrderId, size: shares(10) }] } });
      const ids = new Set([...fillsIn(events), ...(read.ok ? read.value.rows : [])].map(it => it.fillId));
      expect(ids.size).toBe(1);
    },
  );

  it('waits for the fees of its market, and keeps its place', async () => {
    const other = rig.venue.wallet(2);
    await rig.place(limit('BUY', 50, 10));
    const fresh = await freshListener();
    rig.strike('GET /clob-markets/:condition', { kind: 'delay', beforeMs: 1_000, afterMs: 0 });
    await rig.venue.post(other, { token: SECOND, side: 'BUY', amounts: [5_000_000, 10_000_000] });
    await turnsUntil(() => [...rig.plan.rules].at(-1)?.hits === 1);
    rig.venue.timers.advance(1_000);
    await turnsUntil(() => ordersIn(fresh).length === 1);
    const ofTrading = fresh.map(it => it.type).filter(type => type !== 'up' && type !== 'redeemable');
    expect(ofTrading).toEqual(['fill', 'order']);
  });

  it('without them is reported as one that cannot be read yet', async () => {
    await rig.place(limit('BUY', 50, 10));
    const fresh = await freshListener();
    rig.strike('GET /clob-markets/:condition', { kind: 'status', status: 500, isApplied: false });
    houseSells(50, 10);
    await turnsUntil(() => count(fresh, 'unread') === 1);
    expect([count(fresh, 'fill'), count(fresh, 'down')]).toEqual([0, 0]);
    expect(await rig.trading.fillsSince(rig.in(-60_000))).toMatchObject({ value: { rows: [{ size: shares(10) }] } });
  });

  /** Returns the events of an adapter that knows no market yet. */
  async function freshListener(): Promise<PrivateEvent[]> {
    const events: PrivateEvent[] = [];
    rig.another().listen(event => events.push(event));
    await turnsUntil(() => count(events, 'up') === 1);
    return events;
  }
});

describe('the line', () => {
  it('is never up with credentials that are wrong', async () => {
    rig = await TradingRig.start({}, { passphrase: 'wrong' });
    const events: PrivateEvent[] = [];
    rig.trading.listen(event => events.push(event));
    await turnsUntil(() => count(events, 'down') === 1);
    expect(count(events, 'up')).toBe(0);
  });

  it('tells nothing after it was stopped or the venue closed', async () => {
    const events: PrivateEvent[] = [];
    const stop = rig.trading.listen(event => events.push(event));
    await turnsUntil(() => count(events, 'up') === 1);
    stop();
    const more = await rig.listen();
    await rig.trading.close();
    const reported = events.length + more.length;
    await rig.place(limit('BUY', 50, 10));
    await rig.trading.openOrders();
    expect(events.length + more.length).toBe(reported);
  });
});

describe('a market that has paid out', () => {
  it('is reported once, with what a share is worth', async () => {
    rig.venue.quote(REGULAR, 1, 50, 10);
    rig.venue.quote(NEG_RISK, 1, 50, 10);
    const events = await rig.listen();
    await rig.place(limit('BUY', 50, 10));
    await rig.place({ ...limit('BUY', 50, 10), tokenId: NEG_RISK.tokens[0] });
    rig.venue.exchange.resolutions.resolve(rig.venue.market(REGULAR), 0);
    rig.venue.exchange.resolutions.resolve(rig.venue.market(NEG_RISK), 1);
    rig.venue.timers.advance(30_000);
    await turnsUntil(() => count(events, 'settled') === 2);
    const settled = events.flatMap(it => (it.type === 'settled' ? [[it.address, it.value]] : []));
    expect(Object.fromEntries(settled)).toEqual({ [FIRST]: 10_000, [NEG_RISK.tokens[0]]: 0 });
    rig.venue.timers.advance(30_000);
    await rig.trading.positions();
    expect(count(events, 'settled')).toBe(2);
    // A position that waits to be redeemed is reported again at each reading.
    await turnsUntil(() => count(events, 'redeemable') === 3);
    const waits = events.flatMap(it => (it.type === 'redeemable' ? [it.addresses.toSorted()] : []));
    const both = [FIRST, NEG_RISK.tokens[0]].toSorted();
    expect(waits).toEqual([[], both, both]);
  });
});
