// Recorded production traffic from the venue's socket to subscribers of the gateway. The books are the venue's, on every subprotocol, in
// every token's frame, at every sequence number.

import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type Level, type MarketKey, marketAddress } from '../../src/core/domain/market.ts';
import { formatMicroShares, formatTicks, type MicroShares, TICKS_PER_DOLLAR } from '../../src/core/domain/numbers.ts';
import { jsonCodec } from '../../src/core/wire/json.ts';
import { protobufCodec } from '../../src/core/wire/protobuf.ts';
import { deriveNo } from '../../src/market-data/book/derive-no.ts';
import { readRecording } from '../../src/paper/replay/recording.ts';
import { eventually } from '../support/eventually.ts';
import { recordingPath, recordingsPresent } from '../support/recordings.ts';
import { type RunningGateway, type RunningGatewayOptions, startRunningGateway } from '../support/running-gateway.ts';
import { pictureOf } from './picture.ts';
import { Subscriber } from './subscriber.ts';
import { type Truth, tokenPairs, truthOfVenueA, truthOfVenueB } from './venue-truth.ts';

const COCKPIT = 'venue-b/kalshi-cockpit/tests/fixtures/ws_orderbook_stream.json';
const COCKPIT_FINAL = 'venue-b/kalshi-cockpit/ws_orderbook_stream.expected_final.json';
const BITCOIN = 'venue-a/recorded-btc-2026-08/btc_updown_5m_20260816T0158Z_ws_market';
const CAPTURE = 'venue-a/poly-polyarb/tests/fixtures/ws_market_capture.json';

/** The final state of a book as the oracle writes it; its decimals have trailing zeros. */
interface ExpectedBook {
  readonly deltas: number;
  readonly yes_levels: number;
  readonly no_levels: number;
  readonly best_yes_bid: readonly [string, string];
  readonly best_no_bid: readonly [string, string];
  readonly yes_ask_implied: string;
  readonly yes_total: string;
  readonly no_total: string;
}

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function replay(file: string, more: Partial<RunningGatewayOptions> = {}): Promise<RunningGateway> {
  const source = { kind: 'recorded', files: [recordingPath(file)] } as const;
  const gateway = await startRunningGateway({ source, speed: 200, ...more });
  closing.push(() => gateway.close());
  return gateway;
}

async function subscriberOf(gateway: RunningGateway, codec = jsonCodec): Promise<Subscriber> {
  const subscriber = await Subscriber.connect(gateway, codec);
  closing.push(() => subscriber.close());
  return subscriber;
}

async function framesOf(file: string): Promise<string[]> {
  const { frames } = await readRecording(recordingPath(file));
  return frames.map(({ text }) => text);
}

const tickerMarket = (ticker: string): MarketKey => ({ venue: 'venue_b', ticker });
const tokenMarket = (tokenId: string): MarketKey => ({ venue: 'venue_a', tokenId });

/** Decimal text as the contract writes it. */
const canonical = (text: string): string => text.replace(/\.?0+$/, '');
const total = (levels: readonly Level[]): string =>
  formatMicroShares(levels.reduce((sum, { size }) => sum + size, 0) as MicroShares);
const best = ([level]: readonly Level[]): [string, string] => [
  formatTicks(level!.price),
  formatMicroShares(level!.size),
];

/** Expects that the subscriber saw only true books of the market, and that the last one is the final book. */
function expectTrue(subscriber: Subscriber, market: MarketKey, truth: Truth | undefined): void {
  expect(truth).toBeDefined();
  for (const { picture } of subscriber.sightings(market)) expect(truth!.pictures).toContain(picture);
  expect(subscriber.picture(market)).toBe(truth!.last);
}

describe.skipIf(!recordingsPresent)('venue B, production recording (absent: set CROSSBOOK_DATA)', () => {
  it.each(['rsa', 'ed25519'] as const)('ends with the books of the oracle, signed with %s', async keyType => {
    const expected = JSON.parse(readFileSync(recordingPath(COCKPIT_FINAL), 'utf8')) as {
      readonly books: Readonly<Record<string, ExpectedBook>>;
    };
    const truth = truthOfVenueB(await framesOf(COCKPIT));
    const gateway = await replay(COCKPIT, { keyType });
    const subscribers = [await subscriberOf(gateway), await subscriberOf(gateway, protobufCodec)] as const;
    const markets = Object.keys(expected.books).map(tickerMarket);
    expect(gateway.markets).toHaveLength(markets.length);
    await Promise.all(subscribers.map(subscriber => subscriber.subscribe('book', markets)));
    await gateway.finished;
    for (const subscriber of subscribers) {
      const isDone = (ticker: string): boolean =>
        subscriber.book(tickerMarket(ticker)).seq === 1 + expected.books[ticker]!.deltas;
      await subscriber.until(() => Object.keys(expected.books).every(isDone));
      for (const [ticker, final] of Object.entries(expected.books)) {
        const book = subscriber.book(tickerMarket(ticker));
        const no = deriveNo(book);
        expect(book.state).toBe('LIVE');
        expect({
          levels: [book.bids.length, no.bids.length],
          bestYesBid: best(book.bids),
          bestNoBid: best(no.bids),
          yesAsk: formatTicks(book.asks[0]!.price),
          totals: [total(book.bids), total(no.bids)],
        }).toEqual({
          levels: [final.yes_levels, final.no_levels],
          bestYesBid: final.best_yes_bid.map(canonical),
          bestNoBid: final.best_no_bid.map(canonical),
          yesAsk: canonical(final.yes_ask_implied),
          totals: [final.yes_total, final.no_total].map(canonical),
        });
        expectTrue(subscriber, tickerMarket(ticker), truth.get(ticker));
      }
      expect(subscriber.errors).toEqual([]);
    }
    for (const market of markets) expectSameStream(...subscribers, market);
    expect(gateway.counters.venue_b.read('deltas')).toBe(245);
    expect(gateway.counters.venue_b.read('resyncs')).toBe(0);
  });
});

/** Expects that both subscribers heard the same book under each sequence number, made by the same changes. */
function expectSameStream(first: Subscriber, second: Subscriber, market: MarketKey): void {
  const deltasOf = (subscriber: Subscriber): Map<string, unknown> =>
    new Map(
      subscriber
        .sightings(market)
        .filter(({ update }) => update.type === 'delta')
        .map(({ epoch, seq, picture, update }) => [`${epoch}/${seq}`, { picture, update }]),
    );
  const [left, right] = [deltasOf(first), deltasOf(second)];
  const shared = [...left.keys()].filter(position => right.has(position));
  // The subscriber that joined later has the first changes in its snapshot.
  expect(shared).toHaveLength(Math.min(left.size, right.size));
  expect(shared.length).toBeGreaterThan(0);
  for (const position of shared) expect(left.get(position)).toEqual(right.get(position));
}

describe.skipIf(!recordingsPresent)('venue A, production recordings (absent: set CROSSBOOK_DATA)', () => {
  /** Expects that both tokens of a market show one book, seen from its two sides. */
  function expectMirrors(subscriber: Subscriber, first: MarketKey, second: MarketKey): void {
    expect(subscriber.picture(second)).toBe(pictureOf(subscriber.book(first).no()));
    const positions = (market: MarketKey) => subscriber.sightings(market).map(({ epoch, seq }) => `${epoch}/${seq}`);
    const shared = positions(first).filter(position => positions(second).includes(position));
    expect(positions(first).at(-1)).toBe(positions(second).at(-1));
    expect(shared).toHaveLength(Math.min(positions(first).length, positions(second).length));
  }

  /** Resolves when the feed has verified this number of hashes. */
  function untilVerified({ counters }: RunningGateway, count: number): Promise<void> {
    return eventually(() => expect(counters.venue_a.read('hashesVerified')).toBe(count));
  }

  it.each(['.jsonl', '.raw.jsonl'])('verifies every hash of the Bitcoin recording%s', async extension => {
    const frames = await framesOf(BITCOIN + extension);
    const truth = truthOfVenueA(frames);
    const pairs = tokenPairs(frames);
    expect(pairs).toHaveLength(2);
    const gateway = await replay(BITCOIN + extension);
    const subscriber = await subscriberOf(gateway);
    const markets = pairs.flat().map(tokenMarket);
    await subscriber.subscribe('trade', markets);
    await subscriber.subscribe('book', markets);
    await subscriber.until(() => subscriber.trades.length === 2);
    // The hashes are those of four books, two in each of 73 changes, and one of the book of a trade.
    await untilVerified(gateway, 4 + 2 * 73 + 1);
    await subscriber.until(() =>
      markets.every(market => subscriber.picture(market) === truth.get(marketAddress(market))?.last),
    );
    await subscriber.catchUp();
    for (const market of markets) expectTrue(subscriber, market, truth.get(marketAddress(market)));
    for (const [first, second] of pairs) expectMirrors(subscriber, tokenMarket(first), tokenMarket(second));
    const { venue_a: counters } = gateway.counters;
    expect(counters.read('hashesAdoptedLastTrade')).toBe(1);
    expect(counters.read('hashMismatches')).toBe(0);
    // The trade is one trade, seen from both tokens of its market.
    expect(new Set(subscriber.trades.map(({ tradeId }) => tradeId)).size).toBe(1);
    expect(subscriber.trades.map(({ price }) => price).reduce((sum, price) => sum + price, 0)).toBe(TICKS_PER_DOLLAR);
    expect(subscriber.errors).toEqual([]);
  });

  it('verifies every hash of a capture with an array of books', async () => {
    const frames = await framesOf(CAPTURE);
    const truth = truthOfVenueA(frames);
    const gateway = await replay(CAPTURE);
    const subscriber = await subscriberOf(gateway);
    const tokens = tokenPairs(frames).flat();
    expect(tokens).toHaveLength(3);
    await subscriber.subscribe('book', tokens.map(tokenMarket));
    await untilVerified(gateway, 4 + 2 * 4);
    await subscriber.until(() =>
      tokens.every(token => subscriber.picture(tokenMarket(token)) === truth.get(token)?.last),
    );
    for (const token of tokens) expectTrue(subscriber, tokenMarket(token), truth.get(token));
    expectMirrors(subscriber, tokenMarket(tokens[0]!), tokenMarket(tokens[1]!));
    expect(gateway.counters.venue_a.read('hashMismatches')).toBe(0);
  });
});
