// While nothing could be recorded, the private stream's news was read again later, and reads meanwhile showed the ledger as it was, without a word.
// Now they say `SVC-Current: false` until what was missed has been read.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';
import { OrdersRig, orderIdOf } from '../e2e/orders-rig.ts';
import { answerProblems } from '../support/contract-schema.ts';
import { eventually } from '../support/eventually.ts';
import { failJournalOf } from '../support/fail-journal.ts';
import { newKey } from '../support/new-key.ts';
import { ask, someTicker } from '../support/paper-traders.ts';
import { type Answer, send, sendSigned } from '../support/signed-requests.ts';

let rig: OrdersRig;
let ticker: string;
beforeAll(async () => {
  rig = await OrdersRig.start('venue-b', {
    tradeDoor: { address: { host: '127.0.0.1', port: 0 }, unixSocketPath: null },
  });
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
  await eventually(() => expect(rig.gateway.trading.isTradable('demo', 'venue_a')).toBe(true));
});
afterAll(() => rig.close());

async function rested(): Promise<string> {
  return orderIdOf(await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 }));
}

/** By its owner, past the gateway. */
async function cancelAtVenue(orderId: string): Promise<void> {
  const { venueOrderId } = await rig.shown(orderId);
  const { keyId, privateKeyPem } = rig.gateway.trading.pods[0]!.venueB!;
  const url = `${rig.gateway.paper!.urls.venueB.rest}/portfolio/events/orders/${venueOrderId}`;
  const headers = createVenueBSigner(keyId, privateKeyPem)('DELETE', url, Date.now());
  expect((await ask(url, 'DELETE', undefined, headers)).status).toBe(200);
}

async function atDoor(orderId: string): Promise<Answer> {
  const answer = await sendSigned(
    `http://127.0.0.1:${rig.gateway.doorPort}/v1/venue-b/orders/${orderId}`,
    rig.gateway.key,
  );
  expect(answerProblems('getVenueBOrder', answer.status, answer.headers, answer.json)).toEqual([]);
  return answer;
}

async function older(operationId: string, path: string): Promise<Answer> {
  const answer = await send(rig.gateway.httpUrl + path, { headers: { 'x-api-key': rig.gateway.apiKey } });
  expect(answerProblems(operationId, answer.status, answer.headers, answer.json)).toEqual([]);
  return answer;
}

const currentOf = ({ headers }: Answer): string | null => headers['svc-current'] ?? null;
const isCurrent = async (orderId: string) => currentOf(await rig.read(orderId)) === null;

describe('a read', () => {
  it('says that it may lack what the venue has reported, from the first news that cannot be recorded until that is read', async () => {
    const [orderId, observer] = [await rested(), await newKey(rig.gateway.keyStore, { scopes: ['observe'] })];
    await eventually(async () => expect(await isCurrent(orderId)).toBe(true));
    const giveRoom = failJournalOf(join(rig.gateway.dataDir, 'orders'));
    await cancelAtVenue(orderId);
    await eventually(async () => expect(await isCurrent(orderId)).toBe(false));
    expect((await rig.shown(orderId)).status).toBe('OPEN');
    // Within a second main knows that nothing at all is recorded.
    await eventually(async () => expect(currentOf(await rig.call('GET', '/v1/venue-a/positions'))).toBe('false'));
    const shown: [string, Answer][] = [
      ['an order', await rig.read(orderId)],
      ['at the door', await atDoor(orderId)],
      ['orders', await rig.list()],
      ['fills', await rig.fills(orderId)],
      ['positions', await rig.call('GET', '/v1/venue-b/positions')],
      ['orders of the pod', await rig.call('GET', '/v1/pod/orders', {}, observer)],
      ['positions of the pod', await rig.call('GET', '/v1/pod/positions', {}, observer)],
      ['older orders', await older('listOlderOrders', '/v1/orders')],
      ['older balances', await older('getOlderBalances', '/v1/balances')],
    ];
    expect(shown.map(([what, answer]) => [what, answer.status, currentOf(answer)])).toEqual(
      shown.map(([what]) => [what, 200, 'false']),
    );
    // The venue's own word.
    expect(currentOf(await rig.call('GET', '/v1/venue-b/balance'))).toBeNull();
    giveRoom();
    await eventually(async () => {
      const answer = await rig.read(orderId);
      const { status } = answer.json as { readonly status: string };
      if (status === 'OPEN') expect(currentOf(answer)).toBe('false');
      expect([status, currentOf(answer), currentOf(await atDoor(orderId))]).toEqual(['CANCELLED', null, null]);
    });
  });
});
