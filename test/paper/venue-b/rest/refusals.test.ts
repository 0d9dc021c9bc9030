// Every refusal of venue-b.md §7 that a known caller can get from the paper venue B, over real sockets: status, code and shape. A refused request has
// no effect.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, newOrder, type RigUser, TICKER, VenueBRig } from '../venue-b-rig.ts';

const ORDERS = '/portfolio/events/orders';

let rig: VenueBRig;
let user: RigUser;

beforeAll(async () => {
  rig = await VenueBRig.start();
  rig.house('bid 0.47 x 3');
  rig.house('ask 0.52 x 3');
});
afterAll(() => rig.close());
beforeEach(() => {
  user = rig.user({ cents: 10_000 });
});

const place = (changes: Record<string, unknown> = {}): Promise<Answer> => user.send('POST', ORDERS, newOrder(changes));

const orderIdOf = ({ body }: Answer): string => (body as { order_id: string }).order_id;

const unmarshal = (kind: string, field: string, type: string): string =>
  `json: cannot unmarshal ${kind} into Go struct field CreateOrderV2Request.${field} of type ${type}`;
const broken = (field: string, tag: string): string =>
  `Key: 'CreateOrderV2Request.${field}' Error:Field validation for '${field}' failed on the '${tag}' tag`;

describe('bodies', () => {
  it.each([
    ['a count that is a number', { count: 1 }, unmarshal('number', 'count', 'string')],
    ['a price that is a number', { price: 0.01 }, unmarshal('number 0.01', 'price', 'string')],
    ['a text for a truth', { post_only: 'yes' }, unmarshal('string', 'post_only', 'bool')],
    ['a text for a time', { expiration_time: '1' }, unmarshal('string', 'expiration_time', 'int')],
    ['a list for a text', { ticker: [] }, unmarshal('array', 'ticker', 'string')],
    ['no ticker', { ticker: undefined }, broken('Ticker', 'required')],
    ['no side', { side: undefined }, broken('Side', 'required')],
    ['no count', { count: undefined }, broken('Count', 'required')],
    ['no price', { price: null }, broken('Price', 'required')],
    ['no time in force', { time_in_force: '' }, broken('TimeInForce', 'required')],
    [
      'no self-trade prevention',
      { self_trade_prevention_type: undefined },
      broken('SelfTradePreventionType', 'required'),
    ],
    ['another side', { side: 'yes' }, broken('Side', 'oneof')],
    ['another time in force', { time_in_force: 'gtt' }, broken('TimeInForce', 'oneof')],
    ['a long id', { client_order_id: 'x'.repeat(65) }, broken('ClientOrderId', 'max')],
  ])('%s', async (_what, changes, details) => {
    const answer = await place(changes);
    expect([answer.status, answer.body]).toEqual([400, { code: 'bad_request', message: 'bad request', details }]);
  });

  it.each([
    ['', 'invalid_content_type'],
    ['{', 'unexpected end of JSON input'],
    ['nonsense', "invalid character 'n' looking for beginning of value"],
    ['[]', 'json: cannot unmarshal array into Go value of type struct'],
    ['null', "Field validation for 'Ticker' failed on the 'required' tag"],
  ])('body %j', async (text, words) => {
    const answer = await user.send('POST', ORDERS, text === '' ? undefined : text);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(words)]);
  });

  it('a body that is called text is not looked at', async () => {
    const headers = { ...user.headers('POST', ORDERS), 'Content-Type': 'text/plain' };
    expect((await rig.fetch('POST', ORDERS, newOrder(), headers)).body).toEqual({
      error: { code: 'invalid_content_type', message: 'invalid content type' },
    });
  });

  it('what the venue does not know is ignored', async () => {
    expect((await place({ buy_max_cost: 1, 'client-order': [], constructor: 1, toString: {} })).status).toBe(201);
  });

  it.each([-1, 64])('an invalid subaccount is refused: %i', async subaccount => {
    const answer = await place({ subaccount });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('invalid_subaccount')]);
  });

  it('64 characters are no long id, and any are allowed', async () => {
    const id = `"\\é\n${'x'.repeat(60)}`;
    expect((await place({ client_order_id: id })).body).toMatchObject({ client_order_id: id });
  });
});

describe('orders', () => {
  const refused = (code: string, details?: string) => ({
    error: { code, message: code.toLowerCase().replaceAll('_', ' '), ...(details === undefined ? {} : { details }) },
  });

  it.each([
    ['an off-grid price', { price: '0.5150' }, 400, 'invalid_price', undefined],
    ['a price of 0', { price: '0.0000' }, 400, 'invalid_price', undefined],
    ['a price of 1', { price: '1.0000' }, 400, 'invalid_price', undefined],
    ['a price above 1', { price: '52' }, 400, 'invalid_price', undefined],
    ['a negative price', { price: '-0.50' }, 400, 'invalid_price', undefined],
    ['a fine price', { price: '0.51500' }, 400, 'invalid_order', 'invalid price: invalid dollar precision: -5'],
    ['a fine count', { count: '1.001' }, 400, 'invalid_order', 'invalid count: invalid contract precision: -3'],
    ['a count of 0', { count: '0.00' }, 400, 'invalid_order', 'invalid count'],
    ['a count that is none', { count: 'all' }, 400, 'invalid_order', 'invalid count'],
    [
      'more than there is money for',
      { count: '10100.00', price: '0.9900', post_only: false },
      400,
      'insufficient_balance',
      undefined,
    ],
    [
      'selling more than there is money for',
      { side: 'ask', count: '500.00', price: '0.5200' },
      400,
      'insufficient_balance',
      undefined,
    ],
    ['a post-only order that crosses', { post_only: true, price: '0.5200' }, 400, 'invalid_order', 'post only cross'],
    [
      'a fill-or-kill order that finds too little',
      { time_in_force: 'fill_or_kill', price: '0.5200', count: '4.00' },
      409,
      'fill_or_kill_insufficient_resting_volume',
      undefined,
    ],
    [
      'reduce-only that would rest',
      { reduce_only: true },
      400,
      'invalid_order',
      'reduce_only can only be used with IoC or FoK orders',
    ],
    [
      'reduce-only without a position',
      { reduce_only: true, time_in_force: 'immediate_or_cancel', price: '0.5200' },
      400,
      'invalid_order',
      'reduce_only order would not reduce a position',
    ],
    ['an end in the past', { expiration_time: 1_000 }, 400, 'invalid_order', 'expiration_time must be in the future'],
    [
      'an end of what does not rest',
      { expiration_time: 2_000_000_000, time_in_force: 'immediate_or_cancel' },
      400,
      'invalid_order',
      'expiration_time can only be used with good_till_canceled orders',
    ],
    ['an unknown market', { ticker: 'KXNONE' }, 404, 'market_not_found', undefined],
    ['a market on another shard', { exchange_index: 2 }, 404, 'market_not_found', undefined],
    ['an unknown group', { order_group_id: 'none' }, 404, 'order_group_not_found', undefined],
  ])('%s', async (_what, changes, status, code, details) => {
    const answer = await place(changes);
    expect([answer.status, answer.body]).toEqual([status, refused(code, details)]);
    expect((await user.get('/portfolio/balance')).body).toMatchObject({ balance_dollars: '100.0000' });
    expect((await user.get('/portfolio/orders?status=resting')).body).toEqual({ cursor: '', orders: [] });
  });

  it('a client id is used up by each end of its order', async () => {
    const exists = refused('order_already_exists');
    const resting = await place({ client_order_id: 'mine' });
    expect((await place({ client_order_id: 'mine', price: '0.0200' })).body).toEqual(exists);
    await user.send('DELETE', `${ORDERS}/${orderIdOf(resting)}`);
    expect((await place({ client_order_id: 'mine' })).body).toEqual(exists);
    const killed = { client_order_id: 'killed', time_in_force: 'fill_or_kill', count: '9.00', price: '0.5200' };
    expect((await place(killed)).status).toBe(409);
    expect((await place(killed)).body).toEqual(exists);
    const other = rig.user();
    expect((await other.send('POST', ORDERS, newOrder({ client_order_id: 'mine' }))).status).toBe(201);
  });

  it('an order that is gone is not found by any call, nor is somebody else’s', async () => {
    const gone = orderIdOf(await place());
    const foreign = orderIdOf(await rig.user().send('POST', ORDERS, newOrder()));
    const executed = orderIdOf(await place({ price: '0.5200', count: '0.01', time_in_force: 'immediate_or_cancel' }));
    expect((await user.send('DELETE', `${ORDERS}/${gone}`)).status).toBe(200);
    for (const id of [gone, foreign, executed, '00000000-0000-0000-0000-000000000000']) {
      const amendment = { ticker: TICKER, side: 'bid', price: '0.0200', count: '1.00' };
      for (const answer of [
        await user.send('DELETE', `${ORDERS}/${id}`),
        await user.send('POST', `${ORDERS}/${id}/decrease`, { reduce_by: '0.50' }),
        await user.send('POST', `${ORDERS}/${id}/amend`, amendment),
        await user.get(`/portfolio/orders/${id}/queue_position`),
      ]) {
        expect([answer.status, answer.body]).toEqual([404, refused('not_found')]);
      }
    }
    expect((await user.get(`/portfolio/orders/${foreign}`)).status).toBe(404);
  });

  it.each([
    ['ticker', { ticker: 'KXNBAGAME-26NOV21NYKBOS-NYK' }, 'order_ticker_mismatch'],
    ['side', { side: 'ask' }, 'order_side_mismatch'],
    ['client id', { client_order_id: 'other' }, 'order_id_and_client_order_id_mismatch'],
  ])('an amendment of another %s', async (_what, changes, code) => {
    const id = orderIdOf(await place());
    const amendment = { ticker: TICKER, side: 'bid', price: '0.0200', count: '1.00', ...changes };
    const answer = await user.send('POST', `${ORDERS}/${id}/amend`, amendment);
    expect([answer.status, answer.body]).toEqual([400, refused(code)]);
  });

  it.each([{}, { reduce_by: '1.00', reduce_to: '1.00' }])('a decrease by %j', async body => {
    const id = orderIdOf(await place());
    const answer = await user.send('POST', `${ORDERS}/${id}/decrease`, body);
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining('exactly one of reduce_by and reduce_to'),
    ]);
  });
});

describe('a market or an exchange that does not trade', () => {
  const codeOf = ({ body }: Answer): string => (body as { error: { code: string } }).error.code;

  it('paused market', async () => {
    rig.exchange.life.setPaused(rig.market(), true);
    const answer = await place();
    rig.exchange.life.setPaused(rig.market(), false);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'MARKET_NOT_ACTIVE']);
  });

  it('trading pause: no orders, but cancels', async () => {
    const id = orderIdOf(await place());
    rig.exchange.state.setTradingActive(false);
    const answer = await place();
    const cancelled = await user.send('DELETE', `${ORDERS}/${id}`);
    rig.exchange.state.setTradingActive(true);
    expect([answer.status, codeOf(answer), cancelled.status]).toEqual([409, 'trading_is_paused', 200]);
  });

  it('exchange pause: nothing', async () => {
    const id = orderIdOf(await place());
    rig.exchange.state.setExchangeActive(false);
    const answers = [await place(), await user.send('DELETE', `${ORDERS}/${id}`)];
    rig.exchange.state.setExchangeActive(true);
    expect(answers.map(answer => [answer.status, codeOf(answer)])).toEqual(Array(2).fill([409, 'exchange_is_paused']));
  });

  it('closed market', async () => {
    const market = rig.market('KXNBAGAME-26NOV21NYKBOS-NYK');
    rig.exchange.life.setCloseAt(market, rig.exchange.now());
    const answer = await place({ ticker: market.ticker });
    expect([answer.status, codeOf(answer)]).toEqual([409, 'market_closed']);
  });
});

describe('removed calls', () => {
  it.each([
    ['POST', ''],
    ['DELETE', '/some-id'],
    ['POST', '/some-id/amend'],
    ['POST', '/some-id/decrease'],
    ['POST', '/batched'],
    ['DELETE', '/batched'],
  ])('%s /portfolio/orders%s', async (method, path) => {
    const answer = await user.send(method, `/portfolio/orders${path}`, { action: 'buy' });
    expect([answer.status, answer.body]).toMatchObject([410, { error: { code: 'deprecated_v1_order_endpoint' } }]);
  });
});

describe('queries and paths', () => {
  it.each([
    ['/portfolio/orders?limit=1001', 'GetOrders', 'Limit', 'lte'],
    ['/portfolio/fills?limit=1001', 'GetFills', 'Limit', 'lte'],
    ['/portfolio/positions?limit=-1', 'GetPositions', 'Limit', 'gte'],
    ['/portfolio/settlements?min_ts=-5', 'GetSettlements', 'MinTs', 'gte'],
    ['/portfolio/deposits?limit=501', 'GetDeposits', 'Limit', 'lte'],
    ['/historical/orders?limit=1001', 'GetHistoricalOrders', 'Limit', 'lte'],
  ])('%s', async (path, operation, field, tag) => {
    const answer = await user.get(path);
    const rule = `Key: '${operation}Params.${field}' Error:Field validation for '${field}' failed on the '${tag}' tag`;
    expect([answer.status, answer.body]).toEqual([
      400,
      { msg: `Parameter validation failed for ${operation}: ${rule}` },
    ]);
  });

  it('a number that is invalid is refused', async () => {
    const answer = await user.get('/portfolio/orders?limit=many');
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringMatching(/^\{"msg":"Invalid format for parameter limit/),
    ]);
  });

  it('a garbage cursor is the first page', async () => {
    await place();
    const garbage = await user.get('/portfolio/orders?cursor=garbage');
    expect([garbage.status, garbage.body]).toEqual([200, (await user.get('/portfolio/orders')).body]);
  });

  it.each(['/portfolio/balance/', '/portfolio/orders/', '/nowhere/'])(
    '%s is redirected to the path without the slash',
    async path => {
      const answer = await user.get(`${path}?a=1`);
      expect([answer.status, answer.headers.get('location')]).toEqual([301, `/trade-api/v2${path.slice(0, -1)}?a=1`]);
    },
  );

  it('an unknown path', async () => {
    const answer = await user.get('/nowhere');
    expect([answer.status, answer.body]).toMatchObject([404, { error: { code: 'not_found' } }]);
  });

  it('another method', async () => {
    expect((await user.send('PUT', '/portfolio/balance')).status).toBe(405);
  });
});
