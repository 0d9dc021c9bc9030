// Found by calling each rule of beyond §1 and §4: a refusal named a field that its caller had not given. A `price` in whole cents that is off
// the grid was refused as `priceCents`, and the `market` of a cancel-all on /v1/trade as `ticker`.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorOf, OrdersRig } from '../e2e/orders-rig.ts';
import { eventually } from '../support/eventually.ts';
import { someTicker } from '../support/paper-traders.ts';

let rig: OrdersRig;
let ticker: string;
beforeAll(async () => {
  rig = await OrdersRig.start('venue-b');
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
});
afterAll(() => rig.close());

it.each([
  ['0', /^price: must be on the market's grid; the nearest prices are 0\.\d+ above$/],
  ['1', /^price: must be on the market's grid; the nearest prices are 0\.9\d* below$/],
])('a price of %s is refused as price', async (price, words) => {
  const refused = await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 1, price });
  expect([refused.status, errorOf(refused).message]).toEqual([400, expect.stringMatching(words)]);
});

it('an invalid market is refused under the field market', async () => {
  const { json } = await rig.call('POST', '/v1/trade/ticket');
  const url = rig.gateway.url.replace('/v1/orderbook', '/v1/trade');
  const socket = new WebSocket(`${url}?ticket=${(json as { readonly ticket: string }).ticket}`, 'crossbook.v1.json');
  const heard: unknown[] = [];
  socket.onmessage = ({ data }) => heard.push(JSON.parse(data));
  socket.onopen = () => socket.send('{"op":"cancel-all","id":"1","venue":"venue_b","market":"x y"}');
  await eventually(() => expect(heard).toHaveLength(1));
  const message = expect.stringMatching(/^market: must name a market of venue_b: ticker: /);
  expect(heard).toMatchObject([{ status: 400, error: { message } }]);
  socket.close();
});
