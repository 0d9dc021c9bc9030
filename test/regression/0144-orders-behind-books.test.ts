// Found by review: requests for orders stood in one queue with requests for markets, which may wait for a venue. A bot that returned within
// the grace and asked for its orders after its books had them cancelled. So had one that gave up `cancelOnDisconnect` while a book was
// pending, and then left.

import { expect, it } from 'vitest';
import { OrderbookStream } from '../../src/client/orderbook-stream.ts';
import { limits } from '../../src/limits.ts';
import { jsonCodec } from '../../src/wire/json.ts';
import { MemoryServer } from '../client/memory-server.ts';
import { type OrderClient, OrderRig } from '../gateway/stream/order-rig.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const GRACE_MS = limits.cancelOnDisconnectGraceMs;
const MARKET = { venue: 'venue_b', ticker: 'KXSILENT-1' } as const;

/** A book that no venue ever tells anything of. */
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
