// A subscriber that stops reading: its backlog stays bounded, and no other subscriber notices. It catches up with snapshots or is disconnected
// (contract §8, limits streamLagBytes and streamCloseBytes).

import { afterEach, describe, expect, it } from 'vitest';
import { rateProfiles } from '../../src/limits.ts';
import { type RunningGateway, startRunningGateway } from '../support/running-gateway.ts';
import { inventSession } from './invented-session.ts';
import { RawClient } from './raw-client.ts';
import { Subscriber } from './subscriber.ts';

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Returns a figure of /metrics. */
async function figure(gateway: RunningGateway, name: string): Promise<number> {
  const text = await (await fetch(`${gateway.httpUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

interface Pair {
  readonly gateway: RunningGateway;
  readonly healthy: Subscriber;
  readonly slow: Subscriber;
  readonly slowClient: RawClient;
}

async function pairOf(gateway: RunningGateway): Promise<Pair> {
  closing.push(() => gateway.close());
  const slowClient = await RawClient.connect(gateway.port, gateway.upgradeHeaders());
  const slow = new Subscriber(slowClient);
  const healthy = await Subscriber.connect(gateway);
  closing.push(
    () => slow.close(),
    () => healthy.close(),
  );
  return { gateway, healthy, slow, slowClient };
}

/** Requests snapshots on a connection that is not read, until `condition` holds. Returns the number of requests. */
async function flood({ gateway, slow }: Pair, condition: () => Promise<boolean>): Promise<number> {
  let requests = 0;
  while (!(await condition())) {
    for (const market of gateway.markets) for (let count = 0; count < 100; count++) slow.requestSnapshot(market);
    requests += 100 * gateway.markets.length;
  }
  return requests;
}

describe('a subscriber that stops reading', () => {
  it('hears that it lagged, gets every book anew and follows again; another one misses nothing', async () => {
    const source = { kind: 'synthetic', seed: 3 } as const;
    const pair = await pairOf(await startRunningGateway({ source, speed: 20, rateProfile: rateProfiles.bench }));
    const { gateway, healthy, slow, slowClient } = pair;
    const { markets } = gateway;
    await Promise.all([slow.subscribe('book', markets), healthy.subscribe('book', markets)]);
    await slow.until(() => slow.snapshotsDone === 1);

    slowClient.pause();
    const requests = await flood(pair, async () => (await figure(gateway, 'crossbook_stream_lagging_total')) > 0);
    const seenBefore = markets.map(market => healthy.sightings(market).length);
    await healthy.until(() => markets.some((market, index) => healthy.sightings(market).length > seenBefore[index]!));

    slowClient.resume();
    await slow.until(() => slow.errors.includes('LAGGED'));
    const seenThen = markets.map(market => slow.sightings(market).length);
    await slow.until(() => markets.every((market, index) => slow.sightings(market).length > seenThen[index]! + 5));
    for (const [index, market] of markets.entries()) {
      const [first, ...later] = slow.sightings(market).slice(seenThen[index]);
      expect(first?.update.type).toBe('snapshot');
      expect(later.some(({ update }) => update.type === 'delta')).toBe(true);
    }
    // Every request is answered: the requests during the lag have been answered too, or refused beyond snapshotsOwedMax.
    const refused = slow.errors.filter(code => code === 'INVALID_REQUEST').length;
    expect(slow.snapshotsDone + refused).toBe(1 + requests);
    // On a busy machine any client may fall behind repeatedly, and each hears of it each time.
    const lagged = slow.errors.filter(code => code === 'LAGGED').length;
    expect(slow.errors).toHaveLength(refused + lagged);
    expect(new Set(healthy.errors)).toEqual(new Set(healthy.errors.filter(code => code === 'LAGGED')));
    expect(await figure(gateway, 'crossbook_stream_lagging_total')).toBeGreaterThanOrEqual(lagged);
  });

  it('is closed with 1013 when it is owed more than streamCloseBytes, or for longer than streamLagMs', async () => {
    const session = await inventSession(3, 1_000);
    closing.push(() => session.remove());
    // The clock of this session never starts, since one market is never subscribed. So no doorbell rings and no patrol runs.
    const pair = await pairOf(
      await startRunningGateway({
        source: { kind: 'recorded', files: session.files },
        rateProfile: rateProfiles.bench,
      }),
    );
    const { gateway, healthy, slow, slowClient } = pair;
    const markets = gateway.markets.filter(({ venue }) => venue === 'venue_b').slice(1);
    await Promise.all([slow.subscribe('book', markets), healthy.subscribe('book', markets)]);
    await Promise.all([slow, healthy].map(subscriber => subscriber.until(() => subscriber.snapshotsDone === 1)));

    slowClient.pause();
    const requests = await flood({ ...pair, gateway: { ...gateway, markets } }, async () => {
      return (await figure(gateway, 'crossbook_stream_connections')) === 1;
    });
    slowClient.resume();
    await slow.until(() => slow.closedWith !== null);
    // On a busy machine the flood may reach the time limit before the byte limit.
    expect(slow.closedWith).toMatch(/^code 1013 .*(streamCloseBytes|streamLagMs)/);
    expect(slow.snapshotsDone).toBeLessThan(requests);
    await healthy.catchUp();
    expect(healthy.closedWith).toBeNull();
  });
});
