// The strongest test of the market channel. Our own feed of venue A, which checks every hash, follows the channel while seeded random orders run. Its
// book ends with the exchange's own levels.

import { afterEach, describe, expect, it } from 'vitest';
import { ASK, BID, type Side } from '../../../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../../../src/core/domain/numbers.ts';
import { FeedCounters } from '../../../../src/core/metrics/feed-counters.ts';
import { createHttpClient } from '../../../../src/core/net/http.ts';
import { connectWebSocket } from '../../../../src/core/net/websocket.ts';
import { silentLog } from '../../../../src/core/runtime/log.ts';
import { Random } from '../../../../src/core/runtime/random.ts';
import { wallTimers } from '../../../../src/core/runtime/timers.ts';
import { limits } from '../../../../src/limits.ts';
import type { VenueAMarketListing } from '../../../../src/paper/catalog/listings.ts';
import type { OrderId } from '../../../../src/paper/engine/engine-types.ts';
import { marketStreamRoute } from '../../../../src/paper/venue-a/stream/market-session.ts';
import { ZERO_BYTES32 } from '../../../../src/venues/venue-a/abi-words.ts';
import { createVenueAFeed } from '../../../../src/venues/venue-a/feed.ts';
import { type RecordedBook, RecordingSink } from '../../../support/recording-sink.ts';
import { NEG_RISK, REGULAR, VenueARig } from '../venue-a-rig.ts';

const SHARE = 1_000_000;
const CALLERS = 4;
const LISTINGS = [REGULAR, NEG_RISK] as const;

let end = async (): Promise<void> => {};
afterEach(() => end());

/** Starts the feed on the rig's real sockets. */
function follow(rig: VenueARig) {
  const sink = new RecordingSink();
  const counters = new FeedCounters();
  const http = createHttpClient(limits.upstreamRestTimeoutMs, limits.upstreamRestBodyBytesMax);
  const feed = createVenueAFeed(
    {
      ...{ sink, connect: connectWebSocket, get: http.get, timers: wallTimers, random: () => 0, counters },
      ...{ log: silentLog, expireFacts: () => {} },
    },
    { restUrl: rig.server.restUrl, streamUrl: rig.server.marketStreamUrl },
  );
  feed.start();
  end = async () => {
    feed.close();
    rig.close();
    http.close();
  };
  return { sink, counters, feed };
}

/** Random orders of the house and of callers around one price, so that many of them match. */
class Traffic {
  readonly #rig: VenueARig;
  readonly #random: Random;
  readonly #houseOrders: OrderId[] = [];
  /** The highest price. The orders are spread over the six cents below it. */
  highest = 5_300 as Ticks;
  #count = 0;

  constructor(rig: VenueARig, seed: number) {
    this.#rig = rig;
    this.#random = new Random(seed);
    for (let caller = 0; caller < CALLERS; caller += 1) {
      rig.exchange.deposit(walletOf(caller), (1e6 * SHARE) as MicroDollars);
      for (const listing of LISTINGS) {
        rig.exchange.split(walletOf(caller), rig.market(listing), (1e4 * SHARE) as MicroShares);
      }
    }
  }

  step(): void {
    const random = this.#random;
    this.#count += 1;
    if (random.chance(0.3)) this.#rig.timers.advance(random.below(90));
    const listing = random.pick(LISTINGS);
    const kind = random.below(10);
    if (kind < 4) this.#house(listing);
    else if (kind < 8) this.#caller(listing);
    else if (kind === 8) this.#rig.exchange.desk.cancel(random.pick([...this.#houseOrders, 0 as OrderId]));
    else this.#rig.exchange.cancels.cancelAll(`key-${random.below(CALLERS)}`, null, null);
  }

  #price(listing: VenueAMarketListing): Ticks {
    const { tick } = this.#rig.market(listing);
    return (this.highest - 600 + this.#random.below(600 / tick) * tick) as Ticks;
  }

  #house(listing: VenueAMarketListing): void {
    const { desk } = this.#rig.exchange;
    const market = desk.markets.find(it => it.address === listing.conditionId)!;
    const side: Side = this.#random.chance(0.5) ? BID : ASK;
    const kind = this.#random.chance(0.8) ? 'rest' : 'take';
    const order = desk.place(market, side, this.#price(listing), this.#size(), kind);
    if (order !== null && this.#houseOrders.push(order) > 40) this.#houseOrders.shift();
  }

  #caller(listing: VenueAMarketListing): void {
    const caller = this.#random.below(CALLERS);
    const type = this.#random.pick(['GTC', 'GTC', 'GTC', 'FAK', 'FOK'] as const);
    this.#rig.exchange.place({
      orderId: `0x${this.#count.toString(16).padStart(64, '0')}`,
      owner: `key-${caller}`,
      wallet: walletOf(caller),
      market: this.#rig.market(listing),
      token: this.#random.chance(0.5) ? 0 : 1,
      isBuy: this.#random.chance(0.5),
      price: this.#price(listing),
      size: this.#size(),
      spends: null,
      type,
      expirationS: 0,
      builderCode: ZERO_BYTES32,
      postOnly: false,
    });
  }

  /** Returns a size in hundredths of a share, of at least five shares. */
  #size(): MicroShares {
    return ((500 + this.#random.below(6_000)) * 10_000) as MicroShares;
  }
}

function walletOf(caller: number): string {
  return `0x${(caller + 1).toString(16).padStart(40, '0')}`;
}

function levelsOf(rig: VenueARig, listing: VenueAMarketListing) {
  const of = (side: Side) =>
    [...rig.market(listing).levels(side)].map(({ price, size }) => [price, size]).sort(byPrice);
  return { bids: of(BID), asks: of(ASK) };
}

function recordedLevels({ bids, asks }: RecordedBook) {
  return { bids: [...bids].sort(byPrice), asks: [...asks].sort(byPrice) };
}

function byPrice([one = 0]: readonly number[], [other = 0]: readonly number[]): number {
  return one - other;
}

/** Waits for one turn of the event loop, in which sockets are served. */
function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}

async function subscribeBoth({ feed, sink }: Pick<ReturnType<typeof follow>, 'feed' | 'sink'>, seed: number) {
  for (const { tokens } of LISTINGS)
    expect(await feed.subscribe(tokens[seed % 2]!)).toMatchObject({ book: expect.any(Number) });
  while (!LISTINGS.every((_, book) => sink.books[book]?.state === 'LIVE')) await turn();
}

async function play(traffic: Traffic, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    traffic.step();
    if (step % 25 === 0) await turn();
  }
}

async function catchUp(rig: VenueARig, sink: RecordingSink): Promise<void> {
  rig.timers.advance(70);
  const isCaughtUp = () =>
    LISTINGS.every((listing, book) => {
      const recorded = sink.books[book];
      if (recorded === undefined || recorded.state !== 'LIVE') return true;
      return JSON.stringify(recordedLevels(recorded)) === JSON.stringify(levelsOf(rig, listing));
    });
  while (!isCaughtUp()) await turn();
}

/** Expects that every book was verified all the time. */
function expectNoDoubt(counters: FeedCounters): void {
  const names = ['hashMismatches', 'resyncs', 'crossed', 'unreadable', 'unknownTypes', 'bookRereads'] as const;
  for (const name of names) expect([name, counters.read(name)]).toEqual([name, 0]);
}

describe('our own feed on the market channel', () => {
  it.each([1, 2, 3])('proves every change of a random session (seed %i)', async seed => {
    const rig = await VenueARig.start({ sockets: parts => [marketStreamRoute(parts)] });
    const { sink, counters, feed } = follow(rig);
    const traffic = new Traffic(rig, seed);
    for (let step = 0; step < 60; step += 1) traffic.step();
    await subscribeBoth({ feed, sink }, seed);
    await play(traffic, 800);
    await catchUp(rig, sink);

    expectNoDoubt(counters);
    expect(sink.books.map(recordedLevels)).toEqual(LISTINGS.map(listing => levelsOf(rig, listing)));
    expect(counters.read('hashesVerified')).toBeGreaterThan(500);
    expect(counters.read('hashesAdoptedLastTrade')).toBeGreaterThan(20);
    expect(counters.read('trades')).toBeGreaterThan(50);
  });

  it.each([
    ['up', 10_000],
    ['down', 600],
  ] as const)('goes through a finer tick as the price runs %s, and loses nothing', async (_direction, highest) => {
    const rig = await VenueARig.start({ sockets: parts => [marketStreamRoute(parts)] });
    const { sink, counters, feed } = follow(rig);
    const traffic = new Traffic(rig, 5);
    for (let step = 0; step < 60; step += 1) traffic.step();
    await subscribeBoth({ feed, sink }, 5);
    traffic.highest = highest as Ticks;
    await play(traffic, 400);
    const resting = levelsOf(rig, REGULAR);
    expect(rig.market(REGULAR).tickSize).toBe('0.001');
    await play(traffic, 400);
    await catchUp(rig, sink);

    expectNoDoubt(counters);
    expect(sink.books.map(recordedLevels)).toEqual(LISTINGS.map(listing => levelsOf(rig, listing)));
    const prices = [...levelsOf(rig, REGULAR).bids, ...levelsOf(rig, REGULAR).asks].map(([price = 0]) => price);
    expect(prices.some(price => price % 100 !== 0)).toBe(true);
    expect(resting.bids.length + resting.asks.length).toBeGreaterThan(5);
    expect(counters.read('hashesVerified')).toBeGreaterThan(500);
  });
});
