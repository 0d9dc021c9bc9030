// A venue B feed in memory: virtual time, a scripted venue, and a recording sink.

import { generateKeyPairSync } from 'node:crypto';
import type { MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import { FeedCounters } from '../../../src/core/metrics/feed-counters.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { limits } from '../../../src/limits.ts';
import type { FeedRefusal, FeedSubscription, MarketFeed } from '../../../src/venues/feed.ts';
import { createVenueBFeed } from '../../../src/venues/venue-b/feed.ts';
import { type RecordedBook, RecordingSink } from '../../support/recording-sink.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { ScriptedVenue, type WireBook } from './scripted-venue.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

export { publicKey };
export const KEY_ID = 'a3f2c9d0-0000-4000-8000-000000000001';

export class FeedRig {
  readonly timers: VirtualTimers = new VirtualTimers();
  readonly sink: RecordingSink;
  readonly venue: ScriptedVenue = new ScriptedVenue();
  /** The markets whose terms for orders are to be read again. */
  readonly outdated: string[] = [];
  readonly counters: FeedCounters = new FeedCounters();
  readonly feed: MarketFeed;

  constructor(booksMax?: number) {
    this.sink = new RecordingSink(booksMax);
    this.feed = createVenueBFeed(
      {
        sink: this.sink,
        expireFacts: address => this.outdated.push(address),
        connect: this.venue.connect,
        get: this.venue.get,
        timers: this.timers,
        random: () => 0.5,
        counters: this.counters,
        log: silentLog,
      },
      {
        restUrl: 'http://venue.test/trade-api/v2',
        streamUrl: 'ws://venue.test/trade-api/ws/v2',
        keyId: KEY_ID,
        privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      },
    );
  }

  /** Returns a connected rig in which these markets are subscribed and answered. `facts` are the other fields of a market's description. */
  static async withMarkets(
    books: Record<string, WireBook>,
    { isAnswering = true, facts = {} }: { isAnswering?: boolean; facts?: Record<string, object> } = {},
  ): Promise<FeedRig> {
    const rig = new FeedRig();
    rig.venue.isAnswering = isAnswering;
    for (const [ticker, book] of Object.entries(books)) rig.venue.addMarket(ticker, book, { ...facts[ticker] });
    rig.connect();
    await rig.want(...Object.keys(books));
    rig.venue.asked.length = 0;
    return rig;
  }

  connect(): void {
    this.feed.start();
    this.venue.open();
  }

  /** Subscribes to markets in one turn, and lets the answers arrive at the pace of requests to the venue. */
  async want(...tickers: string[]): Promise<(FeedSubscription | FeedRefusal)[]> {
    const outcomes = tickers.map(ticker => this.feed.subscribe(ticker));
    let answered = 0;
    for (const outcome of outcomes) void outcome.then(() => (answered += 1));
    await this.timers.settle();
    for (let asked = 0; asked <= tickers.length / 10 && answered < outcomes.length; asked++) {
      await this.timers.settle(limits.venueBFactsGapMs);
    }
    return Promise.all(outcomes);
  }

  /** Lets the session's backoff pass, and opens the connection that the session makes then. */
  reconnect(): void {
    this.timers.advance(limits.upstreamBackoffMaxMs + limits.upstreamBackoffMinMs);
    this.venue.open();
  }

  /** Returns the markets of each command of a kind on the present connection. */
  named(kind: string, channel = 'orderbook_delta'): unknown[] {
    return this.venue.commandsOf(kind, channel).map(({ params }) => params.market_tickers);
  }

  /** Returns a book by its index. Books are opened in the sequence of the subscriptions. */
  book(index = 0): RecordedBook {
    const book = this.sink.books[index];
    if (book === undefined) throw new Error(`no book ${index}`);
    return book;
  }

  /** Returns the bids and asks as text, best level first, as a reader of the book would see them. */
  levels(index = 0): { bids: string[]; asks: string[] } {
    const { bids, asks } = this.book(index);
    const text = ([price, size]: [Ticks, MicroShares]): string => `${size / 1e6}@${price / 1e4}`;
    return {
      bids: [...bids].sort(([a], [b]) => b - a).map(text),
      asks: [...asks].sort(([a], [b]) => a - b).map(text),
    };
  }
}

export const MARKET = 'KXNBAGAME-26NOV21BOSLAL-BOS';
export const OTHER = 'KXNBAGAME-26NOV21BOSLAL-LAL';
/** A book with two YES bids and one NO bid. */
export const BOOK: WireBook = {
  yes: [
    ['0.4600', '10.00'],
    ['0.4700', '3.00'],
  ],
  no: [['0.4800', '2.00']],
};
/** The `levels` of `BOOK`. */
export const LIVE = { bids: ['3@0.47', '10@0.46'], asks: ['2@0.52'] };
export const EMPTY: { bids: string[]; asks: string[] } = { bids: [], asks: [] };

/** Returns a connected rig with two markets, each with the book `BOOK`, both LIVE. */
export async function liveRig(): Promise<FeedRig> {
  const rig = await FeedRig.withMarkets({ [MARKET]: BOOK, [OTHER]: BOOK });
  if (rig.book(0).state !== 'LIVE' || rig.book(1).state !== 'LIVE') throw new Error('the books did not open');
  return rig;
}

/** Returns the state and the reason of a book. */
export function stateOf(rig: FeedRig, index = 0): string {
  return `${rig.book(index).state} ${rig.book(index).reason}`;
}
