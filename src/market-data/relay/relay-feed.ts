// A reader's market data: books and trades of one venue from core NATS, in place of a connection to the venue (docs/RELAY.md). A market is
// requested from the publisher when a client asks for it, and again before its lease ends. Feed threads of a reader.

import { type MarketKey, marketAddress, marketKey, PRIMARY, type Venue } from '../../core/domain/market.ts';
import { COUNTER } from '../../core/metrics/feed-counters.ts';
import type { NatsSettings } from '../../core/nats/settings.ts';
import { protobufCodec } from '../../core/wire/protobuf.ts';
import { limits } from '../../limits.ts';
import type { FeedAnswer, FeedParts, FeedRefusal, MarketFeed } from '../../venues/feed.ts';
import { decodeRelayed, marketSubject, RENEWAL_MS, REPEAT_MS, requestSubject, SILENCE_MS } from './protocol.ts';
import { PublisherLink } from './publisher-link.ts';
import { FIRST_STEP, RelayedBook } from './relayed-book.ts';

export function createRelayFeed(parts: FeedParts, venue: Venue, nats: NatsSettings): MarketFeed {
  return new RelayFeed(parts, venue, nats);
}

interface RelayedMarket {
  readonly key: MarketKey;
  readonly answer: Promise<FeedAnswer>;
  readonly settle: (answer: FeedAnswer) => void;
  /** The book; null until the publisher has accepted the market. */
  book: RelayedBook | null;
  unsubscribe: () => void;
  /**
   * The time of the next request for the market. `snapshotAt` is the time of the next request for its snapshot, if the snapshot is missing
   * by then. Monotonic milliseconds.
   */
  requestAt: number;
  snapshotAt: number;
}

/** The interval between two checks for due markets. */
const CHECK_INTERVAL_MS = 100;
const UNSUBSCRIBED: FeedRefusal = { code: 'VENUE_UNAVAILABLE', message: 'unsubscribed meanwhile' };

class RelayFeed implements MarketFeed {
  readonly #parts: FeedParts;
  readonly #venue: Venue;
  readonly #publisher: PublisherLink;
  readonly #markets = new Map<string, RelayedMarket>();
  #isPublisherAlive = false;
  #cancelCheck: () => void = () => {};

  constructor(parts: FeedParts, venue: Venue, nats: NatsSettings) {
    this.#parts = parts;
    this.#venue = venue;
    this.#publisher = new PublisherLink(
      { nats, name: `crossbook books ${venue}`, timers: parts.timers, log: parts.log },
      { onUp: () => this.#handleConnect(), onDown: () => this.#handleDisconnect(), onPublisher: () => this.#follow() },
    );
  }

  start(): void {
    this.#parts.counters.link = 'down';
    this.#publisher.start();
    this.#scheduleCheck();
  }

  close(): void {
    this.#cancelCheck();
    void this.#publisher.close();
  }

  subscribe(address: string): Promise<FeedAnswer> {
    const known = this.#markets.get(address);
    if (known !== undefined) return known.answer;
    const { promise, resolve } = Promise.withResolvers<FeedAnswer>();
    this.#markets.set(address, {
      key: marketKey(this.#venue, address),
      answer: promise,
      settle: resolve,
      book: null,
      unsubscribe: () => {},
      requestAt: 0,
      snapshotAt: 0,
    });
    this.#checkSoon();
    return promise;
  }

  unsubscribe(address: string): void {
    const market = this.#markets.get(address);
    if (market === undefined) return;
    this.#markets.delete(address);
    market.unsubscribe();
    if (market.book !== null) this.#parts.sink.releaseBook(market.book.id);
    market.settle(UNSUBSCRIBED);
  }

  #handleConnect(): void {
    this.#parts.counters.count(COUNTER.connects);
    this.#checkSoon();
  }

  #handleDisconnect(): void {
    const { counters } = this.#parts;
    counters.count(COUNTER.disconnects);
    counters.link = 'down';
    this.#isPublisherAlive = false;
    for (const market of this.#markets.values()) {
      market.requestAt = 0;
      market.snapshotAt = 0;
      market.book?.dropLevels('DISCONNECTED');
    }
  }

  /** Begins to follow a publisher: the first one, or another one. */
  #follow(): void {
    for (const market of this.#markets.values()) {
      market.requestAt = 0;
      if (market.book === null) continue;
      market.snapshotAt = 0;
      market.book.dropLevels('FEED_RESTARTED');
      this.#listen(market, market.book);
    }
    this.#checkSoon();
  }

  #checkSoon(): void {
    this.#cancelCheck();
    this.#cancelCheck = this.#parts.timers.after(0, () => this.#check());
  }

  #scheduleCheck(): void {
    this.#cancelCheck = this.#parts.timers.after(CHECK_INTERVAL_MS, () => this.#check());
  }

  /** Sends the requests that are due, and marks books that have heard nothing for too long. */
  #check(): void {
    this.#scheduleCheck();
    const now = this.#parts.timers.elapsed();
    this.#updateLinkState();
    for (const { book } of this.#markets.values()) {
      if (book !== null && now - book.lastMessageAt > SILENCE_MS) book.markSilent();
    }
    if (!this.#publisher.isUp || this.#publisher.id === null) return;
    const due: RelayedMarket[] = [];
    for (const market of this.#markets.values()) {
      if (now >= market.requestAt) due.push(market);
      if (market.book?.needsSnapshot && now >= market.snapshotAt) this.#requestSnapshot(market);
    }
    for (let at = 0; at < due.length; at += limits.marketsPerSubscribeMax) {
      void this.#request(due.slice(at, at + limits.marketsPerSubscribeMax));
    }
  }

  #updateLinkState(): void {
    const { counters } = this.#parts;
    const { isPublisherAlive } = this.#publisher;
    if (isPublisherAlive === this.#isPublisherAlive) return;
    this.#isPublisherAlive = isPublisherAlive;
    counters.link = isPublisherAlive ? 'up' : 'down';
    if (!isPublisherAlive) counters.count(COUNTER.silences);
  }

  /** Requests these markets from the publisher for the time of a lease. `markets` has at most `marketsPerSubscribeMax` entries. */
  async #request(markets: readonly RelayedMarket[]): Promise<void> {
    const { timers, counters } = this.#parts;
    for (const market of markets) market.requestAt = Number.POSITIVE_INFINITY;
    const requests = markets.map(({ key }) => ({ market: key, side: null }));
    const frame = protobufCodec.encodeClient({ op: 'subscribe', id: 'lease', channel: 'book', markets: requests });
    const answer = await this.#publisher.request(requestSubject, frame);
    // Every market is requested again soon, unless the answer accepts it: the publisher leaves out markets that its venue has not described
    // yet.
    for (const market of markets) market.requestAt = Math.min(market.requestAt, timers.elapsed() + REPEAT_MS);
    if (answer === null) return;
    counters.count(COUNTER.acknowledgements);
    const message = read(() => protobufCodec.decodeServer(answer));
    if (message === null || message.type !== 'subscribed' || message.channel !== 'book') {
      counters.count(COUNTER.unreadable);
      return;
    }
    for (const key of message.accepted) this.#accepted(marketAddress(key));
    for (const { market, code, message: words } of message.rejected) {
      const isKnown = code === 'UNKNOWN_MARKET' || code === 'BOOK_LIMIT';
      this.#refused(marketAddress(market), { code: isKnown ? code : 'VENUE_UNAVAILABLE', message: words });
    }
  }

  #accepted(address: string): void {
    const market = this.#markets.get(address);
    if (market === undefined) return;
    const { sink, counters, timers, expireFacts } = this.#parts;
    market.requestAt = timers.elapsed() + RENEWAL_MS;
    if (market.book !== null) return;
    const id = sink.openBook(FIRST_STEP);
    if (id === null) {
      const message = `no room for a book: limits booksPerVenueMax ${limits.booksPerVenueMax}, ladderBytesPerVenue ${limits.ladderBytesPerVenue}`;
      this.#refused(address, { code: 'BOOK_LIMIT', message });
      return;
    }
    sink.setViews(id, true, false);
    market.book = new RelayedBook(id, {
      sink,
      counters,
      elapsed: () => timers.elapsed(),
      expireFacts: () => expireFacts(address),
    });
    this.#listen(market, market.book);
    this.#requestSnapshot(market);
    market.settle({ book: id, view: PRIMARY });
  }

  /**
   * Passes a refusal on to the subscriber. A market that has a book is requested again instead: its publisher may have lost the venue only
   * for now.
   */
  #refused(address: string, refusal: FeedRefusal): void {
    const market = this.#markets.get(address);
    if (market === undefined || market.book !== null) return;
    this.#markets.delete(address);
    market.settle(refusal);
  }

  #listen(market: RelayedMarket, book: RelayedBook): void {
    market.unsubscribe();
    const subjectOf = (publisher: string) => marketSubject(publisher, this.#venue, marketAddress(market.key));
    market.unsubscribe = this.#publisher.subscribe(subjectOf, bytes => this.#handle(market, book, bytes));
  }

  #handle(market: RelayedMarket, book: RelayedBook, bytes: Uint8Array): void {
    const { counters, timers } = this.#parts;
    counters.count(COUNTER.frames);
    const message = read(() => decodeRelayed(bytes));
    if (message === null) {
      counters.count(COUNTER.unreadable);
      if (!book.needsSnapshot) book.dropLevels('UNREADABLE');
    } else book.take(message);
    if (book.needsSnapshot && timers.elapsed() >= market.snapshotAt) this.#requestSnapshot(market);
  }

  /** Requests a snapshot. The publisher sends the snapshot on the market's subject, to all its readers. */
  #requestSnapshot(market: RelayedMarket): void {
    market.snapshotAt = this.#parts.timers.elapsed() + REPEAT_MS;
    const frame = protobufCodec.encodeClient({
      op: 'snapshot',
      id: 'snapshot',
      market: { market: market.key, side: null },
    });
    this.#publisher.send(requestSubject, frame);
  }
}

/** Returns null if the bytes cannot be read, so that no publisher wrote them. */
function read<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch {
    return null;
  }
}
