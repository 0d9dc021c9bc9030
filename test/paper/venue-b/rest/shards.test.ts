// Markets of the paper venue B on two shards (venue-b.md §3): what requests find that name one, a ticker, both or neither.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { listedEvent } from '../venue-b-listings.ts';
import { newOrder, type RigUser, TICKER, VenueBRig } from '../venue-b-rig.ts';

const TENNIS = 'KXATPMATCH-26NOV21SINALC-SIN';
const ORDERS = '/portfolio/events/orders';

let rig: VenueBRig;
let user: RigUser;

beforeAll(async () => {
  const timers = new VirtualTimers();
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
});

async function placed(ticker: string, changes: object = {}): Promise<string> {
  const { status, body } = await user.send('POST', ORDERS, newOrder({ ticker, ...changes }));
  expect(status).toBe(201);
  return (body as { order_id: string }).order_id;
}

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
    ['?exchange_index=-1', [TENNIS, TICKER]],
    ['?exchange_index=0', [TICKER]],
    ['?exchange_index=3', [TENNIS]],
    ['?exchange_index=1', []],
  ])('orders are listed with %j: %j', async (query, tickers) => {
    await placed(TICKER);
    await placed(TENNIS);
    const { body } = await user.get(`/portfolio/orders${query}`);
    expect((body as { orders: { ticker: string }[] }).orders.map(({ ticker }) => ticker)).toEqual(tickers);
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
