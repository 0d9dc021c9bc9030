// A preview and the order that follows it, on the paper exchanges, with books that stand still.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/domain/json.ts';
import { someTicker, someToken } from '../support/paper-traders.ts';
import { OrdersRig } from './orders-rig.ts';

interface Preview {
  readonly admission: JsonObject;
  readonly fill: { readonly size: string; readonly averagePrice: string; readonly isWhole: boolean };
}

describe.each(['venue-a', 'venue-b'] as const)('at %s', venue => {
  let rig: OrdersRig;
  let body: JsonObject;
  let dear: JsonObject;
  beforeAll(async () => {
    rig = await OrdersRig.shared(venue);
    const { venueA, venueB } = rig.gateway.paper!.urls;
    if (venue === 'venue-a') {
      const tokenId = await someToken(venueA.gamma);
      body = { tokenId, type: 'MARKET', side: 'BUY', amount: '37.5', timeInForce: { type: 'FAK' } };
      dear = { tokenId, type: 'LIMIT', side: 'BUY', size: '1', price: '0.5' };
    } else {
      const common = { ticker: await someTicker(venueB.rest), side: 'NO', action: 'BUY' };
      body = { ...common, count: 40, price: '0.99', timeInForce: { type: 'IOC' } };
      dear = { ...common, count: 1, price: '0.999999' };
    }
  });
  afterAll(() => rig.close());

  const previewed = async (of: JsonObject) => {
    const sent = { body: JSON.stringify(of), headers: { 'Content-Type': 'application/json' } };
    return rig.call('POST', `/v1/${venue}/orders/preview`, sent);
  };

  it('its price and its size are what the order gets', async () => {
    const before = ((await rig.list()).json as { readonly orders: readonly unknown[] }).orders.length;
    const { admission, fill } = (await previewed(body)).json as Preview;
    expect(admission).toMatchObject({ status: 201, code: null });
    const after = ((await rig.list()).json as { readonly orders: readonly unknown[] }).orders.length;
    expect(after).toBe(before);
    const { orderId } = (await rig.submit(body)).json as { orderId: string };
    const order = await rig.shown(orderId);
    expect([order.filledShares ?? order.filledCount, order.averagePrice]).toEqual([fill.size, fill.averagePrice]);
  });

  it('its refusal is that of the order', async () => {
    const answer = await previewed(dear);
    const refused = await rig.submit(dear);
    const { message, ...error } = (refused.json as { error: JsonObject }).error;
    if (answer.status !== 200)
      expect([answer.status, (answer.json as { error: JsonObject }).error.message]).toEqual([refused.status, message]);
    else
      expect((answer.json as unknown as Preview).admission).toMatchObject({
        status: refused.status,
        message,
        ...error,
      });
  });
});
