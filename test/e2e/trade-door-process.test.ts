// The door on the engine's thread in the gateway's own process: killed with orders under way, started again, and a port that is taken.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tradeProtobufCodec } from '../../src/core/wire/trade-protobuf.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeTrade } from '../../src/tools/client/node-stream.ts';
import type { TradeConnection } from '../../src/tools/client/trade-connection.ts';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';
import { type Actor, GatewayProcess } from '../soak/gateway-process.ts';
import { PaperProcess } from '../soak/paper-process.ts';
import { steadyPort } from '../soak/steady-port.ts';
import { OwnProcess } from '../support/child-process.ts';
import { eventually, PATIENCE_MS } from '../support/eventually.ts';
import { ask, someTicker } from '../support/paper-traders.ts';
import { sendSigned } from '../support/signed-requests.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
let paper: PaperProcess;
let gateway: GatewayProcess;
let doorPort: number;
let owner: Actor;

beforeAll(async () => {
  paper = await PaperProcess.start({ folder, seed: 3, intensity: 0 });
  [doorPort] = [await steadyPort()];
  gateway = new GatewayProcess({
    ...{ folder, paper, port: await steadyPort(), durability: 'process-safe', logLevel: 'warn' },
    environment: { CROSSBOOK_TRADE_PORT: String(doorPort) },
  });
  [owner] = (await gateway.makeActors()) as [Actor, ...Actor[]];
  await gateway.start();
});
afterAll(async () => {
  await gateway.end();
  await paper.end();
  removeFolder(folder);
});

async function connected(): Promise<TradeConnection> {
  const url = `ws://127.0.0.1:${doorPort}/v1/trade`;
  const trade = createNodeTrade({ url, signer: nodeSigner(owner.key), codec: tradeProtobufCodec });
  trade.start();
  await eventually(() => expect(trade.isUp).toBe(true));
  return trade;
}

/** Returns the order under the key once its outcome is known, and submits the order if it was not submitted. Both by REST at the door. */
async function repeated(
  order: object,
  idempotencyKey: string,
): Promise<{ readonly orderId: string; readonly status: string }> {
  const path = '/v1/venue-b/orders';
  const at = `http://127.0.0.1:${doorPort}`;
  const headers = { 'Content-Type': 'application/json' };
  // The body is the text for which the binary form stands (proto/trade.proto).
  const body = JSON.stringify(order);
  const answer = await sendSigned(at + path, owner.key, { method: 'POST', body, headers, idempotencyKey });
  expect(answer.status).not.toBe(422);
  const found = await sendSigned(`${at}${path}/by-client-id/${idempotencyKey}`, owner.key);
  const { orderId, status } = found.json as { readonly orderId: string; readonly status: string };
  expect(['OPEN', 'REJECTED']).toContain(status);
  return { orderId, status };
}

/** Returns the client order ids of the pod at venue B, in any state. */
async function atVenueB(): Promise<readonly string[]> {
  const { keyId, privateKeyPem } = paper.pods.find(it => it.podId === owner.podId)!.accounts.venueB.keys[0]!;
  const url = `${paper.urls['venue_b rest']}/portfolio/orders?limit=1000`;
  const headers = createVenueBSigner(keyId, privateKeyPem)('GET', url, Date.now());
  const { body } = await ask<{ orders: { client_order_id: string }[] }>(url, 'GET', undefined, headers);
  return body.orders.map(it => it.client_order_id);
}

it(
  'after kill -9 each order of the door is at the venue once or never, and the same key says which',
  async () => {
    const ticker = await someTicker(paper.urls['venue_b rest']);
    const order = { ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 } as const;
    for (let round = 0; round < 2; round++) {
      const trade = await connected();
      await eventually(async () => expect((await trade.submit('venue_b', order)).ok).toBe(true));
      const before = (await atVenueB()).length;
      const keys = Array.from({ length: 40 }, () => randomUUID());
      const sent = Promise.all(keys.map(idempotencyKey => trade.submit('venue_b', order, { idempotencyKey })));
      // Once one of the orders is known at the venue, the others are anywhere between the bot and the venue.
      if (round > 0) await eventually(async () => expect((await atVenueB()).length).toBeGreaterThan(before));
      await gateway.kill();
      const outcomes = await sent;
      trade.close();
      await gateway.start();
      const settled = await Promise.all(keys.map(key => eventually(() => repeated(order, key))));
      for (const [index, outcome] of outcomes.entries()) {
        // An answer from before the kill remains true.
        if (outcome.ok) expect(settled[index]).toEqual({ orderId: outcome.value.value.orderId, status: 'OPEN' });
      }
      const ids = await atVenueB();
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBe(before + settled.filter(it => it.status === 'OPEN').length);
    }
    await gateway.stop();
    await gateway.check();
    await gateway.start();
  },
  10 * PATIENCE_MS,
);

it('the door shows itself at /metrics, and both doors answer', async () => {
  const trade = await connected();
  const read = await sendSigned(`http://127.0.0.1:${doorPort}/v1/time`, owner.key);
  expect(read.status).toBe(200);
  await eventually(async () => {
    const page = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(page).toMatch(/^crossbook_door_trade_connections 1$/m);
    expect(page).toMatch(/^crossbook_trade_connections 0$/m);
  });
  trade.close();
});

it('a port that is taken ends the start, in words that name the setting', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { readonly port: number };
  const settings = { CROSSBOOK_PORT: '0', CROSSBOOK_TRADE_PORT: String(port), CROSSBOOK_DATA_DIR: `${folder}/other` };
  const program = new OwnProcess(['src/main.ts'], settings);
  // On a busy machine the process may have to end itself by force (shutdownMs).
  expect(await program.ended).not.toBe(0);
  expect(program.stderr).toContain(`cannot listen on 127.0.0.1:${port}`);
  expect(program.stderr).toContain('(CROSSBOOK_TRADE_PORT, CROSSBOOK_TRADE_HOST)');
  taken.close();
});
