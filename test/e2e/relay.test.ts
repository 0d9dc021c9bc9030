// Books by NATS: a gateway with the venues, a gateway with only NATS, and subscribers of both. The test loses bytes, a server and a publisher. Each
// book that the reader shows is one that the venue had, and the final book is the venue's last.

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type MarketKey, marketAddress, VENUES } from '../../src/core/domain/market.ts';
import { jsonCodec } from '../../src/core/wire/json.ts';
import type { Quote, ServerMessage, StreamCodec } from '../../src/core/wire/messages.ts';
import { protobufCodec } from '../../src/core/wire/protobuf.ts';
import { Cable } from '../faults/cable.ts';
import { eventually } from '../support/eventually.ts';
import { lacksNats, NatsServer } from '../support/nats-server.ts';
import { type RunningGateway, type RunningGatewayOptions, startRunningGateway } from '../support/running-gateway.ts';
import { sendSigned } from '../support/signed-requests.ts';
import { RigClient } from '../support/stream-rig.ts';
import { type InventedSession, inventSession } from './invented-session.ts';
import { Subscriber } from './subscriber.ts';

let session: InventedSession;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  session = await inventSession(17, 20_000);
});
afterAll(() => session.remove());
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startNats(): Promise<NatsServer> {
  const nats = await NatsServer.start();
  closing.push(() => nats.close());
  return nats;
}

async function start(options: RunningGatewayOptions): Promise<RunningGateway> {
  const gateway = await startRunningGateway(options);
  closing.push(() => gateway.close());
  return gateway;
}

/** The session takes 20 seconds at speed 1. */
const publisherOn = (nats: NatsServer, speed: number) =>
  start({ source: { kind: 'recorded', files: session.files }, speed, publishesTo: nats.settings });

/** Starts a reader with a connection to NATS of its own, which the test can cut. */
async function readerOn(nats: NatsServer): Promise<{ readonly gateway: RunningGateway; readonly cable: Cable }> {
  const cable = await Cable.lay(nats.port);
  closing.push(() => cable.cut());
  const settings = { servers: [`nats://127.0.0.1:${cable.port}`], credentials: null };
  return { gateway: await start({ source: { kind: 'relay', nats: settings } }), cable };
}

async function subscriberOf(gateway: RunningGateway, markets = session.markets): Promise<Subscriber> {
  const subscriber = await Subscriber.connect(gateway);
  closing.push(() => subscriber.close());
  await follow(subscriber, markets);
  return subscriber;
}

async function follow(subscriber: Subscriber, markets: readonly MarketKey[]): Promise<void> {
  await subscriber.subscribe('book', markets);
  await subscriber.subscribe('trade', markets);
}

const isLive = (subscriber: Subscriber): boolean =>
  session.markets.every(market => subscriber.book(market).state === 'LIVE');

/** Resolves when the session is over and every book is in its final state. No book may have been untrue before. */
async function untilTrue(publisher: RunningGateway, subscriber: Subscriber): Promise<void> {
  await publisher.finished;
  await subscriber.until(
    () => isLive(subscriber) && session.markets.every(it => subscriber.picture(it) === session.truthOf(it).last),
  );
  for (const market of session.markets) {
    const { pictures } = session.truthOf(market);
    for (const { picture } of subscriber.sightings(market)) expect(pictures).toContain(picture);
  }
}

const isSame = (one: MarketKey, other: MarketKey): boolean => marketAddress(one) === marketAddress(other);

/** Returns whether the reader has reported this state of the market after a fault. */
const hasSaid = (subscriber: Subscriber, market: MarketKey, state: string, reason: string): boolean =>
  subscriber.states(market).some(it => it.state === state && it.reason === reason);

describe.skipIf(lacksNats)('a reader', () => {
  it('that was there before NATS and its publisher shows the books and trades that the publisher shows', async () => {
    const nats = await startNats();
    await nats.kill();
    const { gateway } = await readerOn(nats);
    await nats.restart();
    const publisher = await publisherOn(nats, 10);
    // The session begins once all of its markets are subscribed, so both subscribers are there by then.
    const [first, ...others] = session.markets;
    const [read, own] = [await subscriberOf(gateway, others), await subscriberOf(publisher, others)];
    for (const subscriber of [own, read]) await follow(subscriber, [first!]);
    for (const subscriber of [own, read]) await untilTrue(publisher, subscriber);
    for (const subscriber of [own, read]) await subscriber.catchUp();
    let trades = 0;
    for (const market of session.markets) {
      const updates = (subscriber: Subscriber) => subscriber.sightings(market).map(({ update }) => update);
      const since = updates(own)[0]!.receivedAt;
      const ofPublisher = new Set(updates(own).map(({ checksum }) => checksum));
      for (const { checksum, receivedAt } of updates(read))
        if (receivedAt > since) expect(ofPublisher).toContain(checksum);
      // The session began before the later subscriber had subscribed to trades of the first market.
      const [shown, relayed] = [own, read].map(it => it.trades.filter(trade => isSame(trade.market, market)));
      const common = Math.min(shown!.length, relayed!.length);
      trades += common;
      expect(relayed!.slice(relayed!.length - common)).toEqual(shown!.slice(shown!.length - common));
    }
    expect([read.errors, trades > 0]).toEqual([[], true]);
  });

  it('goes on by itself after each fault, and never shows a book that the venue did not have', async () => {
    const nats = await startNats();
    const publisher = await publisherOn(nats, 1);
    const { gateway, cable } = await readerOn(nats);
    const subscriber = await subscriberOf(gateway);
    const goesOn = () => subscriber.until(() => isLive(subscriber));
    const says = (state: string, reason: string) =>
      subscriber.until(() => session.markets.every(it => hasSaid(subscriber, it, state, reason)));
    await goesOn();
    cable.cut();
    await says('RESYNCING', 'DISCONNECTED');
    await cable.mend();
    await goesOn();
    cable.hush();
    await says('STALE', 'SILENCE');
    cable.speak();
    await goesOn();
    await nats.kill();
    await subscriber.until(() => !session.markets.some(it => subscriber.book(it).state === 'LIVE'));
    await nats.restart();
    await goesOn();
    await publisher.relay!.kill();
    await says('RESYNCING', 'FEED_RESTARTED');
    await untilTrue(publisher, subscriber);
    expect(subscriber.errors).toContain('TRADES_MISSED');
    for (const venue of VENUES) expect(gateway.counters[venue].read('disconnects')).toBeGreaterThan(1);
  });
});

describe.skipIf(lacksNats)('a reader without venues', () => {
  let publisher: RunningGateway;
  let gateway: RunningGateway;
  let end: readonly (() => unknown)[];

  beforeAll(async () => {
    const nats = await startNats();
    publisher = await start({ source: { kind: 'paper' }, publishesTo: nats.settings });
    ({ gateway } = await readerOn(nats));
    end = closing.splice(0).reverse();
  });
  afterAll(async () => {
    for (const close of end) await close();
  });

  it('reads markets with their terms as the publisher does, and refuses unknown ones as it does', async () => {
    for (const market of ['venue_a', 'venue_b'].map(venue => publisher.markets.find(it => it.venue === venue)!)) {
      const path = `/v1/${market.venue.replace('_', '-')}/markets/${marketAddress(market)}`;
      await eventually(async () => {
        const read = (from: RunningGateway) => sendSigned(`${from.httpUrl}${path}`, from.key);
        const [own, relayed] = [await read(publisher), await read(gateway)];
        const withoutBook = (json: unknown) => ({ ...(json as object), book: null });
        expect(withoutBook(relayed.json)).toEqual(withoutBook(own.json));
        expect(relayed).toMatchObject({ status: 200, json: { book: { state: 'LIVE' } } });
      });
    }
    const unknown = await sendSigned(`${gateway.httpUrl}/v1/venue-b/markets/KXNOSUCHMARKET-1`, gateway.key);
    expect(unknown).toMatchObject({ status: 404, json: { error: { code: 'NOT_FOUND' } } });
  });

  it.each([jsonCodec, protobufCodec])(
    'shows quotes and depth that the publisher shows, as $subprotocol',
    async codec => {
      const market = publisher.markets.find(it => it.venue === 'venue_b')!;
      const [own, relayed] = [await viewOf(publisher, codec, market), await viewOf(gateway, codec, market)];
      await eventually(() => {
        for (const client of [own, relayed]) client.say({ op: 'snapshot', id: 's', market: { market, side: null } });
        expect(levelsIn(relayed.heard)).toEqual([
          { type: 'quote', market, state: 'LIVE', bid: expect.anything(), ask: expect.anything() },
          { type: 'snapshot', market, state: 'LIVE', bids: expect.any(Array), asks: expect.any(Array) },
        ]);
        expect(levelsIn(relayed.heard)).toEqual(levelsIn(own.heard));
      });
    },
  );

  it('refuses orders, and what needs a catalog, and says why', async () => {
    const body = JSON.stringify({ ticker: 'KXTEST', side: 'YES', action: 'BUY', count: 1, priceCents: 1 });
    const order = {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
      idempotencyKey: randomUUID(),
    };
    const answer = await sendSigned(`${gateway.httpUrl}/v1/venue-b/orders`, gateway.key, order);
    const lists = await sendSigned(`${gateway.httpUrl}/v1/markets`, gateway.key);
    expect(answer).toMatchObject({
      status: 500,
      text: expect.stringContaining('the pod demo has no account at any venue'),
    });
    expect(lists).toMatchObject({ status: 503, text: expect.stringContaining('no venue is configured') });
    const client = await RigClient.connect(gateway);
    closing.push(() => client.close());
    client.say({ op: 'subscribe', id: 'o', channel: 'outcome', catalogMarkets: ['any'] });
    await client.until(() => client.heard.length > 0);
    const refusal = { catalogMarket: 'any', code: 'VENUE_UNAVAILABLE', message: 'no venue is configured' };
    expect(client.heard).toMatchObject([
      { type: 'error', code: 'VENUE_UNAVAILABLE', rejected: [], rejectedCatalogMarkets: [refusal] },
    ]);
  });
});

/** Opens a client with a market's best levels, and with a book of the best two levels of each side. */
async function viewOf(gateway: RunningGateway, codec: StreamCodec, market: MarketKey): Promise<RigClient> {
  const client = await RigClient.connect(gateway, codec);
  closing.push(() => client.close());
  const markets = [{ market, side: null }];
  client.say({ op: 'subscribe', id: 'quote', channel: 'quote', markets });
  client.say({ op: 'subscribe', id: 'book', channel: 'book', depth: 2, markets });
  return client;
}

/** Returns the last quote and snapshot, without positions and times, which differ between gateways. */
function levelsIn(heard: readonly ServerMessage[]) {
  const quote = heard.findLast(it => it.type === 'quote');
  const snapshot = heard.findLast(it => it.type === 'snapshot');
  const { type, market, state, bid, ask } = quote ?? ({} as Partial<Quote>);
  return [
    { type, market, state, bid, ask },
    {
      type: snapshot?.type,
      market: snapshot?.market,
      state: snapshot?.state,
      bids: snapshot?.bids,
      asks: snapshot?.asks,
    },
  ];
}
