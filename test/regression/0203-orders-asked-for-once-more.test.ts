// Found by review. The client repeats a subscription to orders that was over the read limit after a second. It did so also when the caller
// had replaced the subscription meanwhile. The gateway refused the second one of a connection, and the client took that for the end of the
// first. It dropped every event from then on, and did not subscribe after a reconnection.

import { expect, it } from 'vitest';
import { OrderbookStream } from '../../src/client/orderbook-stream.ts';
import { limits } from '../../src/limits.ts';
import { jsonCodec } from '../../src/wire/json.ts';
import { venueOrderView } from '../../src/wire/order-views.ts';
import { MemoryServer } from '../client/memory-server.ts';
import { orderOf } from '../support/memory-order-feed.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

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
