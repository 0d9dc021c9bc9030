// A feed thread dies: its books are withdrawn, its successor builds them anew, and the other venue does not notice.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type MarketKey, VENUES, type Venue } from '../../src/core/domain/market.ts';
import { type RunningGateway, startRunningGateway } from '../support/running-gateway.ts';
import { type InventedSession, inventSession } from './invented-session.ts';
import { Subscriber } from './subscriber.ts';

let session: InventedSession;
const closing: (() => void | Promise<void>)[] = [];

beforeAll(async () => {
  session = await inventSession(11, 20_000);
});
afterAll(() => session.remove());
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(): Promise<RunningGateway> {
  const gateway = await startRunningGateway({ source: { kind: 'recorded', files: session.files }, speed: 10 });
  closing.push(() => gateway.close());
  return gateway;
}

async function subscriberOf(gateway: RunningGateway, markets: readonly MarketKey[]): Promise<Subscriber> {
  const subscriber = await Subscriber.connect(gateway);
  closing.push(() => subscriber.close());
  await subscriber.subscribe('book', markets);
  return subscriber;
}

const marketsOf = (venue: Venue): MarketKey[] => session.markets.filter(market => market.venue === venue);

/** Resolves when the recording has been played and each of these books is in its final state. */
async function untilRight(
  gateway: RunningGateway,
  subscriber: Subscriber,
  markets: readonly MarketKey[],
): Promise<void> {
  await gateway.finished;
  await subscriber.until(() =>
    markets.every(
      market => subscriber.picture(market) === session.truthOf(market).last && subscriber.book(market).state === 'LIVE',
    ),
  );
  for (const market of markets) {
    const { pictures } = session.truthOf(market);
    for (const { picture } of subscriber.sightings(market)) expect(pictures).toContain(picture);
  }
  expect(subscriber.errors).toEqual([]);
}

describe.each(VENUES)('the feed thread of %s is killed', killed => {
  it('its books go RESYNCING and return in a greater epoch, the other venue stays LIVE', async () => {
    const gateway = await start();
    const subscriber = await subscriberOf(gateway, session.markets);
    await subscriber.until(() => session.markets.every(market => subscriber.sightings(market).length > 1));
    await gateway.feeds[killed].kill();
    await untilRight(gateway, subscriber, session.markets);
    const { metrics } = gateway;
    const lost = VENUES.map(venue => metrics.read(metrics.counter('threads_lost_total', `feed_${venue}`)));
    expect(lost).toEqual(VENUES.map(venue => (venue === killed ? 1 : 0)));
    for (const market of marketsOf(killed)) {
      const restart = subscriber.states(market).find(({ reason }) => reason === 'FEED_RESTARTED');
      expect(restart?.state).toBe('RESYNCING');
      const sightings = subscriber.sightings(market);
      const [before, after] = [sightings[restart!.afterSightings - 1], sightings[restart!.afterSightings]];
      expect(after?.update.type).toBe('snapshot');
      expect(after?.epoch).toBeGreaterThan(before!.epoch);
    }
    for (const market of session.markets.filter(({ venue }) => venue !== killed)) {
      expect(subscriber.states(market).filter(({ afterSightings }) => afterSightings > 0)).toEqual([]);
      expect(new Set(subscriber.sightings(market).map(({ epoch }) => epoch)).size).toBeGreaterThan(0);
    }
  });
});

it('successors of both feeds answer the requests of meanwhile, even if they die too; the gateway closes before there are next ones', async () => {
  const gateway = await start();
  const killBoth = () => Promise.all(VENUES.map(venue => gateway.feeds[venue].kill()));
  const firsts = VENUES.map(venue => marketsOf(venue)[0]!);
  await killBoth();
  const subscribing = subscriberOf(gateway, session.markets);
  const first = await subscriberOf(gateway, firsts);
  await first.until(() => firsts.every(market => first.sightings(market).length > 0));
  await killBoth();
  await untilRight(gateway, await subscribing, session.markets);
  const killing = killBoth();
  await gateway.close();
  await killing;
  await expect(fetch(gateway.httpUrl)).rejects.toThrow();
});
