// Books that are built from venue B's stream equal the exchange's books after any events. The test builds them from raw frames by hand, and with the
// product's own feed, over real sockets, while random orders run.

import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ASK, BID, type Side } from '../../../src/core/domain/market.ts';
import { complementTicks } from '../../../src/core/domain/numbers.ts';
import { FeedCounters } from '../../../src/core/metrics/feed-counters.ts';
import { createHttpClient } from '../../../src/core/net/http.ts';
import { connectWebSocket } from '../../../src/core/net/websocket.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { createVenueBFeed } from '../../../src/venues/venue-b/feed.ts';
import { ticks } from '../../support/amounts.ts';
import { RecordingSink } from '../../support/recording-sink.ts';
import { turnsUntil } from '../../support/turns.ts';
import { BOSTON, MarketRig } from './market-rig.ts';
import { type Frame, StreamClient } from './stream-client.ts';
import { RandomTraffic, TICKERS } from './stream-traffic.ts';

let rig: MarketRig;
beforeEach(async () => {
  rig = await MarketRig.start();
});
afterEach(() => rig.close());

type Rows = readonly (readonly [price: string, size: string])[];
interface HandBook {
  readonly yes: Map<number, number>;
  readonly no: Map<number, number>;
}

/** Converts a text to signed hundredths of a contract. */
function centi(text: string): number {
  return Math.round(Number(text) * 100);
}

/** Folds the frames of one subscription. Every sequence number must come once and in order. */
function fold(frames: readonly Frame[]): Map<string, HandBook> {
  const books = new Map<string, HandBook>();
  let last = 0;
  for (const { type, seq, msg } of frames) {
    if (seq === undefined) continue;
    expect(seq).toBe(last + 1);
    last = seq;
    const ticker = String(msg?.market_ticker);
    if (type === 'orderbook_snapshot') {
      const side = (rows: unknown) =>
        new Map(((rows ?? []) as Rows).map(([price, size]) => [ticks(price), centi(size)] as const));
      books.set(ticker, { yes: side(msg.yes_dollars_fp), no: side(msg.no_dollars_fp) });
    } else if (type === 'orderbook_delta') {
      const side = books.get(ticker)![msg.side as 'yes' | 'no'];
      const price = ticks(String(msg.price_dollars));
      const size = (side.get(price) ?? 0) + centi(String(msg.delta_fp));
      expect(size).toBeGreaterThanOrEqual(0);
      if (size === 0) side.delete(price);
      else side.set(price, size);
      const { yes, no } = books.get(ticker)!;
      // The book is never locked, not even between frames.
      expect(Math.max(0, ...yes.keys()) + Math.max(0, ...no.keys())).toBeLessThan(10_000);
    }
  }
  return books;
}

function truth(ticker: string): { yes: [number, number][]; no: [number, number][] } {
  const market = rig.market(ticker);
  const rows = (side: Side): [number, number][] =>
    [...market.levels(side)].map(({ price, size }) => [side === BID ? price : complementTicks(price), size / 10_000]);
  return { yes: rows(BID), no: rows(ASK) };
}

const descending = (side: Map<number, number>) => [...side].sort(([a], [b]) => b - a);

describe('books by hand', () => {
  it('are the exchange’s after random traffic and changes of mind', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1e9 }), async seed => {
        const traffic = new RandomTraffic(rig, seed);
        for (let step = 0; step < 30; step += 1) traffic.step();
        const client = await StreamClient.connect(rig.port, 'alice');
        client.send({ id: 1, cmd: 'subscribe', params: { channels: ['orderbook_delta'], market_ticker: BOSTON } });
        const frames: Frame[] = [];
        for (let round = 0; round < 12; round += 1) {
          const action = traffic.random.pick(['add_markets', 'add_markets', 'delete_markets', 'get_snapshot']);
          const market_tickers = TICKERS.filter(() => traffic.random.chance(0.5));
          client.send({ id: 2, cmd: 'update_subscription', params: { sid: 1, action, market_tickers } });
          for (let step = 0; step < 10; step += 1) traffic.step();
          frames.push(...(await client.drain()));
        }
        frames.push(
          ...(await client.ask({
            id: 3,
            cmd: 'update_subscription',
            params: { sid: 1, action: 'add_markets', market_tickers: TICKERS },
          })),
        );
        for (let step = 0; step < 30; step += 1) traffic.step();
        frames.push(...(await client.drain()));
        client.close();
        const books = fold(frames);
        for (const ticker of TICKERS) {
          const { yes, no } = books.get(ticker)!;
          expect({ yes: descending(yes), no: descending(no) }).toEqual(truth(ticker));
        }
      }),
      { numRuns: 12, seed: 20_260_528 },
    );
  });
});

describe('the product’s own feed', () => {
  const http = createHttpClient(2_000, 1e6);
  afterAll(() => http.close());

  it('runs on it: books go LIVE and stay the exchange’s', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    rig.register('alice', publicKey.export({ type: 'spki', format: 'pem' }).toString());
    const sink = new RecordingSink();
    // The timers have the venue's date and real delays.
    const timers = { ...wallTimers, now: () => rig.timers.now() };
    const counters = new FeedCounters();
    const feed = createVenueBFeed(
      {
        sink,
        expireFacts: () => {},
        connect: connectWebSocket,
        get: http.get,
        timers,
        random: () => 0.5,
        counters,
        log: silentLog,
      },
      {
        restUrl: `http://127.0.0.1:${rig.port}/trade-api/v2`,
        streamUrl: `ws://127.0.0.1:${rig.port}/trade-api/ws/v2`,
        keyId: 'alice',
        privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      },
    );
    const traffic = new RandomTraffic(rig, 11);
    for (let step = 0; step < 100; step += 1) traffic.step();
    feed.start();
    const opened = await Promise.all(TICKERS.map(ticker => feed.subscribe(ticker)));
    expect(opened.every(answer => 'book' in answer)).toBe(true);
    await turnsUntil(() => sink.books.length === 3 && sink.books.every(({ state }) => state === 'LIVE'));
    for (let round = 0; round < 20; round += 1) {
      for (let step = 0; step < 20; step += 1) traffic.step();
      await turnsUntil(() => true);
    }
    const picture = () =>
      TICKERS.map((_, index) => {
        const { bids, asks } = sink.books[index]!;
        const rows = (side: ReadonlyMap<number, number>) => [...side].map(([price, size]) => `${price} ${size}`).sort();
        return [rows(bids), rows(asks)];
      });
    const exchange = TICKERS.map(ticker => {
      const rows = (side: Side) =>
        [...rig.market(ticker).levels(side)].map(({ price, size }) => `${price} ${size}`).sort();
      return [rows(BID), rows(ASK)];
    });
    await turnsUntil(() => JSON.stringify(picture()) === JSON.stringify(exchange));
    expect(sink.events.filter(({ kind }) => kind === 'trade').length).toBeGreaterThan(0);
    // Each book was opened once and never needed another snapshot.
    expect(sink.books.map(({ epoch }) => epoch)).toEqual([1, 1, 1]);
    feed.close();
  });
});
