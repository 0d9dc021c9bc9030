// The queue ahead of own orders through a whole gateway on the paper exchanges: in answers, on the stream, and over /v1/trade.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/core/domain/json.ts';
import { jsonCodec } from '../../src/core/wire/json.ts';
import type { QueueMessage } from '../../src/core/wire/messages.ts';
import { protobufCodec } from '../../src/core/wire/protobuf.ts';
import { type TradeCodec, tradeJsonCodec } from '../../src/core/wire/trade-messages.ts';
import { tradeProtobufCodec } from '../../src/core/wire/trade-protobuf.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream, createNodeTrade } from '../../src/tools/client/node-stream.ts';
import type { TradeConnection } from '../../src/tools/client/trade-connection.ts';
import { eventually } from '../support/eventually.ts';
import { someTicker, someToken } from '../support/paper-traders.ts';
import { OrdersRig, orderIdOf } from './orders-rig.ts';

describe.each(['venue-a', 'venue-b'] as const)('at %s', venue => {
  let rig: OrdersRig;
  let body: JsonObject;
  beforeAll(async () => {
    rig = await OrdersRig.shared(venue);
    const { venueA, venueB } = rig.gateway.paper!.urls;
    body =
      venue === 'venue-a'
        ? { tokenId: await someToken(venueA.gamma), type: 'LIMIT', side: 'BUY', size: '20', price: '0.01' }
        : { ticker: await someTicker(venueB.rest), side: 'NO', action: 'BUY', count: 20, priceCents: 1 };
  });
  afterAll(() => rig.close());

  const queueOf = async (orderId: string): Promise<JsonObject> => {
    const { json } = await rig.call('GET', `/v1/${venue}/orders/${orderId}?queue=true`);
    return (json as { readonly queueAhead: JsonObject }).queueAhead;
  };

  it('a later order has the earlier one ahead of it', async () => {
    const first = orderIdOf(await rig.submit(body));
    expect(await rig.shown(first)).not.toHaveProperty('queueAhead');
    const before = await eventually(async () => {
      const found = await queueOf(first);
      expect(found).toMatchObject({ low: '0', basis: 'DISPLAYED', book: 'LIVE' });
      return found;
    });
    const second = orderIdOf(await rig.submit(body));
    const behind = String(Number(before.high) + 20);
    await eventually(async () =>
      expect(await queueOf(second)).toEqual({ low: behind, high: behind, basis: 'ARRIVAL', book: 'LIVE' }),
    );
    const { orders } = (await rig.list('?status=OPEN&queue=true')).json as { readonly orders: readonly JsonObject[] };
    expect(orders.find(({ orderId }) => orderId === second)?.queueAhead).toMatchObject({ low: behind, high: behind });
    for (const orderId of [first, second]) await rig.cancel(orderId);
    expect(await queueOf(second)).toBeNull();
    const refused = await rig.list('?queue=yes');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('queue: must be true')]);
  });

  it('the venue’s own word is asked for where it gives one', async () => {
    const orderId = orderIdOf(await rig.submit(body));
    if (venue === 'venue-a') {
      const { status, text } = await rig.list('?queue=venue');
      expect([status, text]).toEqual([400, expect.stringContaining('venue A states no places in queues')]);
      await rig.cancel(orderId);
      return;
    }
    const behind = orderIdOf(await rig.submit(body));
    const shown = async (path: string) => (await rig.call('GET', path)).json as JsonObject;
    const atVenue = async (id: string) => (await shown(`/v1/venue-b/orders/${id}?queue=venue`)).queueAtVenue;
    const first = (await atVenue(orderId)) as { readonly ahead: string };
    expect(first).toEqual({ ahead: expect.stringMatching(/^\d+$/), fault: null });
    expect(await atVenue(behind)).toEqual({ ahead: String(Number(first.ahead) + 20), fault: null });
    const { orders } = (await rig.list('?status=OPEN&queue=venue')).json as { readonly orders: readonly JsonObject[] };
    expect(orders.find(it => it.orderId === behind)).toMatchObject({
      queueAhead: { low: expect.any(String) },
      queueAtVenue: { ahead: String(Number(first.ahead) + 20) },
    });
    // If the venue fails, the view still comes and says so.
    const fault = { kind: 'status', status: 503, isApplied: false };
    await rig.fault({ venue: 'venue_b', operation: 'GET /portfolio/orders/queue_positions', fault });
    expect(await shown(`/v1/venue-b/orders/${orderId}?queue=venue`)).toMatchObject({
      orderId,
      queueAhead: { low: expect.any(String) },
      queueAtVenue: { ahead: null, fault: expect.stringMatching(/^venue B: /) },
    });
    for (const id of [orderId, behind]) await rig.cancel(id);
    expect(await atVenue(orderId)).toBeNull();
  });

  it.each([jsonCodec, protobufCodec])('a subscription hears of it over $subprotocol', async codec => {
    const { url, key } = rig.gateway;
    const stream = createNodeStream({ url, codec, signer: nodeSigner(key) });
    const heard: QueueMessage[] = [];
    stream.on('queue', message => heard.push(message));
    stream.subscribeOrders({ queueStep: '10' });
    stream.start();
    await eventually(() => expect(stream.orderCursor).not.toBeNull());
    const lastOf = (orderId: string) => heard.findLast(it => it.orderId === orderId)?.queueAhead;
    const first = orderIdOf(await rig.submit(body));
    // An order can be seen to arrive only in a book that was there before the order.
    await eventually(() => expect(lastOf(first)).toMatchObject({ book: 'LIVE' }));
    const second = orderIdOf(await rig.submit(body));
    await eventually(() => expect(lastOf(second)).toMatchObject({ basis: 'ARRIVAL' }));
    const before = Number(lastOf(second)!.low);
    await rig.cancel(first);
    await eventually(() => expect(lastOf(second)?.low).toBe(String(before - 20)));
    await rig.cancel(second);
    stream.close();
  });

  const trading = async (codec: TradeCodec, key = rig.gateway.key): Promise<TradeConnection> => {
    const url = rig.gateway.url.replace('/v1/orderbook', '/v1/trade');
    const trade = createNodeTrade({ url, signer: nodeSigner(key), codec });
    onTestFinished(() => trade.close());
    trade.start();
    await eventually(() => expect(trade.isUp).toBe(true));
    return trade;
  };
  const named = venue === 'venue-a' ? 'venue_a' : 'venue_b';

  it.each([tradeJsonCodec, tradeProtobufCodec])(
    '/v1/trade has it as a read over REST, in $subprotocol',
    async codec => {
      const trade = await trading(codec);
      const idempotencyKey = randomUUID();
      const orderId = orderIdOf(await rig.submit(body, { idempotencyKey }));
      await eventually(async () => {
        const queueAhead = await queueOf(orderId);
        expect(queueAhead).toMatchObject({ high: expect.any(String), book: 'LIVE' });
        for (const name of [orderId, { idempotencyKey }])
          expect(await trade.queue(named, name)).toMatchObject({ ok: true, value: { value: { orderId, queueAhead } } });
      });
      await rig.cancel(orderId);
      const over = await trade.queue(named, orderId);
      expect(over.ok && over.value.value).toEqual({ orderId, queueAhead: null });
    },
  );

  it('/v1/trade has it of the own orders alone, for keys that may read', async () => {
    const orderId = orderIdOf(await rig.submit(body));
    const other = await trading(tradeJsonCodec, await rig.newKey({ actorId: 'other', scopes: ['read', 'trade'] }));
    expect(await other.queue(named, orderId)).toMatchObject({ ok: true, value: { value: { queueAhead: null } } });
    const blind = await trading(tradeJsonCodec, await rig.newKey({ actorId: 'other', scopes: ['trade'] }));
    expect(await blind.queue(named, orderId)).toMatchObject({ ok: false, error: { status: 403 } });
    await rig.cancel(orderId);
  });
});
