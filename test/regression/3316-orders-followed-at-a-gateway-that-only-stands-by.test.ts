// Found by reading beyond §7 against the stream. A standby ended a connection that subscribed orders, and said that the store could not be read.
// No client could follow. With cancelOnDisconnect it then asked for the cancel every second: once it owned the pod, it cancelled the key's orders.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBrowserStream } from '../../src/client/browser-stream.ts';
import { createNodeClient, nodeSigner } from '../../src/client/node-client.ts';
import { createNodeStream } from '../../src/client/node-stream.ts';
import type { OrderbookStream } from '../../src/client/orderbook-stream.ts';
import { TwoGateways } from '../soak/two-gateways.ts';
import { eventually } from '../support/eventually.ts';
import { lacksNats, NatsServer } from '../support/nats-server.ts';

describe.skipIf(lacksNats)('a client of a gateway whose pod another one owns', () => {
  let nats: NatsServer;
  let both: TwoGateways;
  beforeEach(async () => {
    nats = await NatsServer.start();
    both = await TwoGateways.start(nats);
    await both.gateways[1].start();
  });
  afterEach(async () => {
    await both.end();
    await nats.close();
  });

  it.each([
    [
      'Node',
      (url: string) =>
        createNodeStream({ url: `${url.replace('http', 'ws')}/v1/orderbook`, signer: nodeSigner(both.key) }),
    ],
    [
      'a browser',
      (url: string) => createBrowserStream({ client: createNodeClient({ url, signer: nodeSigner(both.key) }) }),
    ],
  ])('follows its orders at the owner, in %s', async (_where, open) => {
    const [owner, standby] = both.gateways;
    const stream: OrderbookStream = open(standby.url);
    const keys: (string | null)[] = [];
    stream.on('refused', ({ message }) => expect.fail(message));
    stream.on('order', ({ order }) => keys.push(order.clientOrderId));
    stream.subscribeOrders({ cancelOnDisconnect: true });
    stream.start();
    await eventually(() => expect(stream.orderCursor).not.toBeNull());
    await both.submit(owner, 'mine');
    await eventually(() => expect(keys).toContain('mine'));
    stream.close();
  });
});
