// Each route of the paper venue B answers any request, and never with an internal error. Afterwards the exchange works as before: users with money
// can trade, and listeners hear of it.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { newOrder, type RigUser, TICKER, VenueBRig } from '../venue-b-rig.ts';

let rig: VenueBRig;
let user: RigUser;
let stream: WebSocket;
const heard: string[] = [];

beforeAll(async () => {
  rig = await VenueBRig.start();
  rig.house('bid 0.47 x 30');
  rig.house('ask 0.52 x 30');
  user = rig.user({ tier: 'unlimited' });
  stream = new WebSocket(rig.server.streamUrl, { headers: user.headersFor('GET', '/trade-api/ws/v2') });
  stream.on('message', data => heard.push(String(data)));
  await new Promise(resolve => stream.once('open', resolve));
});
afterAll(() => {
  stream.terminate();
  rig.close();
});

const PATHS = [
  'GET /exchange/status',
  'GET /markets',
  'GET /markets/ID',
  'GET /markets/ID/orderbook',
  'GET /markets/orderbooks',
  'GET /markets/trades',
  'GET /series',
  'GET /series/ID',
  'GET /events',
  'GET /events/ID',
  'GET /historical/orders',
  'GET /portfolio/orders',
  'GET /portfolio/orders/ID',
  'GET /portfolio/orders/ID/queue_position',
  'GET /portfolio/orders/queue_positions',
  'GET /portfolio/positions',
  'GET /portfolio/fills',
  'GET /portfolio/settlements',
  'GET /portfolio/balance',
  'GET /portfolio/order_groups',
  'GET /portfolio/order_groups/ID',
  'GET /portfolio/subaccounts/transfers',
  // This route takes the richest body, so it is drawn most often.
  ...Array<string>(15).fill('POST /portfolio/events/orders'),
  'DELETE /portfolio/events/orders/ID',
  'POST /portfolio/events/orders/ID/amend',
  'POST /portfolio/events/orders/ID/decrease',
  'POST /portfolio/events/orders/batched',
  'DELETE /portfolio/events/orders/batched',
  'POST /portfolio/order_groups/create',
  'PUT /portfolio/order_groups/ID/limit',
  'POST /portfolio/subaccounts',
  'PUT /portfolio/subaccounts/netting',
  'POST /portfolio/subaccounts/transfer',
  'POST /portfolio/intra_exchange_instance_transfer',
  'POST /portfolio/target_balance_allocation',
  'POST /api_keys',
];

const NUMBERS = [
  '0',
  '-1',
  '1',
  '9007199254740991',
  '9007199254740993',
  '1e400',
  '-0',
  '1.5',
  '0x10',
  'NaN',
  '253402300799',
];
const TEXTS = [
  '',
  TICKER,
  'KXNBAGAME',
  '__proto__',
  '💥',
  '\u0000',
  '"',
  '%',
  'x'.repeat(3_000),
  '0.5000',
  '1.00',
  '99999999',
];

const word = fc.constantFrom(...NUMBERS, ...TEXTS);
const names = fc.constantFrom(
  ...['limit', 'cursor', 'ticker', 'tickers', 'event_ticker', 'status', 'min_ts', 'max_ts', 'min_close_ts', 'depth'],
  ...['subaccount', 'exchange_index', 'start_ts', 'end_ts', 'period_interval', 'market_tickers', 'series_ticker'],
  ...['include_latest_before_start', 'with_nested_markets', 'minimum_start_date', 'ids', 'count_filter'],
);
const query = fc.array(fc.tuple(names, word), { maxLength: 4 });

/** A JSON text with numbers that may be beyond the range of JavaScript. */
const values = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS.filter(text => /^-?[\d.e]+$/.test(text))) },
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS).map(text => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
);
const { client_order_id: _burned, ...GOOD } = newOrder({
  order_id: 'x',
  reduce_by: '0.10',
  contracts_limit: 5,
  name: 'n',
  amount: 1,
  percent: 100,
});
const fields = fc.constantFrom(
  ...Object.keys(GOOD),
  'orders',
  'expiration_time',
  'expiration_time',
  'subaccount',
  'amount_cents',
  'allocations',
);
const bodies = fc.array(fc.tuple(fields, values), { maxLength: 3 }).map(changes => {
  const texts = Object.fromEntries(Object.entries(GOOD).map(([name, value]) => [name, JSON.stringify(value)]));
  for (const [name, value] of changes) texts[name] = name === 'orders' ? `[${value},${JSON.stringify(GOOD)}]` : value;
  return `{${Object.entries(texts).map(([name, value]) => `"${name}":${value}`)}}`;
});

const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%00', '%2500');

it('nothing that is sent is answered with a 5xx', async () => {
  const channels = ['user_orders', 'fill', 'market_positions', 'ticker', 'trade', 'order_group_updates'];
  stream.send(JSON.stringify({ id: 1, cmd: 'subscribe', params: { channels } }));
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PATHS),
      fc.array(word, { minLength: 3, maxLength: 3 }),
      query,
      bodies,
      async (call, ids, parameters, body) => {
        const [method = '', template = ''] = call.split(' ');
        let used = 0;
        const path = template.replaceAll('ID', () => encoded(ids[used++] ?? ''));
        const search = parameters.map(([name, value]) => `${name}=${encoded(value)}`).join('&');
        const answer = await user.send(method, `${path}?${search}`, method === 'GET' ? undefined : body);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        expect(answer.status).toBeLessThan(500);
      },
    ),
    { numRuns: 1_500 },
  );
  // The requests include valid orders and valid lists.
  expect([statuses.has(200), statuses.has(201), statuses.has(400), statuses.has(404)]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  heard.length = 0;
  const last = newOrder({ client_order_id: 'the last one' });
  expect((await user.send('POST', '/portfolio/events/orders', last)).status).toBe(201);
  await expect.poll(() => heard.some(text => text.includes('the last one'))).toBe(true);
});
