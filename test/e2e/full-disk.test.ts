// A gateway on a full disk.

import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OrderId } from '../../src/core/domain/order.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../src/tools/client/node-stream.ts';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';
import { canMount, fillDisk, freeDisk, mountDisk } from '../faults/small-disk.ts';
import { eventually } from '../support/eventually.ts';
import { failJournalOf, failSyncsOf } from '../support/fail-journal.ts';
import { ask, someTicker, someToken, venueAClient } from '../support/paper-traders.ts';
import { recorded } from '../support/recorded.ts';
import type { Answer } from '../support/signed-requests.ts';
import { errorOf, OrdersRig, orderIdOf } from './orders-rig.ts';

// On a full disk a cancel was 503, a cancel-all 500, an armed dead man's switch did not fire, and /readyz was 200. Now no request that lowers risk
// waits for a record. The request goes to the venue, its answer says that it could not be recorded, and it is recorded when the disk has room again.
// A failed disk has the same effects until the gateway restarts. The full disk is a tmpfs, and mounting it requires root.
describe('3019: nothing can be cancelled on a full disk', () => {
  const DISK_BYTES = 48 * 1024 * 1024;
  const JSON_TYPE = { 'Content-Type': 'application/json' };

  let rig: OrdersRig;
  let ticker: string;
  let tokenId: string;
  let giveRoom = () => {};

  async function begin(mountOn?: (dataDir: string) => () => void): Promise<void> {
    rig = await OrdersRig.start('venue-b', mountOn === undefined ? {} : { mountOn });
    const { urls } = rig.gateway.paper!;
    await eventually(() => expect(rig.gateway.trading.isTradable('demo', 'venue_a')).toBe(true));
    [ticker, tokenId] = await Promise.all([someTicker(urls.venueB.rest), someToken(urls.venueA.gamma)]);
  }

  /** Places an order, and returns its id once the order rests. */
  async function rested(venue: 'a' | 'b'): Promise<string> {
    const atB = { ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 };
    const atA = { tokenId, type: 'LIMIT', side: 'BUY', size: '5', price: '0.01' };
    const { key } = rig.gateway;
    const idempotencyKey = crypto.randomUUID();
    const body = JSON.stringify(venue === 'a' ? atA : atB);
    const answer = await rig.call(
      'POST',
      `/v1/venue-${venue}/orders`,
      { body, headers: JSON_TYPE, idempotencyKey },
      key,
    );
    expect([answer.status, answer.json]).toMatchObject([201, { status: 'OPEN' }]);
    return orderIdOf(answer);
  }

  /** Returns the number of orders that rest at both venues, as the venues report it. */
  async function resting(): Promise<number> {
    const { urls } = rig.gateway.paper!;
    const { venueA, venueB } = rig.gateway.trading.pods[0]!;
    const url = `${urls.venueB.rest}/portfolio/orders?status=resting&limit=1000`;
    const headers = createVenueBSigner(venueB!.keyId, venueB!.privateKeyPem)('GET', url, Date.now());
    const atB = await ask<{ readonly orders: readonly unknown[] }>(url, 'GET', undefined, headers);
    const client = venueAClient(urls.venueA.rest, { venueA: venueA!, venueB: { keys: [] } } as never);
    return atB.body.orders.length + (await client.getOpenOrders()).length;
  }

  /** The seconds as of which requests have been signed. Two equal requests that are signed as of the same second are one request. */
  const signedAt = new Set<number>();

  function anotherSecond(): number {
    const nowS = Math.floor(Date.now() / 1_000);
    let atS = nowS - 20;
    while (signedAt.has(atS)) atS += 1;
    signedAt.add(atS);
    return atS - nowS;
  }

  function setSwitch(timeoutMs: number): Promise<Answer> {
    const timestamp = String(Math.floor(Date.now() / 1_000) + anotherSecond());
    const body = JSON.stringify({ timeoutMs });
    return rig.call('POST', '/v1/orders/cancel-after', { body, headers: JSON_TYPE, timestamp });
  }

  const deadlineOf = ({ json }: Answer): number => Date.parse((json as { readonly deadline: string }).deadline);
  const recordedOf = ({ headers }: Answer): string | null => headers['svc-recorded'] ?? null;
  const currentOf = ({ headers }: Answer): string | null => headers['svc-current'] ?? null;
  const nowIsAfter = (time: number) => expect.poll(() => Date.now()).toBeGreaterThan(time);
  const statusOf = (orderId: string) => recorded(rig.gateway.dataDir, it => it.order(orderId as OrderId)?.order.status);
  const switches = () => recorded(rig.gateway.dataDir, it => it.cancelAfters());

  async function readyz(): Promise<readonly [number, { readonly status: string; readonly reason?: string }]> {
    const { status, body } = await ask<{ readonly status: string }>(`${rig.gateway.httpUrl}/readyz`);
    return [status, body];
  }

  async function metric(name: string): Promise<string> {
    const text = await (await fetch(`${rig.gateway.httpUrl}/metrics`)).text();
    return (
      text.split('\n').find(line => line.startsWith(`crossbook_${name} `) || line.startsWith(`crossbook_${name}{`)) ??
      ''
    );
  }

  const FEEDS = expect.anything();
  const unready = (reason: string) => [
    503,
    { status: 'unrecordable', reason: expect.stringContaining(reason), feeds: FEEDS },
  ];

  /** Resolves when the history has everything that was done until now, so that `recorded` sees it. */
  async function historyFollowed(): Promise<void> {
    await eventually(async () => expect(await metric('history_lag_records')).toMatch(/ 0$/));
  }

  /** Fills the disk to the last byte, and makes the journal fail as if its last block had no room left either. */
  async function fill(): Promise<void> {
    const { dataDir } = rig.gateway;
    await historyFollowed();
    fillDisk(dataDir);
    giveRoom = failJournalOf(join(dataDir, 'orders'));
    await eventually(async () => expect(await readyz()).toEqual(unready('is full, or fails')));
  }

  /** Makes the next sync fail, and the disk with it until the restart. */
  async function failDisk(): Promise<void> {
    const orderId = await rested('b');
    failSyncsOf(join(rig.gateway.dataDir, 'orders'));
    await rig.cancel(orderId);
    await eventually(async () => expect(await readyz()).toEqual(unready('start the gateway again')));
  }

  async function free(): Promise<void> {
    giveRoom();
    giveRoom = () => {};
    freeDisk(rig.gateway.dataDir);
    await eventually(async () => expect(await readyz()).toEqual([200, { status: 'ready', feeds: FEEDS }]));
  }

  if (!canMount()) console.warn('SKIPPED: a full disk (mounting a small one takes root)');

  describe.skipIf(!canMount())('on a full disk', () => {
    beforeAll(() => begin(dataDir => mountDisk(dataDir, DISK_BYTES)));
    afterAll(() => rig.close());
    /** Waits until everything is recorded, no order rests and no switch is armed. */
    afterEach(async () => {
      await free();
      await historyFollowed();
      if (switches().length > 0) await setSwitch(0);
      await rig.cancelAll('', anotherSecond());
      const timestamp = String(Math.floor(Date.now() / 1_000) + anotherSecond());
      await rig.call('DELETE', '/v1/venue-a/orders', { timestamp });
      await eventually(async () => expect([switches(), await resting()]).toEqual([[], 0]));
    });

    it('one order is cancelled, the answer says that this is not recorded, and it is recorded later', async () => {
      const [orderId, other] = [await rested('b'), await rested('b')];
      await fill();
      const answer = await rig.cancel(orderId);
      expect([answer.status, answer.json]).toEqual([200, { orderId, status: 'CANCELLED', filledCount: null }]);
      expect([recordedOf(answer), await resting(), statusOf(orderId)]).toEqual(['false', 1, 'OPEN']);
      expect(currentOf(await rig.read(orderId))).toBe('false');
      await free();
      await eventually(() => expect([statusOf(orderId), statusOf(other)]).toEqual(['CANCELLED', 'OPEN']));
      await eventually(async () => expect(currentOf(await rig.read(orderId))).toBeNull());
      const next = await rig.cancel(other);
      expect([next.status, recordedOf(next)]).toEqual([200, null]);
    });

    it('a cancel that the venue does not confirm is 504, and is to be made again', async () => {
      const orderId = await rested('b');
      await fill();
      await rig.fault({
        venue: 'venue_b',
        operation: 'DELETE *',
        countMax: 100,
        fault: { kind: 'lost', isApplied: false },
      });
      const answer = await rig.cancel(orderId);
      await rig.control('DELETE', '/faults');
      expect([answer.status, recordedOf(answer), errorOf(answer)]).toMatchObject([504, 'false', { orderId }]);
      expect(errorOf(answer).message).toContain('could not be recorded, and is not made later: cancel again');
      const again = await rig.cancel(orderId);
      expect([again.status, recordedOf(again), await resting()]).toEqual([200, 'false', 0]);
    });

    it('an order that has traded is 409', async () => {
      const body = { ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 99 };
      const orderId = orderIdOf(await rig.submit(body));
      await rig.settled(orderId);
      await fill();
      expect((await rig.cancel(orderId)).status).toBe(409);
    });

    it('all orders of both venues are cancelled', async () => {
      const [atB, atA] = [[await rested('b'), await rested('b'), await rested('b')], await rested('a')];
      await fill();
      const [b, a] = [await rig.cancelAll('', anotherSecond()), await rig.call('DELETE', '/v1/venue-a/orders')];
      const outcomes = ({ json }: Answer) =>
        new Map(
          (json as { results: { orderId: string; outcome: string }[] }).results.map(it => [it.orderId, it.outcome]),
        );
      const cancelled = (ids: readonly string[]) => new Map(ids.map(orderId => [orderId, 'CANCELLED']));
      expect([b.status, recordedOf(b), outcomes(b)]).toEqual([200, 'false', cancelled(atB)]);
      expect([a.status, recordedOf(a), outcomes(a)]).toEqual([200, 'false', cancelled([atA])]);
      expect(await resting()).toBe(0);
      await free();
      await eventually(() => expect([...atB, atA].map(statusOf)).toEqual(Array(4).fill('CANCELLED')));
    });

    it('an armed switch fires at both venues, and is recorded as fired later', async () => {
      const orders: string[] = [];
      for (let made = 0; made < 6; made++) orders.push(await rested('b'));
      orders.push(await rested('a'));
      const deadline = deadlineOf(await setSwitch(9_000));
      await fill();
      expect(await resting()).toBe(7);
      await eventually(async () => expect(await resting()).toBe(0));
      expect(Date.now()).toBeGreaterThanOrEqual(deadline);
      expect([orders.map(statusOf), switches()]).toMatchObject([Array(7).fill('OPEN'), [{ deadline }]]);
      await free();
      await eventually(() => expect([orders.map(statusOf), switches()]).toEqual([Array(7).fill('CANCELLED'), []]));
    });

    it('a switch that is extended acts in memory, and is recorded as it was set last', async () => {
      await rested('b');
      const first = deadlineOf(await setSwitch(3_000));
      await fill();
      const extended = await setSwitch(600_000);
      expect([extended.status, recordedOf(extended)]).toEqual([200, 'false']);
      await nowIsAfter(first + 1_000);
      expect(await resting()).toBe(1);
      await free();
      await eventually(() => expect(switches()).toMatchObject([{ deadline: deadlineOf(extended) }]));
    });

    it('a switch that is brought forward in memory fires', async () => {
      await rested('b');
      await setSwitch(600_000);
      await fill();
      const sooner = await setSwitch(1_000);
      expect([sooner.status, recordedOf(sooner)]).toEqual([200, 'false']);
      await eventually(async () => expect(await resting()).toBe(0));
    });

    it('a switch that is disarmed acts in memory', async () => {
      await rested('b');
      const first = deadlineOf(await setSwitch(3_000));
      await fill();
      const disarmed = await setSwitch(0);
      expect([disarmed.status, recordedOf(disarmed), disarmed.json]).toEqual([200, 'false', { deadline: null }]);
      await nowIsAfter(first + 1_000);
      expect(await resting()).toBe(1);
      await free();
      await eventually(() => expect(switches()).toEqual([]));
    });

    it('a first switch is 503 in words, and fires', async () => {
      await rested('b');
      await fill();
      for (const timeoutMs of [600_000, 2_000]) {
        const armed = await setSwitch(timeoutMs);
        expect([armed.status, recordedOf(armed)]).toEqual([503, 'false']);
        expect(errorOf(armed).message).toContain('armed until the process ends');
      }
      await eventually(async () => expect(await resting()).toBe(0));
    });

    it('a lost connection cancels what rests', async () => {
      await rested('b');
      const { url, key } = rig.gateway;
      const stream = createNodeStream({ url, signer: nodeSigner(key) });
      stream.subscribeOrders({ cancelOnDisconnect: true });
      stream.start();
      await eventually(() => expect(stream.orderCursor).not.toBeNull());
      await fill();
      stream.close();
      await eventually(async () => expect(await resting()).toBe(0));
    });

    it('/readyz and a metric report it before any request', async () => {
      expect([await readyz(), await metric('store_refuses_changes')]).toEqual([
        [200, { status: 'ready', feeds: FEEDS }],
        'crossbook_store_refuses_changes 0',
      ]);
      fillDisk(rig.gateway.dataDir);
      const reason = 'nothing can be recorded: the disk of the data directory is full, or fails';
      await eventually(async () =>
        expect(await readyz()).toEqual([503, { status: 'unrecordable', reason, feeds: FEEDS }]),
      );
      expect(await metric('store_refuses_changes')).toBe('crossbook_store_refuses_changes 1');
      expect((await ask(`${rig.gateway.httpUrl}/healthz`)).status).toBe(200);
      await free();
      expect(await metric('store_refuses_changes')).toBe('crossbook_store_refuses_changes 0');
    });
  });

  describe('on a disk that has failed for good', () => {
    beforeEach(() => begin());
    afterEach(() => rig.close());

    it('orders are cancelled, a first switch fires, and /readyz says that the gateway is to be started again', async () => {
      const [orderId] = [await rested('b'), await rested('b'), await rested('a')];
      await failDisk();
      const answer = await rig.cancel(orderId);
      expect([answer.status, recordedOf(answer), await resting()]).toEqual([200, 'false', 2]);
      expect(currentOf(await rig.read(orderId))).toBe('false');
      const [status, { reason }] = await readyz();
      expect([status, reason]).toEqual([503, expect.stringContaining('start the gateway again')]);
      const armed = await setSwitch(1_000);
      expect([armed.status, recordedOf(armed)]).toEqual([503, 'false']);
      await eventually(async () => expect(await resting()).toBe(0));
    });

    it('an armed switch fires, and all orders can be cancelled', async () => {
      for (let made = 0; made < 2; made++) await rested('b');
      const atA = await rested('a');
      await setSwitch(6_000);
      await failDisk();
      const a = await rig.call('DELETE', '/v1/venue-a/orders');
      expect([a.status, recordedOf(a), a.json]).toEqual([
        200,
        'false',
        { results: [{ orderId: atA, outcome: 'CANCELLED' }] },
      ]);
      await eventually(async () => expect(await resting()).toBe(0));
      expect(await metric('threads_lost_total{thread="engine"}')).toMatch(/ 0$/);
    });
  });
});
