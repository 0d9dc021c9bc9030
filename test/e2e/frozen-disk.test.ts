// A data directory on a frozen disk stopped everything, /healthz included, until the watchdog ended the process. The main thread read the version of
// the keys from LMDB ten times a second, and each such read writes into LMDB's lock file. Now liveness, streams, time and all that the main thread
// has in memory go on. While the engine waits for the disk, the guard thread, which touches no disk, cancels in its place.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../src/tools/client/node-stream.ts';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';
import { type Actor, GatewayProcess } from '../soak/gateway-process.ts';
import { marketsToTrade } from '../soak/markets.ts';
import { PaperProcess } from '../soak/paper-process.ts';
import { steadyPort } from '../soak/steady-port.ts';
import { eventually } from '../support/eventually.ts';
import { FreezableDisk } from '../support/freezable-disk.ts';
import { ask } from '../support/paper-traders.ts';
import { sendSigned } from '../support/signed-requests.ts';

/** A wait that is longer than any deadline of a request. */
const UNANSWERED_MS = 12_000;
const ROUNDS = 20;

const disk = FreezableDisk.mount();

let paper: PaperProcess;
let gateway: GatewayProcess;
let actor: Actor;
let ticker: string;

/** Returns the status, or null if there is no answer. */
async function statusOf(asked: Promise<{ readonly status: number }>): Promise<number | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), UNANSWERED_MS);
  const status = await Promise.race([asked.then(it => it.status), late.promise]);
  clearTimeout(timer);
  return status;
}

const open = (path: string) => statusOf(fetch(gateway.url + path));
const streamUrl = () => `${gateway.url.replace('http', 'ws')}/v1/orderbook`;
const signed = (method: string, path: string, body?: object) =>
  sendSigned(gateway.url + path, actor.key, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    ...(path.endsWith('/orders') && method === 'POST' ? { idempotencyKey: crypto.randomUUID() } : {}),
  });

async function begin(name: string, hasNoPods: boolean): Promise<void> {
  const folder = join(disk!.folder, name);
  mkdirSync(folder);
  paper = await PaperProcess.start({ folder: join(disk!.folder, '..'), seed: 1, intensity: 20 });
  const settings = { folder, paper, port: await steadyPort(), durability: 'process-safe' } as const;
  gateway = new GatewayProcess({ ...settings, hasNoPods });
  [actor] = (await gateway.makeActors()) as [Actor];
  const markets = await marketsToTrade(paper.urls);
  ticker = markets.flatMap(market => (market.venue === 'venue_b' ? [market.ticker] : []))[0]!;
  await gateway.start();
}

async function end(): Promise<void> {
  await gateway.end();
  await paper.end();
}

afterAll(() => disk?.unmount());

describe.skipIf(disk === null)('3021: on a frozen disk, where nobody trades', () => {
  beforeAll(() => begin('market data', true));
  afterAll(end);

  it('liveness, metrics, time, lists of markets and streams go on', async () => {
    const stream = createNodeStream({ url: streamUrl(), signer: nodeSigner(actor.key) });
    let heard = 0;
    stream.on('book', () => {
      heard += 1;
    });
    stream.subscribe('book', [{ venue: 'venue_b', ticker }]);
    stream.start();
    await eventually(async () => expect([heard > 0, (await signed('GET', '/v1/markets')).status]).toEqual([true, 200]));
    disk!.freeze();
    try {
      const before = heard;
      for (let round = 0; round < ROUNDS; round++) {
        const open_ = ['/healthz', '/readyz', '/metrics'].map(open);
        const reads = ['/v1/time', '/v1/whoami', '/v1/markets'].map(path => statusOf(signed('GET', path)));
        expect(await Promise.all([...open_, ...reads])).toEqual(Array(6).fill(200));
      }
      await expect.poll(() => heard).toBeGreaterThan(before);
    } finally {
      disk!.thaw();
      stream.close();
    }
  });
});

describe.skipIf(disk === null)('3021: on a frozen disk, while orders wait for it', () => {
  /** The statuses of the answers. Null means that no answer came before the disk went on. */
  let seen: Readonly<Record<'order' | 'cancel' | 'readyz', number | null>>;
  let restedOnAfter: number;
  /** The statuses of /healthz while a client subscribes to its orders, which the main thread reads. */
  let healthz: readonly (number | null)[];

  const resting = async (): Promise<number> => {
    const url = `${paper.urls['venue_b rest']}/portfolio/orders?status=resting&limit=1000`;
    const { keyId, privateKeyPem } = paper.pods[0]!.accounts.venueB.keys[0]!;
    const headers = createVenueBSigner(keyId, privateKeyPem)('GET', url, Date.now());
    return (await ask<{ readonly orders: readonly unknown[] }>(url, 'GET', undefined, headers)).body.orders.length;
  };

  const order = () => ({ ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 });

  beforeAll(async () => {
    await begin('orders', false);
    await eventually(async () => {
      const { json } = await signed('GET', '/v1/whoami');
      const { venues } = json as { readonly venues: readonly { readonly tradable: boolean }[] };
      expect(venues.every(({ tradable }) => tradable)).toBe(true);
    });
    const first = await signed('POST', '/v1/venue-b/orders', order());
    const second = await signed('POST', '/v1/venue-b/orders', order());
    expect([first.status, second.status, await resting()]).toEqual([201, 201, 2]);
    const stream = createNodeStream({ url: streamUrl(), signer: nodeSigner(actor.key) });
    let isOpen = false;
    stream.on('book', () => {
      isOpen = true;
    });
    stream.subscribe('book', [{ venue: 'venue_b', ticker }]);
    stream.start();
    await eventually(() => expect(isOpen).toBe(true));
    // The switch is set last, so that the cancel below comes before the switch is due, even on a busy machine.
    await signed('POST', '/v1/orders/cancel-after', { timeoutMs: 5_000 });
    disk!.freeze();
    try {
      const { orderId } = first.json as { readonly orderId: string };
      const asked = [
        statusOf(signed('POST', '/v1/venue-b/orders', order())),
        statusOf(signed('DELETE', `/v1/venue-b/orders/${orderId}`)),
      ];
      const [made, cancelled] = await Promise.all(asked);
      seen = { order: made!, cancel: cancelled!, readyz: await open('/readyz') };
      restedOnAfter = await eventually(async () => {
        const rest = await resting();
        expect(rest).toBe(0);
        return rest;
      });
      stream.subscribeOrders({});
      const rounds: (number | null)[] = [];
      while (rounds.length < ROUNDS && !rounds.includes(null)) rounds.push(await open('/healthz'));
      healthz = rounds;
    } finally {
      disk!.thaw();
      stream.close();
    }
  });
  afterAll(end);

  it('an order is 503 in words', () => {
    expect(seen.order).toBe(503);
  });

  it('a cancel reaches the venue', () => {
    expect(seen.cancel).toBe(200);
  });

  it('an armed switch fires', () => {
    expect(restedOnAfter).toBe(0);
  });

  it('a subscription to orders silences no other', () => {
    expect(healthz).toEqual(Array(ROUNDS).fill(200));
  });

  it('/readyz says that nothing can be recorded', () => {
    expect(seen.readyz).toBe(503);
  });

  it('is ready once it goes on, and knows that both orders are cancelled, and nothing of a third', async () => {
    await eventually(async () => {
      const { json } = await signed('GET', '/v1/venue-b/orders?status=CANCELLED');
      const { orders } = json as { readonly orders: readonly { readonly cancelReason: string }[] };
      // The reasons are the guard's, newest first.
      const reasons = orders.map(({ cancelReason }) => cancelReason);
      expect([reasons, await open('/readyz'), await resting()]).toEqual([['DEAD_MAN', 'REQUESTED'], 200, 0]);
    });
    const { json } = await signed('GET', '/v1/venue-b/orders?status=OPEN');
    expect(json).toMatchObject({ orders: [] });
    const again = await signed('POST', '/v1/venue-b/orders', order());
    expect([again.status, await resting()]).toEqual([201, 1]);
  });
});
