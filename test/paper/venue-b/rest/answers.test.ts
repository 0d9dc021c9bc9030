// Answers of the paper venue B when it does what was asked (venue-b.md §5, §6). Covers texts to the letter with their keys in
// alphabetical order, and the books, pages and accounts that follow.

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, newOrder, type RigUser, TICKER, VenueBRig } from '../venue-b-rig.ts';

const ORDERS = '/portfolio/events/orders';
const rigs: VenueBRig[] = [];
let rig: VenueBRig;
let user: RigUser;

beforeEach(async () => {
  rig = await VenueBRig.start();
  rigs.push(rig);
  rig.house('bid 0.47 x 3');
  rig.house('ask 0.52 x 3');
  rig.house('ask 0.53 x 1');
  user = rig.user({ cents: 10_000 });
});
afterAll(() => {
  for (const each of rigs) each.close();
});

const place = (changes: Record<string, unknown> = {}): Promise<Answer> => user.send('POST', ORDERS, newOrder(changes));
const field = ({ body }: Answer, name: string): string => String((body as Record<string, unknown>)[name]);
const placed = async (changes: Record<string, unknown> = {}): Promise<string> =>
  field(await place(changes), 'order_id');

/** Returns the answer with ids and times replaced by letters. */
function plain(answer: Answer): string {
  const text = answer.text.replace(/[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/g, 'ID');
  return `${answer.status} ${text.replaceAll(String(rig.exchange.now()), 'NOW')}`;
}

describe('new orders', () => {
  it.each([
    ['rests', {}, '"fill_count":"0.00","order_id":"ID","remaining_count":"1.00"', ''],
    [
      'takes',
      { price: '0.5200' },
      '"fill_count":"1.00","order_id":"ID","remaining_count":"0.00"',
      '"average_fee_paid":"0.0175","average_fill_price":"0.5200",',
    ],
    [
      'takes two levels and rests',
      { price: '0.5300', count: '5.00' },
      '"fill_count":"4.00","order_id":"ID","remaining_count":"1.00"',
      '"average_fee_paid":"0.0175","average_fill_price":"0.5225",',
    ],
    [
      'sells',
      { side: 'ask', price: '0.4', count: '2', time_in_force: 'fill_or_kill' },
      '"fill_count":"2.00","order_id":"ID","remaining_count":"0.00"',
      '"average_fee_paid":"0.0175","average_fill_price":"0.4700",',
    ],
    [
      'takes what there is, and the rest is canceled',
      { price: '0.5200', count: '4.00', time_in_force: 'immediate_or_cancel' },
      '"fill_count":"3.00","order_id":"ID","remaining_count":"0.00"',
      '"average_fee_paid":"0.0175","average_fill_price":"0.5200",',
    ],
    [
      'finds nothing',
      { price: '0.5100', time_in_force: 'immediate_or_cancel' },
      '"fill_count":"0.00","order_id":"ID","remaining_count":"0.00"',
      '',
    ],
  ])('%s', async (_what, changes, outcome, averages) => {
    const answer = await place({ ...changes, client_order_id: 'mine' });
    expect(plain(answer)).toBe(`201 {${averages}"client_order_id":"mine",${outcome},"ts_ms":NOW}`);
  });

  it('an order without a client id gets one', async () => {
    const answers = [await place({ client_order_id: undefined }), await place({ client_order_id: '' })];
    expect(answers.map(answer => plain(answer).includes('"client_order_id":"ID"'))).toEqual([true, true]);
  });

  it('everything that can be said of an order is shown again', async () => {
    const { body } = await user.send('POST', '/portfolio/order_groups/create', { contracts_limit: 10 });
    const group = (body as { order_group_id: string }).order_group_id;
    const id = await placed({
      side: 'ask',
      price: '0.9',
      expiration_time: 1_790_000_000,
      order_group_id: group,
      cancel_order_on_pause: true,
      self_trade_prevention_type: 'maker',
      post_only: true,
      client_order_id: 'shown',
      exchange_index: -1,
    });
    const shown = await user.get(`/portfolio/orders/${id}`);
    const order = (shown.body as { order: Record<string, unknown> }).order;
    expect(Object.keys(order)).toEqual(Object.keys(order).sort());
    expect(order).toEqual({
      action: 'sell',
      book_side: 'ask',
      cancel_order_on_pause: true,
      client_order_id: 'shown',
      created_time: '2026-05-28T20:26:40Z',
      exchange_index: 0,
      expiration_time: '2026-09-21T14:13:20Z',
      fill_count_fp: '0.00',
      initial_count_fp: '1.00',
      last_update_time: '2026-05-28T20:26:40Z',
      maker_fees_dollars: '0.000000',
      maker_fill_cost_dollars: '0.000000',
      no_price_dollars: '0.1000',
      order_group_id: group,
      order_id: id,
      outcome_side: 'no',
      remaining_count_fp: '1.00',
      self_trade_prevention_type: 'maker',
      side: 'yes',
      status: 'resting',
      subaccount_number: 0,
      taker_fees_dollars: '0.000000',
      taker_fill_cost_dollars: '0.000000',
      ticker: TICKER,
      type: 'limit',
      user_id: user.userId,
      yes_price_dollars: '0.9000',
    });
  });
});

describe('changes of orders', () => {
  it('cancel', async () => {
    const id = await placed({ count: '2.50' });
    expect(plain(await user.send('DELETE', `${ORDERS}/${id}`))).toBe(
      '200 {"order_id":"ID","reduced_by":"2.50","ts_ms":NOW}',
    );
  });

  it('decrease, both ways, and to nothing', async () => {
    const id = await placed({ count: '5.00', client_order_id: 'less' });
    const decrease = (body: unknown) => user.send('POST', `${ORDERS}/${id}/decrease`, body);
    const text = (left: string) =>
      `200 {"client_order_id":"less","order_id":"ID","remaining_count":"${left}","ts_ms":NOW}`;
    expect(plain(await decrease({ reduce_by: '2.00' }))).toBe(text('3.00'));
    expect(plain(await decrease({ reduce_to: '0.50' }))).toBe(text('0.50'));
    expect(plain(await decrease({ reduce_to: '0' }))).toBe(text('0.00'));
    expect((await decrease({ reduce_by: '1' })).status).toBe(404);
  });

  it('amend: sizes are only said if they change, and fills with what they cost', async () => {
    const id = await placed({ count: '2.00', client_order_id: 'first' });
    const amend = (changes: Record<string, unknown>) =>
      user.send('POST', `${ORDERS}/${id}/amend`, {
        ticker: TICKER,
        side: 'bid',
        price: '0.0200',
        count: '2.00',
        ...changes,
      });
    expect(plain(await amend({}))).toBe('200 {"client_order_id":"first","order_id":"ID","ts_ms":NOW}');
    expect(plain(await amend({ count: '4.00', client_order_id: 'first', updated_client_order_id: 'second' }))).toBe(
      '200 {"client_order_id":"second","fill_count":"0.00","order_id":"ID","remaining_count":"4.00","ts_ms":NOW}',
    );
    expect(plain(await amend({ count: '4.00', price: '0.5200' }))).toBe(
      '200 {"average_fee_paid":"0.0175","average_fill_price":"0.5200","client_order_id":"second",' +
        '"fill_count":"3.00","order_id":"ID","remaining_count":"1.00","ts_ms":NOW}',
    );
  });

  it('cancel all: of one subaccount, or of all', async () => {
    rig.fund(user.userId, 1_000, 1);
    const ids = [await placed(), await placed({ subaccount: 1 })];
    const statuses = async () =>
      Promise.all(ids.map(async id => (await user.get(`/portfolio/orders/${id}`)).text.match(/"status":"(\w+)"/)?.[1]));
    expect(plain(await user.send('DELETE', `${ORDERS}?subaccount=1`))).toBe('204 ');
    expect(await statuses()).toEqual(['resting', 'canceled']);
    await user.send('DELETE', ORDERS);
    expect(await statuses()).toEqual(['canceled', 'canceled']);
  });

  it('batches: each item for itself, in order', async () => {
    const orders = [newOrder({ client_order_id: 'a' }), newOrder({ client_order_id: 'b', price: '0.015' })];
    const created = await user.send('POST', `${ORDERS}/batched`, { orders });
    expect(plain(created)).toBe(
      '201 {"orders":[{"client_order_id":"a","fill_count":"0.00","order_id":"ID","remaining_count":"1.00","ts_ms":NOW},' +
        '{"client_order_id":"b","error":{"code":"invalid_price","message":"invalid price"}}]}',
    );
    const [first] = (created.body as { orders: { order_id: string }[] }).orders;
    const cancelled = await user.send('DELETE', `${ORDERS}/batched`, {
      orders: [{ order_id: first!.order_id }, { order_id: first!.order_id }],
    });
    expect(plain(cancelled)).toBe(
      '200 {"orders":[{"order_id":"ID","reduced_by":"1.00","ts_ms":NOW},' +
        '{"error":{"code":"not_found","message":"not found"},"order_id":"ID","reduced_by":"0.00"}]}',
    );
  });

  it('a batch with an item that cannot be decoded does nothing', async () => {
    for (const orders of [[newOrder(), newOrder({ count: 1 })], [newOrder(), 1], undefined, {}]) {
      const answer = await user.send('POST', `${ORDERS}/batched`, { orders });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('"code":"bad_request"')]);
    }
    expect((await user.get('/portfolio/orders')).body).toEqual({ cursor: '', orders: [] });
  });
});

describe('lists', () => {
  it('pages are stable while new orders come', async () => {
    const ids = [await placed(), await placed(), await placed()].reverse();
    const page = async (cursor: string) => {
      const { body } = await user.get(`/portfolio/orders?limit=1&cursor=${cursor}`);
      return body as { cursor: string; orders: { order_id: string }[] };
    };
    const first = await page('');
    await placed();
    const second = await page(first.cursor);
    const third = await page(second.cursor);
    expect([first, second, third].map(({ orders }) => orders[0]?.order_id)).toEqual(ids);
    expect(third.cursor).toBe('');
  });

  it.each([
    ['ticker=none', 0],
    [`ticker=${TICKER}`, 2],
    ['event_ticker=a,KXNBAGAME-26NOV21NYKBOS', 2],
    ['event_ticker=a', 0],
    ['status=resting', 1],
    ['status=executed', 1],
    ['status=nonsense', 0],
    ['min_ts=1780000000', 2],
    ['min_ts=1780000001', 0],
    ['max_ts=1779999999', 0],
    ['subaccount=0', 2],
    ['subaccount=1', 0],
    ['exchange_index=1', 0],
  ])('orders with %s', async (query, count) => {
    await placed();
    await placed({ price: '0.5200' });
    const { body } = await user.get(`/portfolio/orders?${query}`);
    expect((body as { orders: unknown[] }).orders).toHaveLength(count);
  });

  it('fills by order, newest first, of all subaccounts', async () => {
    rig.fund(user.userId, 1_000, 3);
    const first = await placed({ price: '0.5200' });
    rig.house('ask 0.40 x 1');
    await placed({ price: '0.5200', subaccount: 3 });
    const fills = async (query: string) =>
      ((await user.get(`/portfolio/fills?${query}`)).body as { fills: object[] }).fills;
    expect(await fills('')).toHaveLength(2);
    expect(await fills('subaccount=3')).toMatchObject([{ subaccount_number: 3 }]);
    expect(await fills(`order_id=${first}`)).toMatchObject([
      { order_id: first, fee_cost: '0.017500', is_taker: true, action: 'buy', ts: 1_780_000_000 },
    ]);
  });

  it('positions, then what the market paid for them', async () => {
    await placed({ price: '0.5200', count: '2.00' });
    const positions = async (query: string) =>
      ((await user.get(`/portfolio/positions?${query}`)).body as { market_positions: object[] }).market_positions;
    expect(await positions('')).toEqual([
      {
        exchange_index: 0,
        fees_paid_dollars: '0.035000',
        last_updated_ts: '2026-05-28T20:26:40Z',
        market_exposure_dollars: '1.040000',
        position_fp: '2.00',
        realized_pnl_dollars: '0.000000',
        ticker: TICKER,
        total_traded_dollars: '1.040000',
      },
    ]);
    expect(await positions('settlement_status=settled')).toEqual([]);
    expect(await positions('count_filter=position')).toHaveLength(1);
    rig.exchange.life.determine(rig.market(), 10_000 as never);
    (rig.timers as never as { advance(ms: number): void }).advance(3_600_000);
    expect(await positions('')).toEqual([]);
    expect(await positions('settlement_status=settled')).toHaveLength(1);
    expect(((await user.get('/portfolio/settlements')).body as { settlements: object[] }).settlements).toMatchObject([
      {
        ticker: TICKER,
        market_result: 'yes',
        yes_count_fp: '2.00',
        yes_total_cost_dollars: '1.040000',
        revenue: 200,
        value: 100,
      },
    ]);
    expect((await user.get('/portfolio/balance')).body).toMatchObject({ balance: 10_092, balance_dollars: '100.9250' });
  });

  it('resting orders hold money back', async () => {
    await placed({ price: '0.2500', count: '10.00' });
    expect((await user.get('/portfolio/balance')).body).toMatchObject({
      balance_dollars: expect.stringMatching(/^97\./),
    });
    const { body } = await user.get('/portfolio/summary/total_resting_order_value');
    expect(body).toMatchObject({ total_resting_order_value: 250 });
  });

  it('queue places', async () => {
    const [mine, other] = [await placed({ count: '2.00' }), rig.user()];
    const behind = field(await other.send('POST', ORDERS, newOrder()), 'order_id');
    expect((await user.get(`/portfolio/orders/${mine}/queue_position`)).body).toEqual({ queue_position_fp: '0.00' });
    expect((await other.get(`/portfolio/orders/${behind}/queue_position`)).body).toEqual({ queue_position_fp: '2.00' });
    const places = await other.get('/portfolio/orders/queue_positions?event_ticker=KXNBAGAME-26NOV21NYKBOS');
    expect(places.body).toEqual({
      queue_positions: [{ market_ticker: TICKER, order_id: behind, queue_position_fp: '2.00' }],
    });
  });
});
