// A journal that fails or freezes under a whole gateway: the requests that are sent, answered and recorded later.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import type { DemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';
import { blockJournalOf } from '../support/block-journal.ts';
import { answerProblems } from '../support/contract-schema.ts';
import { eventually } from '../support/eventually.ts';
import { failJournalOf } from '../support/fail-journal.ts';
import { ask, someTicker, someToken, venueAClient } from '../support/paper-traders.ts';
import { type Answer, send, sendSigned } from '../support/signed-requests.ts';
import { OrdersRig, orderIdOf } from './orders-rig.ts';

describe('a journal without room, which has it again', () => {
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
    const made = await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 });
    expect(made.status, made.text).toBe(201);
    return orderIdOf(made);
  }

  // While nothing could be recorded, the news of the private stream was postponed and read again later. Until then reads showed the old ledger
  // without a sign. Now they say `SVC-Current: false` until the missed news has been read.
  describe('3146: what a full disk hides', () => {
    /** Cancels as the owner of the account does at the venue, without the gateway. */
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
        const [orderId, observer] = [await rested(), await rig.newKey({ scopes: ['observe'] })];
        await eventually(async () => expect(await isCurrent(orderId)).toBe(true));
        const giveRoom = failJournalOf(join(rig.gateway.dataDir, 'orders'));
        await cancelAtVenue(orderId);
        await eventually(async () => expect(await isCurrent(orderId)).toBe(false));
        expect((await rig.shown(orderId)).status).toBe('OPEN');
        // The main thread learns within a second that nothing can be recorded.
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
        // This answer is the venue's own and not read from the ledger.
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
  });

  // A cancel was sent to the venue, and the failed disk could not record its outcome. The answer was a 500 without an order.
  // Now the venue's confirmation is the answer. Here the private stream recorded it while it could.
  describe('0122: a cancel that cannot be recorded', () => {
    let orderId: string;
    let giveRoom = (): void => {};
    beforeEach(async () => {
      orderId = await eventually(rested);
    });
    afterEach(async () => {
      giveRoom();
      await rig.control('DELETE', '/faults');
    });

    /** Returns the answer to a cancel that reaches the venue; the disk fails while the venue's answer is on its way back. */
    async function cancelled(cancel: () => Promise<Answer>): Promise<Answer> {
      await rig.fault({
        venue: 'venue_b',
        operation: 'DELETE *',
        fault: { kind: 'delay', beforeMs: 0, afterMs: 3_000 },
      });
      const answer = cancel();
      // The private stream reports the cancel.
      await expect.poll(async () => (await rig.shown(orderId)).status).toBe('CANCELLED');
      giveRoom = failJournalOf(join(rig.gateway.dataDir, 'orders'));
      return answer;
    }

    it('the venue’s confirmation answers a cancel of an order', async () => {
      const answer = await cancelled(() => rig.cancel(orderId));
      expect([answer.status, answer.json]).toEqual([200, { orderId, status: 'CANCELLED', filledCount: null }]);
      expect(answer.headers).not.toHaveProperty('svc-recorded');
    });

    it('the venue’s confirmations answer a cancel of all orders', async () => {
      const answer = await cancelled(() => rig.cancelAll());
      expect([answer.status, answer.json]).toEqual([200, { results: [{ orderId, outcome: 'CANCELLED' }] }]);
    });
  });

  // The disk froze while an order was on its way. The guard did not know by what id venue A has such an order. It knew of no order that only
  // the door on the engine's thread had heard of. Until the disk went on, no cancel and no switch reached them. And what the guard answered
  // had no `Server-Timing`.
  describe('3302: sent when the disk froze', () => {
    let unblock = (): void => {};
    let sent: readonly Promise<Answer>[];
    beforeAll(async () => {
      const late = { kind: 'delay', beforeMs: 0, afterMs: limits.venueAnswerTimeoutMs };
      for (const venue of ['venue_a', 'venue_b']) await rig.fault({ venue, operation: 'POST *', fault: late });
      const [tokenId, idsBefore] = [await someToken(rig.gateway.paper!.urls.venueA.gamma), await rig.idsAtVenueB()];
      const [ofDoor, noticed] = [1, 2].map(count => ({ ticker, side: 'YES', action: 'BUY', count, priceCents: 1 }));
      const ofVenueA = { tokenId, side: 'BUY', type: 'LIMIT', size: '10', price: '0.01' };
      sent = [
        post(rig.gateway.httpUrl, '/v1/venue-a/orders', ofVenueA),
        post(`http://127.0.0.1:${rig.gateway.doorPort}`, '/v1/venue-b/orders', ofDoor!),
      ];
      await eventually(async () => {
        expect([await atVenueA(), (await rig.idsAtVenueB()).length]).toEqual([1, idsBefore.length + 1]);
      });
      unblock = blockJournalOf(join(rig.gateway.dataDir, 'orders'));
      // The engine notices the frozen disk with an order.
      expect((await rig.submit(noticed!)).status).toBe(503);
    });
    afterAll(async () => {
      unblock();
      await Promise.all(sent);
    });

    it('an order at venue A is cancelled there', async () => {
      const { json } = await rig.call('DELETE', '/v1/venue-a/orders');
      expect(json).toMatchObject({ results: [{ outcome: 'CANCELLED' }] });
      expect(await atVenueA()).toBe(0);
    });

    it('an order of the door is cancelled at its venue', async () => {
      const { json } = await rig.call('DELETE', '/v1/venue-b/orders');
      expect(json).toMatchObject({ results: [{ outcome: 'CANCELLED' }] });
    });

    function post(url: string, path: string, body: object): Promise<Answer> {
      const headers = { 'Content-Type': 'application/json' };
      const sending = { method: 'POST', body: JSON.stringify(body), headers, idempotencyKey: randomUUID() };
      return sendSigned(url + path, rig.gateway.key, sending);
    }

    async function atVenueA(): Promise<number> {
      const venueA = rig.gateway.trading.pods[0]!.venueA!;
      const client = venueAClient(venueA.restUrl, { venueA } as unknown as DemoAccounts);
      return (await client.getOpenOrders()).length;
    }
  });
});
