// Found by reading beyond §7 against the WebSockets. Only REST named the gateway that owns the pod. A standby opened /v1/trade and refused each
// order without a name, so that no client could follow. A ticket for it was made, too.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeSigner } from '../../src/client/node-client.ts';
import { createNodeTrade } from '../../src/client/node-stream.ts';
import { TwoGateways } from '../soak/two-gateways.ts';
import { eventually } from '../support/eventually.ts';
import { lacksNats, NatsServer } from '../support/nats-server.ts';
import { sendSigned } from '../support/signed-requests.ts';

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
