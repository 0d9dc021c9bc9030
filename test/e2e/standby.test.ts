// Gateways that only stand by.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBrowserStream } from '../../src/tools/client/browser-stream.ts';
import { createNodeClient, nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream, createNodeTrade } from '../../src/tools/client/node-stream.ts';
import type { OrderbookStream } from '../../src/tools/client/orderbook-stream.ts';
import { folder, open, paper, start, takePod, tradingRig } from '../gateway/trading/trading-rig.ts';
import { TwoGateways } from '../soak/two-gateways.ts';
import { eventually } from '../support/eventually.ts';
import { lacksNats, NatsServer } from '../support/nats-server.ts';
import { ask } from '../support/paper-traders.ts';
import { sendSigned } from '../support/signed-requests.ts';

// Only REST named the gateway that owns the pod. A standby opened /v1/trade and refused each order without naming the owner, so that no client could
// follow. A standby also issued a ticket for /v1/trade.
describe.skipIf(lacksNats)('3315: a client of a gateway whose pod another one owns', () => {
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

  it('trades at the owner by /v1/trade', async () => {
    const [owner, standby] = both.gateways;
    const ticket = await sendSigned(`${standby.url}/v1/trade/ticket`, both.key, { method: 'POST' });
    expect([ticket.status, ticket.headers['svc-pod-owner']]).toEqual([421, owner.url]);
    const url = `${standby.url.replace('http', 'ws')}/v1/trade`;
    const trade = createNodeTrade({ url, signer: nodeSigner(both.key) });
    trade.start();
    const placed = await eventually(async () => {
      const outcome = await trade.submit('venue_b', both.order, { idempotencyKey: 'mine' });
      expect(outcome).toMatchObject({ ok: true });
      return outcome;
    });
    const { orderId } = placed.ok ? placed.value.value : expect.fail();
    expect(await both.orderOf(owner, 'mine')).toBe(orderId);
    trade.close();
  });
});

// A standby ended a connection that subscribed orders, with the message that the store could not be read, so no client could follow. With
// cancelOnDisconnect the standby then requested the cancel every second, and once it owned the pod, it cancelled the key's orders.
describe.skipIf(lacksNats)('3316: a client of a gateway whose pod another one owns', () => {
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

// A standby waits for no venue, but the time limit of this wait counted from its start. So as the new owner it was ready at once, before it had read
// any account.
describe('3317: ready before a look at the venues', () => {
  const URL = 'http://127.0.0.1:8080';

  describe.skipIf(lacksNats)('a gateway that takes a pod over', () => {
    tradingRig();

    it('is ready once it has looked at the venues, or waited for them, as after a start', async () => {
      const server = await NatsServer.start();
      const other = mkdtempSync(join(tmpdir(), 'crossbook-other-'));
      const replicated = { nats: server.settings, url: URL, takeOverAfterMs: null };
      try {
        await start('replicated', 1, 'ed25519', { replicated });
        await open.splice(0)[0]!.close();
        cpSync(join(folder, 'pods'), join(other, 'pods'), { recursive: true });
        const standby = await start('replicated', 1, 'ed25519', { replicated, dataDir: other });
        // The venues are silent, so only the end of the wait makes the new owner ready.
        const fault = { kind: 'hung', isApplied: false, hangMs: 60_000 };
        await ask(`${paper.urls.control}/faults`, 'POST', { fault });
        await takePod(server, other, URL);
        const isReady = await eventually(() => {
          expect(standby.otherOwner).toBeNull();
          return standby.isReady();
        });
        expect(isReady).toBe(false);
        await eventually(() => expect(standby.isReady()).toBe(true));
      } finally {
        for (const trading of open.splice(0)) await trading.close();
        await server.close();
        rmSync(other, { recursive: true });
      }
    });
  });
});
