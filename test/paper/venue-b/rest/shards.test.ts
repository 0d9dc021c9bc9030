// Markets of the paper venue B on two shards (venue-b.md §3): the results of requests that name a shard, a ticker, both or neither.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ticks } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { listedEvent } from '../venue-b-listings.ts';
import { newOrder, type RigUser, TICKER, VenueBRig } from '../venue-b-rig.ts';

const TENNIS = 'KXATPMATCH-26NOV21SINALC-SIN';
const ORDERS = '/portfolio/events/orders';

let rig: VenueBRig;
let timers: VirtualTimers;
let user: RigUser;

beforeAll(async () => {
  timers = new VirtualTimers();
  const now = timers.now();
  const events = [
    listedEvent({ eventTicker: 'KXNBAGAME-26NOV21NYKBOS', tickers: [TICKER], now }),
    listedEvent({ eventTicker: 'KXATPMATCH-26NOV21SINALC', tickers: [TENNIS], now, series: { shard: 3 } }),
  ];
  rig = await VenueBRig.start({ timers, events });
});
afterAll(() => rig.close());
beforeEach(() => {
  user = rig.user({ cents: 10_000 });
  rig.fund(user.userId, 500, 0, 3);
});

const COSTLY = { ticker: TENNIS, price: '0.5000', count: '10.00' };

async function balances(query = ''): Promise<unknown> {
  return (await user.get(`/portfolio/balance${query}`)).body;
}

async function placed(ticker: string, changes: object = {}): Promise<string> {
  const { status, body } = await user.send('POST', ORDERS, newOrder({ ticker, ...changes }));
  expect(status).toBe(201);
  return (body as { order_id: string }).order_id;
}

describe('the cash of a shard', () => {
  it('is shown beside the sum of all, and by itself', async () => {
    expect(await balances()).toMatchObject({
      balance: 10_500,
      balance_dollars: '105.0000',
      balance_breakdown: [
        { exchange_index: 0, balance: '100.0000' },
        { exchange_index: 3, balance: '5.0000' },
      ],
    });
    expect(await balances('?exchange_index=3')).toMatchObject({
      balance: 500,
      balance_breakdown: [{ exchange_index: 3 }],
    });
    expect((await user.get('/portfolio/subaccounts/balances')).body).toMatchObject({
      subaccount_balances: [
        { exchange_index: 0, balance: '100.0000' },
        { exchange_index: 3, balance: '5.0000' },
      ],
    });
  });

  it('is all that an order there can use, and that order holds back nothing elsewhere', async () => {
    const tooMuch = await user.send('POST', ORDERS, newOrder({ ...COSTLY, count: '11.00' }));
    expect([tooMuch.status, tooMuch.body]).toMatchObject([400, { error: { code: 'insufficient_balance' } }]);
    await placed(TENNIS, { ...COSTLY, count: '5.00' });
    expect(await balances()).toMatchObject({
      balance_breakdown: [{ balance: '100.0000' }, { balance: expect.stringMatching(/^2\.[34]/) }],
    });
    expect((await user.get('/portfolio/summary/total_resting_order_value')).body).toMatchObject({
      total_resting_order_value: 250,
      resting_order_value_breakdown: [
        { exchange_index: 0, balance: '0.0000' },
        { exchange_index: 3, balance: '2.5000' },
      ],
    });
  });

  it('is wanting where none was ever moved there, until a transfer', async () => {
    const other = rig.user({ cents: 10_000 });
    const refused = await other.send('POST', ORDERS, newOrder(COSTLY));
    expect([refused.status, refused.body]).toMatchObject([404, { error: { code: 'insufficient_shard_balance' } }]);
    const move = { source: 'event_contract', destination: 'event_contract', amount: 60_000 };
    const back = { ...move, source_exchange_shard: 3, destination_exchange_shard: 0 };
    expect((await other.send('POST', '/portfolio/intra_exchange_instance_transfer', back)).status).toBe(400);
    const there = { ...move, source_exchange_shard: 0, destination_exchange_shard: 3 };
    expect((await other.send('POST', '/portfolio/intra_exchange_instance_transfer', there)).status).toBe(200);
    expect((await other.send('POST', ORDERS, newOrder(COSTLY))).status).toBe(201);
  });
});

it('a cancel of all orders covers all shards', async () => {
  await placed(TICKER);
  await placed(TENNIS);
  expect((await user.send('DELETE', ORDERS)).status).toBe(204);
  expect((await user.get('/portfolio/orders?status=resting')).body).toMatchObject({ orders: [] });
});

describe('shards', () => {
  it('are named by what is on them', async () => {
    await placed(TENNIS);
    expect((await user.get(`/markets/${TENNIS}`)).body).toMatchObject({ market: { exchange_index: 3 } });
    expect((await user.get(`/markets/${TICKER}`)).body).toMatchObject({ market: { exchange_index: 0 } });
    expect((await user.get('/portfolio/orders')).body).toMatchObject({ orders: [{ exchange_index: 3 }] });
    expect((await user.get('/exchange/status')).body).toMatchObject({
      exchange_index_statuses: [{ exchange_index: 0 }, { exchange_index: 3 }],
    });
  });

  it.each([
    ['', [TENNIS, TICKER]],
    ['?exchange_index=0', [TICKER]],
    ['?exchange_index=3', [TENNIS]],
    ['?exchange_index=1', []],
  ])('orders are listed with %j: %j', async (query, tickers) => {
    await placed(TICKER);
    await placed(TENNIS);
    const { body } = await user.get(`/portfolio/orders${query}`);
    expect((body as { orders: { ticker: string }[] }).orders.map(({ ticker }) => ticker)).toEqual(tickers);
  });

  it('orders are not listed with −1, which other lists take', async () => {
    await placed(TENNIS);
    expect((await user.get('/portfolio/orders?exchange_index=-1')).status).toBe(400);
    expect((await user.get('/portfolio/fills?exchange_index=-1')).status).toBe(200);
    expect((await user.get('/historical/orders?exchange_index=-1')).status).toBe(200);
  });

  it.each([
    [TENNIS, 3, 201],
    [TENNIS, -1, 201],
    [TENNIS, 0, 404],
    [TICKER, 3, 404],
  ])('an order for %s with %i is answered %i', async (ticker, exchange_index, status) => {
    expect((await user.send('POST', ORDERS, newOrder({ ticker, exchange_index }))).status).toBe(status);
  });

  it.each([
    ['', 404],
    ['?exchange_index=-1', 404],
    ['?exchange_index=0', 404],
    [`?exchange_index=0&market_ticker=${TENNIS}`, 404],
    [`?market_ticker=${TICKER}`, 404],
    ['?market_ticker=KXNEVER', 404],
    [`?market_ticker=${TENNIS}`, 200],
    [`?market_ticker=${TENNIS}&exchange_index=-1`, 200],
    ['?exchange_index=3', 200],
  ])('a cancel on another shard with %j is answered %i', async (query, status) => {
    const id = await placed(TENNIS);
    expect((await user.send('DELETE', `${ORDERS}/${id}${query}`)).status).toBe(status);
  });

  it('a batch, a decrease and an amendment find an order on its shard', async () => {
    const [id, other] = [await placed(TENNIS, { count: '5.00' }), await placed(TENNIS)];
    const by = { reduce_by: '1.00' };
    const amendment = { ticker: TENNIS, side: 'bid', price: '0.0200', count: '4.00' };
    const statuses = [
      await user.send('POST', `${ORDERS}/${id}/decrease`, by),
      await user.send('POST', `${ORDERS}/${id}/decrease`, { ...by, market_ticker: TENNIS }),
      await user.send('POST', `${ORDERS}/${id}/amend`, { ...amendment, exchange_index: 0 }),
      await user.send('POST', `${ORDERS}/${id}/amend`, amendment),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 200, 404, 200]);
    const orders = [{ order_id: id }, { order_id: other, exchange_index: 3 }];
    expect((await user.send('DELETE', `${ORDERS}/batched`, { orders })).body).toMatchObject({
      orders: [{ error: { code: 'not_found' } }, { reduced_by: '1.00' }],
    });
  });
});

describe('a market on another shard', () => {
  it('pays on its shard', async () => {
    rig.house('ask 0.6000 x 5.00', 'rest', TENNIS);
    await placed(TENNIS, { ...COSTLY, price: '0.6000', count: '5.00' });
    rig.exchange.life.determine(rig.market(TENNIS), 10_000 as Ticks);
    await timers.settle(limits.paperSettlementTimerS * 1_000);
    expect(await balances('?exchange_index=3')).toMatchObject({ balance_dollars: expect.stringMatching(/^6\.9/) });
    expect(await balances('?exchange_index=0')).toMatchObject({ balance_dollars: '100.0000' });
  });
});
