// The older family's list of orders through the whole gateway, by an API key. One list has both venues' orders, and every answer is checked against
// the contract document.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListOlderOrdersQuery, OlderOrder, OlderOrderPage } from '../../src/core/generated/api-types.ts';
import { createNodeClient } from '../../src/tools/client/node-client.ts';
import { answerProblems } from '../support/contract-schema.ts';
import { eventually } from '../support/eventually.ts';
import { someTicker, someToken } from '../support/paper-traders.ts';
import { type Answer, send } from '../support/signed-requests.ts';
import { OrdersRig, orderIdOf, type Shown } from './orders-rig.ts';

let rig: OrdersRig;
let ticker: string;
let tokenId: string;

beforeAll(async () => {
  rig = await OrdersRig.shared('venue-b');
  const { urls } = rig.gateway.paper!;
  await eventually(() => expect(rig.gateway.trading.isTradable('demo', 'venue_a')).toBe(true));
  [ticker, tokenId] = [await someTicker(urls.venueB.rest), await someToken(urls.venueA.gamma)];
});
afterAll(() => rig.close());

async function older(query: string, apiKey = rig.gateway.apiKey): Promise<Answer> {
  const answer = await send(`${rig.gateway.httpUrl}/v1/orders${query}`, { headers: { 'x-api-key': apiKey } });
  expect(answerProblems('listOlderOrders', answer.status, answer.headers, answer.json)).toEqual([]);
  return answer;
}

const pageOf = (answer: Answer) => answer.json as OlderOrderPage;
const idsOf = (orders: readonly OlderOrder[]) => orders.map(({ orderId }) => orderId);

async function submitA(body: object): Promise<string> {
  const answer = await rig.call('POST', '/v1/venue-a/orders', {
    body: JSON.stringify({ tokenId, ...body }),
    headers: { 'Content-Type': 'application/json' },
    idempotencyKey: crypto.randomUUID(),
  });
  return orderIdOf(answer);
}
const submitB = async (body: object) => orderIdOf(await rig.submit({ ticker, action: 'BUY', count: 3, ...body }));

describe('orders of both venues', () => {
  let made: readonly string[];
  beforeAll(async () => {
    made = [
      await submitB({ side: 'YES', priceCents: 99 }),
      await submitA({ side: 'BUY', type: 'MARKET', amount: '5' }),
      await submitB({ side: 'NO', priceCents: 1 }),
      await submitA({ side: 'BUY', type: 'LIMIT', size: '20', price: '0.02' }),
    ];
    for (const orderId of [made[0]!, made[1]!]) {
      const venue = orderId === made[0] ? 'venue-b' : 'venue-a';
      await eventually(async () => {
        const { json } = await rig.call('GET', `/v1/${venue}/orders/${orderId}`);
        expect((json as Shown).feesUsd).not.toBeNull();
      });
    }
  });

  it('are one list, newest first, and say of each what it says itself', async () => {
    const { orders, nextPageToken } = pageOf(await older(''));
    expect([idsOf(orders), nextPageToken]).toEqual([made.toReversed(), null]);
    expect(orders.map(({ status, marketOrders: [it] }) => [status, it!.type, it!.marketInfo])).toEqual([
      ['open', 'limit', { venue: 'venue_a', outcomeId: tokenId }],
      ['open', 'limit', { venue: 'venue_b', outcomeId: `${ticker}:NO` }],
      ['filled', 'market', { venue: 'venue_a', outcomeId: tokenId }],
      ['filled', 'limit', { venue: 'venue_b', outcomeId: `${ticker}:YES` }],
    ]);
    const bought = await rig.shown(made[0]!);
    const [amount, price, fees] = [bought.filledCount, bought.averagePrice, bought.feesUsd].map(Number);
    const { filledAmount, executionCost, marketOrders } = orders[3]!;
    expect([filledAmount, marketOrders[0]!.averagePrice]).toEqual([amount, price]);
    expect(executionCost).toBeCloseTo(amount! * price! + fees!, 5);
    expect(marketOrders[0]!.executionCost).toBe(executionCost);
  });

  it.each<[string, readonly number[]]>([
    ['?status=open', [3, 2]],
    ['?status=filled,cancelled', [1, 0]],
    ['?status=partial,failed,pending', []],
    ['?type=market', [1]],
    ['?type=limit,stop&status=filled', [0]],
    ['?type=stop,stop_limit,iceberg', []],
    ['?status=open%2Cfilled', [3, 2, 1, 0]],
  ])('%s', async (query, wanted) => {
    const { orders, nextPageToken } = pageOf(await older(query));
    expect([idsOf(orders), nextPageToken]).toEqual([wanted.map(index => made[index]), null]);
  });

  it('come page by page to the client of the repository', async () => {
    const client = createNodeClient({ url: rig.gateway.httpUrl, apiKey: rig.gateway.apiKey });
    const seen: string[] = [];
    for (let pageToken: string | null = null; ; ) {
      const query: ListOlderOrdersQuery =
        pageToken === null ? { pageSize: 1, status: ['open', 'filled'] } : { pageToken };
      const answer = await client.call('listOlderOrders', { query });
      if (!answer.ok) throw new Error(answer.error.message);
      const page: OlderOrderPage = answer.value.value;
      seen.push(...idsOf(page.orders));
      pageToken = page.nextPageToken;
      if (pageToken === null) break;
    }
    expect(seen).toEqual(made.toReversed());
  });
});

it('an order that was refused has failed, and says why', async () => {
  expect((await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 1_000_000, priceCents: 98 })).status).toBe(400);
  const [newest] = pageOf(await older('?pageSize=1&status=failed')).orders;
  const { error } = await rig.shown(newest!.orderId);
  expect(newest).toMatchObject({
    status: 'failed',
    marketOrders: [{ status: 'failed', error: { message: error!.message } }],
  });
});

it.each([
  ['?status=OPEN', 400, /^status: must be of pending, open/],
  ['?pageSize=0', 400, /^pageSize: /],
  ['?ticker=KX', 400, /^"ticker": unknown query parameter/],
  ['?pageToken=AAAA', 400, /^pageToken: /],
])('%s is refused in the words of the family', async (query, status, message) => {
  const answer = await older(query);
  expect([answer.status, answer.json]).toEqual([status, { error: { message: expect.stringMatching(message) } }]);
});

it.each([
  ['/v1/orders/', '; the right one is /v1/orders'],
  ['/v1/balances/', '; the right one is /v1/balances'],
  ['/v1/markets/venue_a/', ''],
  ['/v1/markets/venue_a/x/', '; the right one is /v1/markets/venue_a/x'],
])('%s, a slash from its paths, is unknown in the words of the family', async (path, right) => {
  const answer = await send(rig.gateway.httpUrl + path, { headers: { 'x-api-key': rig.gateway.apiKey } });
  expect([answer.status, answer.json]).toEqual([404, { error: { message: `${path}: unknown route${right}` } }]);
});

it('an unknown key is forbidden, and one that is revoked', async () => {
  expect((await older('', 'cbk_unknown')).json).toEqual({ message: 'Forbidden' });
  const { keyStore } = rig.gateway;
  const key = keyStore.read().apiKeys.find(({ actorId }) => actorId === rig.gateway.actorId);
  keyStore.revokeApiKey(key!.apiKeyId, key!.createdAt);
  const answer = await older('');
  expect([answer.status, answer.json]).toEqual([403, { message: 'Forbidden' }]);
});
