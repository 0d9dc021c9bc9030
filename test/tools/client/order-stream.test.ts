// Own orders through the stream's client: each event once, through lost connections, refusals and expired cursors.

import { describe, expect, it } from 'vitest';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type { OrderMessage, OrdersSnapshot, ServerMessage, StreamCodec } from '../../../src/core/wire/messages.ts';
import { venueOrderView } from '../../../src/core/wire/order-views.ts';
import { protobufCodec } from '../../../src/core/wire/protobuf.ts';
import { limits } from '../../../src/limits.ts';
import type { OrderSubscription } from '../../../src/tools/client/order-cursor.ts';
import { OrderbookStream } from '../../../src/tools/client/orderbook-stream.ts';
import { type OrderClient, OrderRig } from '../../gateway/stream/order-rig.ts';
import { orderOf } from '../../support/memory-order-feed.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { MemoryServer } from './memory-server.ts';

const view = venueOrderView(orderOf('actor', 1));
const event = (cursor: number): OrderMessage => ({ type: 'order', cursor, event: 'STATUS', ...view, fill: null });
const snapshot = (id: string | null, cursor: number, hasMore = false): OrdersSnapshot => ({
  type: 'ordersSnapshot',
  id,
  cursor,
  orders: [view],
  hasMore,
});
const error = (id: string, code: string): ServerMessage => ({ type: 'error', id, code, message: 'no', rejected: [] });
const subscribed = (id: string, cursor: number): ServerMessage => {
  return { type: 'subscribed', id, channel: 'orders', accepted: [], rejected: [], cursor };
};
const request = (id: string, from: number | null, cancelOnDisconnect = false) => {
  return { op: 'subscribe', id, channel: 'orders', from, cancelOnDisconnect };
};

function following(codec: StreamCodec, subscription: OrderSubscription) {
  const [server, timers] = [new MemoryServer(codec), new VirtualTimers()];
  const { connect } = server;
  const stream = new OrderbookStream({ url: 'ws://localhost/v1/orderbook', codec, connect, timers, random: () => 0.5 });
  const reported: unknown[] = [];
  stream.on('order', ({ cursor }) => reported.push(cursor));
  stream.on('ordersSnapshot', ({ cursor, hasMore }) => reported.push(['snapshot', cursor, hasMore]));
  stream.on('refused', ({ code }) => reported.push(code));
  stream.subscribeOrders(subscription);
  stream.start();
  server.accept();
  return {
    server,
    stream,
    reported,
    /** The requests since the last call. */
    asked: () => server.heard.splice(0),
    reconnect: () => {
      server.drop('lost');
      timers.advance(limits.upstreamBackoffMaxMs);
      server.accept();
    },
    wait: () => timers.advance(limits.upstreamBackoffMaxMs),
  };
}

describe.each([jsonCodec, protobufCodec])('our own orders over $subprotocol', codec => {
  it('are followed from now on, and after a reconnection from the last one that arrived', () => {
    const { server, stream, reported, asked, reconnect } = following(codec, { cancelOnDisconnect: true });
    expect(stream.orderCursor).toBeNull();
    server.say(subscribed('1', 7), event(8), event(9));
    expect(asked()).toEqual([request('1', null, true)]);
    reconnect();
    expect(asked()).toEqual([request('2', 9, true)]);
    server.say(subscribed('2', 9), event(10));
    expect(reported).toEqual([8, 9, 10]);
    expect(stream.orderCursor).toBe(10);
  });

  it('are resumed where it began, even if nothing happened before the connection was lost', () => {
    const { server, asked, reconnect } = following(codec, {});
    server.say(subscribed('1', 7));
    reconnect();
    expect(asked()).toEqual([request('1', null), request('2', 7)]);
  });

  it('are followed from a cursor of the caller', () => {
    const { server, reported, asked } = following(codec, { from: 0 });
    server.say(subscribed('1', 0), event(1));
    expect(asked()).toEqual([request('1', 0)]);
    expect(reported).toEqual([1]);
  });

  it('arrive once, and are asked for again from the last one when something is missing', () => {
    const { server, reported, asked, wait } = following(codec, { from: 0 });
    server.say(subscribed('1', 0), event(1), event(1), event(3), event(4));
    expect(reported).toEqual([1]);
    asked();
    wait();
    server.accept();
    expect(asked()).toEqual([request('2', 1)]);
  });

  it('go on from a snapshot when the cursor has expired, whose last part moves the cursor', () => {
    const { server, stream, reported, asked, reconnect } = following(codec, { from: 3 });
    server.say(error('1', 'CURSOR_EXPIRED'), snapshot('1', 9, true));
    expect(stream.orderCursor).toBe(3);
    reconnect();
    server.say(error('2', 'CURSOR_EXPIRED'), snapshot('2', 10, true), snapshot('2', 10), event(11));
    expect(asked()).toEqual([request('1', 3), request('2', 3)]);
    server.say(snapshot(null, 20), event(21));
    expect(reported).toEqual([
      ...[
        'CURSOR_EXPIRED',
        ['snapshot', 9, true],
        'CURSOR_EXPIRED',
        ['snapshot', 10, true],
        ['snapshot', 10, false],
        11,
      ],
      ...[['snapshot', 20, false], 21],
    ]);
  });

  it('are no longer asked for once they were refused or given up', () => {
    const { server, stream, reported, asked, reconnect } = following(codec, {});
    server.say(error('1', 'INVALID_REQUEST'));
    reconnect();
    expect(asked()).toEqual([request('1', null)]);
    stream.subscribeOrders({ from: 2 });
    server.say(subscribed('2', 2), event(3));
    stream.unsubscribeOrders();
    stream.unsubscribeOrders();
    server.say(event(4));
    reconnect();
    expect(asked()).toEqual([request('2', 2), { op: 'unsubscribe', id: '3', channel: 'orders' }]);
    expect(reported).toEqual(['INVALID_REQUEST', 3]);
  });

  it('of an earlier subscription are not taken for those of a later one', () => {
    const { server, stream, reported, asked } = following(codec, {});
    server.say(subscribed('1', 7), event(8));
    asked();
    stream.subscribeOrders({ from: 2 });
    server.say(
      event(9),
      error('1', 'INVALID_REQUEST'),
      snapshot('1', 9),
      subscribed('1', 9),
      subscribed('3', 2),
      event(3),
    );
    expect(asked()).toEqual([{ op: 'unsubscribe', id: '2', channel: 'orders' }, request('3', 2)]);
    expect(reported).toEqual([8, 'INVALID_REQUEST', 3]);
  });
});

// The client repeats a subscription to orders that was over the read limit after a second. It did so even if the caller had replaced the subscription
// in between. The gateway refused the second subscription of the connection, and the client took this refusal for the end of the first. From then on
// it dropped every event, and did not subscribe after a reconnection.
describe('0203: orders asked for once more', () => {
  const ONE_TOO_MANY = 'too many reads under this signing key (reads of the rate profile): ask again later';

  it('a subscription that is replaced is not repeated', () => {
    const [server, timers] = [new MemoryServer(jsonCodec), new VirtualTimers()];
    const { connect } = server;
    const stream = new OrderbookStream({ url: 'ws://localhost/v1/orderbook', codec: jsonCodec, connect, timers });
    const reported: number[] = [];
    stream.on('order', ({ cursor }) => reported.push(cursor));
    stream.subscribeOrders();
    stream.start();
    server.accept();
    server.say({ type: 'error', id: '1', code: 'INVALID_REQUEST', message: ONE_TOO_MANY, rejected: [] });
    stream.subscribeOrders({ from: 7 });
    server.say({ type: 'subscribed', id: '3', channel: 'orders', accepted: [], rejected: [], cursor: 7 });
    timers.advance(limits.streamRetryMs);
    const view = venueOrderView(orderOf('actor', 1));
    server.say({ type: 'order', cursor: 8, event: 'STATUS', ...view, fill: null });
    expect(server.heard.map(({ op, id }) => [op, id])).toEqual([
      ['subscribe', '1'],
      ['unsubscribe', '2'],
      ['subscribe', '3'],
    ]);
    expect(reported).toEqual([8]);
    stream.close();
  });
});

// A bot that returned within the grace and subscribed to its orders after its books had its orders cancelled. The same happened to a bot that gave up
// `cancelOnDisconnect` while a book was pending, and then left.
describe('0144: orders behind books', () => {
  const GRACE_MS = limits.cancelOnDisconnectGraceMs;
  const MARKET = { venue: 'venue_b', ticker: 'KXSILENT-1' } as const;

  /** Waits for a book of which no venue ever reports anything. */
  async function awaitBook(client: OrderClient): Promise<void> {
    await client.say({ op: 'subscribe', id: 'book', channel: 'book', markets: [{ market: MARKET, side: null }] });
    expect(client.heard).toEqual([]);
  }

  it('a bot that subscribes to its orders while a book is waited for keeps them', async () => {
    const rig = new OrderRig();
    const before = rig.connect();
    await before.subscribe(null, true);
    before.end();
    const again = rig.connect();
    await awaitBook(again);
    await again.subscribe(null, true);
    expect(again.heard).toMatchObject([{ type: 'subscribed', channel: 'orders' }]);
    rig.timers.advance(2 * GRACE_MS);
    expect(rig.feed.cancelled).toEqual([]);
  });

  it('a bot that unsubscribes from its orders while a book is waited for keeps them', async () => {
    const rig = new OrderRig();
    const client = rig.connect();
    await client.subscribe(null, true);
    client.heard.length = 0;
    await awaitBook(client);
    await client.unsubscribe();
    client.end();
    rig.timers.advance(2 * GRACE_MS);
    expect(rig.feed.cancelled).toEqual([]);
  });

  it('our client subscribes to orders first', () => {
    const [server, timers] = [new MemoryServer(jsonCodec), new VirtualTimers()];
    const { connect } = server;
    const stream = new OrderbookStream({ url: 'ws://localhost/v1/orderbook', codec: jsonCodec, connect, timers });
    stream.subscribe('book', [MARKET]);
    stream.subscribeOrders({ cancelOnDisconnect: true });
    stream.start();
    server.accept();
    expect(server.heard.map(message => 'channel' in message && message.channel)).toEqual(['orders', 'book']);
    stream.close();
  });
});

// The clients reported the repeated subscription as a refusal, as if the bot followed no orders. In Python, a first subscription that was temporarily
// refused was repeated beside the second. The gateway refused the repeat, and the client gave up the accepted subscription.
// clients/python/tests/test_stream_session.py has the Python client.
describe('3232: orders followed anew', () => {
  const error = (id: string, code: string, message: string): ServerMessage => {
    return { type: 'error', id, code, message, rejected: [] };
  };
  const subscribed = (id: string): ServerMessage => {
    return { type: 'subscribed', id, channel: 'orders', accepted: [], rejected: [], cursor: 7 };
  };
  const unsubscribed = (id: string): ServerMessage => {
    return { type: 'unsubscribed', id, channel: 'orders', accepted: [], rejected: [], cursor: null };
  };

  function following() {
    const [server, timers] = [new MemoryServer(jsonCodec), new VirtualTimers()];
    const url = 'ws://localhost/v1/orderbook';
    const stream = new OrderbookStream({ url, connect: server.connect, timers, random: () => 0.5 });
    const refused: string[] = [];
    stream.on('refused', ({ code }) => refused.push(code));
    stream.start();
    server.accept();
    stream.subscribeOrders();
    return { server, timers, stream, refused };
  }

  it('a subscription that another one replaced is not reported as refused', () => {
    const { server, stream, refused } = following();
    stream.subscribeOrders();
    server.say(error('1', 'NOT_SUBSCRIBED', 'it ended before it began'), unsubscribed('2'), subscribed('3'));
    expect(refused).toEqual([]);
    expect(stream.orderCursor).toBe(7);
    stream.close();
  });

  it('the end of a subscription that was refused before is not reported as refused, and the next one is asked for once', () => {
    const { server, timers, stream, refused } = following();
    server.say(error('1', 'INVALID_REQUEST', 'too many reads (reads of the rate profile)'));
    stream.subscribeOrders();
    server.say(error('2', 'NOT_SUBSCRIBED', 'not subscribed'), subscribed('3'));
    timers.advance(limits.streamRetryMs);
    expect(server.heard.map(({ op }) => op)).toEqual(['subscribe', 'unsubscribe', 'subscribe']);
    expect(refused).toEqual(['INVALID_REQUEST']);
    stream.close();
  });

  it('an end that the gateway does not make is reported', () => {
    const { server, stream, refused } = following();
    server.say(subscribed('1'));
    stream.unsubscribeOrders();
    server.say(error('2', 'INVALID_REQUEST', 'too many reads (reads of the rate profile)'));
    expect(refused).toEqual(['INVALID_REQUEST']);
    stream.close();
  });
});
