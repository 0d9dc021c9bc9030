// Replaces through the whole gateway: at venue B the order is changed in place, at venue A it is cancelled and submitted anew.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tradeJsonCodec } from '../../src/core/wire/trade-messages.ts';
import { tradeProtobufCodec } from '../../src/core/wire/trade-protobuf.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeTrade } from '../../src/tools/client/node-stream.ts';
import { eventually } from '../support/eventually.ts';
import { someTicker, someToken } from '../support/paper-traders.ts';
import type { Answer, RequestParts } from '../support/signed-requests.ts';
import { errorOf, OrdersRig, orderIdOf } from './orders-rig.ts';

interface Replaced {
  readonly orderId: string;
  readonly status: string;
  readonly replaces: { readonly orderId: string; readonly status: string };
}

const UNKNOWN_ID = '00000000-0000-8000-8000-000000000000';
const VENUES = [
  {
    ...{ venue: 'venue-b' as const, name: 'venue_b' as const, write: 'POST *', message: 'user_order' },
    order: (address: string) => ({ ticker: address, side: 'YES', action: 'BUY', count: 4, priceCents: 1 }),
    ...{
      change: { priceCents: 2, count: 6 },
      shown: { priceCents: 2, count: 6 },
      dear: { priceCents: 90, count: 5_000_000 },
    },
  },
  {
    ...{ venue: 'venue-a' as const, name: 'venue_a' as const, write: 'POST /order', message: 'order' },
    order: (address: string) => ({ tokenId: address, side: 'BUY', type: 'LIMIT', size: '10', price: '0.01' }),
    ...{
      change: { price: '0.02', size: '12' },
      shown: { price: '0.02', size: '12' },
      dear: { size: '9000000', price: '0.02' },
    },
  },
];

describe.each(VENUES)('a replace at $venue', ({ venue, name, write, message, order, change, shown, dear }) => {
  let rig: OrdersRig;
  let address: string;
  beforeAll(async () => {
    rig = await OrdersRig.shared(venue);
    const { urls } = rig.gateway.paper!;
    address = await (venue === 'venue-b' ? someTicker(urls.venueB.rest) : someToken(urls.venueA.gamma));
  });
  afterAll(() => rig.close());

  const resting = async () => orderIdOf(await rig.submit(order(address)));
  const replace = (orderId: string, body: object, parts: RequestParts = {}): Promise<Answer> =>
    rig.call('POST', `/v1/${venue}/orders/${orderId}/replace`, {
      ...{ body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' }, idempotencyKey: randomUUID() },
      ...parts,
    });

  it('makes the new order, and the old one is CANCELLED as REPLACED', async () => {
    const old = await resting();
    const idempotencyKey = randomUUID();
    const answer = await replace(old, change, { idempotencyKey });
    expect(answer.status, answer.text).toBe(201);
    const { orderId, status, replaces } = answer.json as Replaced;
    expect([status, replaces]).toEqual(['OPEN', { orderId: old, status: 'CANCELLED' }]);
    expect(await rig.shown(orderId)).toMatchObject({ ...shown, clientOrderId: idempotencyKey });
    expect(await rig.shown(old)).toMatchObject({ status: 'CANCELLED', cancelReason: 'REPLACED' });
    const again = await replace(old, change, { idempotencyKey });
    expect([again.status, again.json, again.headers['idempotency-replayed']]).toEqual([201, answer.json, 'true']);
    expect((await rig.cancel(orderId)).status).toBe(200);
  });

  it('again and again keeps one order at the venue', async () => {
    let orderId = await resting();
    for (const size of [8, 6, 9]) {
      const body = venue === 'venue-b' ? { count: size } : { size: String(size) };
      orderId = orderIdOf(await replace(orderId, body));
    }
    const open = ((await rig.list('?status=OPEN')).json as { orders: { orderId: string }[] }).orders;
    expect(open.map(it => it.orderId)).toContain(orderId);
    expect((await rig.cancel(orderId)).status).toBe(200);
  });

  it('whose new order costs more than there is says what the old one is', async () => {
    const old = await resting();
    const answer = await replace(old, dear);
    expect([answer.status, errorOf(answer).code]).toEqual([400, 'INSUFFICIENT_BALANCE']);
    const { replaces } = answer.json as unknown as Replaced;
    expect(replaces).toEqual({ orderId: old, status: (await rig.shown(old)).status });
    // At venue B the replace happens in place, and nothing was changed.
    expect(replaces.status).toBe(venue === 'venue-b' ? 'OPEN' : 'CANCELLED');
  });

  it('is refused for an order that is over, an unknown order, or an invalid body', async () => {
    const old = await resting();
    expect((await rig.cancel(old)).status).toBe(200);
    const over = await replace(old, change);
    expect([over.status, errorOf(over).code]).toEqual([409, 'ORDER_NOT_CANCELLABLE']);
    expect((await replace(UNKNOWN_ID, change)).status).toBe(404);
    const nothing = await replace(old, {});
    expect([nothing.status, errorOf(nothing).message]).toEqual([
      400,
      `price: at least one of price and ${venue === 'venue-b' ? 'count or size' : 'size'} must be given`,
    ]);
  });

  it.each([tradeJsonCodec, tradeProtobufCodec])('is the same on /v1/trade in $subprotocol', async codec => {
    const url = rig.gateway.url.replace('/v1/orderbook', '/v1/trade');
    const trade = createNodeTrade({ url, signer: nodeSigner(rig.gateway.key), codec });
    trade.start();
    await eventually(() => expect(trade.isUp).toBe(true));
    try {
      const old = await resting();
      const accepted: string[] = [];
      const made = await trade.replace(name, old, change as never, { accepted: id => accepted.push(id) });
      const replaces = { orderId: old, status: 'CANCELLED' };
      expect(made).toMatchObject({ ok: true, value: { status: 201, value: { status: 'OPEN', replaces } } });
      const { orderId } = made.ok ? made.value.value : { orderId: '' };
      expect(accepted).toEqual([orderId]);
      const again = await trade.replace(name, old, change as never);
      expect(again).toMatchObject({ ok: false, error: { kind: 'refused', status: 409, replaces } });
      expect((await trade.cancel(name, orderId)).ok).toBe(true);
    } finally {
      trade.close();
    }
  });

  it('whose answer is lost is unknown, and the same key has the answer once it is known', async () => {
    const old = await resting();
    await rig.fault({ venue: name, operation: write, fault: { kind: 'lost', isApplied: true } });
    await rig.fault({ venue: name, operation: message, fault: { kind: 'drop' }, countMax: 2 });
    const idempotencyKey = randomUUID();
    const lost = await replace(old, change, { idempotencyKey });
    const { orderId, code } = errorOf(lost);
    expect([lost.status, code]).toEqual([502, 'ORDER_RECONCILIATION_REQUIRED']);
    await rig.settled(orderId!, ({ status }) => status === 'OPEN');
    expect(await rig.shown(old)).toMatchObject({ status: 'CANCELLED', cancelReason: 'REPLACED' });
    const again = await replace(old, change, { idempotencyKey });
    expect(again.json).toMatchObject({ orderId, status: 'OPEN', replaces: { orderId: old, status: 'CANCELLED' } });
    expect((await rig.cancel(orderId!)).status).toBe(200);
  });
});

// A replace of an unknown order under a used key is 422 (contract §3), as with a body that cannot be read. A bot that mixes up its keys must not look
// for the order.
describe('3233: a replace of nothing under a used key', () => {
  const UNKNOWN_ID = '00000000-0000-8000-8000-000000000000';

  let rig: OrdersRig;
  beforeAll(async () => {
    rig = await OrdersRig.shared('venue-b');
  });
  afterAll(() => rig.close());

  it('a replace of an unknown order is a conflict under a key that was used, and not found under another', async () => {
    const ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
    const order = { ticker, side: 'YES', action: 'BUY', count: 4, priceCents: 1 };
    const used = 'used-before';
    const made = await rig.submit(order, { idempotencyKey: used });
    expect(made.status, made.text).toBe(201);
    const replace = (idempotencyKey: string) =>
      rig.call('POST', `/v1/venue-b/orders/${UNKNOWN_ID}/replace`, {
        ...{ body: '{"count":5}', headers: { 'Content-Type': 'application/json' }, idempotencyKey },
      });
    const conflict = await replace(used);
    expect([conflict.status, errorOf(conflict).code]).toEqual([422, 'IDEMPOTENCY_CONFLICT']);
    const unknown = await replace('never-used');
    expect([unknown.status, errorOf(unknown).code]).toEqual([404, 'NOT_FOUND']);
    expect((await rig.cancel(orderIdOf(made))).status).toBe(200);
  });
});
