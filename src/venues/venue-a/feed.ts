// Venue A's market data: the subscribed markets, and the dispatch of events to them. A market has one book, in its first token's frame; the
// other token's book is the mirror. Both tokens are subscribed at the venue, because each change carries a hash of each token's book. Venue
// A's feed thread.

import type { JsonObject } from '../../core/domain/json.ts';
import { COMPLEMENT, PRIMARY, type View } from '../../core/domain/market.ts';
import { ok, type Result } from '../../core/domain/result.ts';
import { COUNTER } from '../../core/metrics/feed-counters.ts';
import { countUnknown } from '../../core/metrics/unknown-words.ts';
import { limits } from '../../limits.ts';
import type { FeedAnswer, FeedParts, FeedRefusal, FeedSubscription, MarketFeed } from '../feed.ts';
import { RequestPace } from '../request-pace.ts';
import { readBookDocument } from './book-document.ts';
import { parseEvent, readTickSize, readTrade, tokensOf } from './cold-frames.ts';
import {
  BOOK,
  type Found,
  FRAME_END,
  FrameScanner,
  IGNORED,
  LAST_TRADE_PRICE,
  LEGACY_EVENT,
  MARKET_RESOLVED,
  NOTICE,
  PRICE_CHANGE,
  TICK_SIZE_CHANGE,
  UNKNOWN_EVENT,
  UNREADABLE,
} from './frame-scanner.ts';
import { MarketBook } from './market-book.ts';
import { MarketConnection } from './market-connection.ts';
import { fetchBook, fetchIsClosed, fetchMarketFacts, type MarketFacts } from './market-facts.ts';
import { bookOfSlot, TokenTable, tokenSlot } from './token-table.ts';

interface VenueAConfig {
  /** Base of the REST interface, without a trailing slash. */
  readonly restUrl: string;
  /** The address of the market channel. */
  readonly streamUrl: string;
}

export function createVenueAFeed(parts: FeedParts, config: VenueAConfig): MarketFeed {
  return new VenueAFeed(parts, config);
}

/** A market with a subscriber of at least one of its tokens. */
interface WantedMarket {
  readonly book: MarketBook;
  readonly connection: MarketConnection;
  readonly isViewWanted: [primary: boolean, complement: boolean];
}

interface Described {
  readonly facts: MarketFacts;
  readonly isOver: boolean;
}

const UNWANTED: FeedRefusal = { code: 'VENUE_UNAVAILABLE', message: 'unsubscribed meanwhile' };

type Answer = Promise<FeedAnswer>;

class VenueAFeed implements MarketFeed {
  readonly #parts: FeedParts;
  readonly #config: VenueAConfig;
  readonly #tokens = new TokenTable();
  readonly #scanner = new FrameScanner(this.#tokens);
  readonly #connections = new Set<MarketConnection>();
  /** Bounds the concurrent reads of market facts: a thousand at once would open a thousand connections to the venue. */
  readonly #pace: RequestPace;
  /** The result of `subscribe` for each subscribed token. */
  readonly #answers = new Map<string, Answer>();
  readonly #markets = new Map<string, WantedMarket>();
  /** The books by BookId. */
  readonly #books: (MarketBook | undefined)[] = [];
  /** Markets that may be over. */
  readonly #possiblyOver = new Set<MarketBook>();
  #isLooking = false;
  #isClosed = false;

  constructor(parts: FeedParts, config: VenueAConfig) {
    this.#parts = parts;
    this.#config = config;
    this.#pace = new RequestPace({ concurrentMax: limits.venueADescribedAtOnceMax, gapMs: 0 }, parts.timers);
  }

  /** Does nothing: a connection is made for the first subscription, because the venue has no use for a connection without one. */
  start(): void {}

  subscribe(address: string): Answer {
    const known = this.#answers.get(address);
    if (known !== undefined) return known;
    const answer: Answer = this.#open(address, () => this.#answers.get(address) === answer).then(result => {
      if ('code' in result && this.#answers.get(address) === answer) this.#answers.delete(address);
      return result;
    });
    this.#answers.set(address, answer);
    return answer;
  }

  unsubscribe(address: string): void {
    this.#answers.delete(address);
    const market = this.#markets.get(address);
    const view = market?.book.viewOf(address);
    if (market === undefined || view === undefined || view === null) return;
    this.#setWanted(market, view, false);
    if (!market.isViewWanted.includes(true)) this.#release(market);
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#connections) connection.close();
    this.#connections.clear();
    this.#answers.clear();
  }

  async #open(address: string, isStillWanted: () => boolean): Answer {
    const opened = this.#markets.get(address);
    if (opened !== undefined) return this.#subscription(opened, address);
    const isItsTurn = await this.#pace.enter(this.#parts.timers.elapsed() + limits.subscribeAnswerMs);
    if (!isItsTurn) return { code: 'VENUE_UNAVAILABLE', message: 'too many markets are being described at once' };
    const described = isStillWanted() ? await this.#describe(address) : null;
    this.#pace.leave();
    if (this.#isClosed || described === null || !isStillWanted()) return UNWANTED;
    if (!described.ok) return described.error;
    const { facts, isOver } = described.value;
    // The other token of the market may have been subscribed meanwhile.
    const market = this.#markets.get(address) ?? this.#create(facts);
    if (market === null) return { code: 'BOOK_LIMIT', message: 'booksPerVenueMax or ladderBytesPerVenue is reached' };
    if (isOver && !market.book.hasEnded) this.#end(market.book);
    return this.#subscription(market, address);
  }

  /** Reads whether the market is over, too: the stream reports a resolution once, perhaps before the market is subscribed. */
  async #describe(address: string): Promise<Result<Described, FeedRefusal>> {
    const { get } = this.#parts;
    const { restUrl } = this.#config;
    const facts = await fetchMarketFacts(get, restUrl, address);
    if (!facts.ok) return facts;
    const isOver = facts.value.mayBeOver === true && (await fetchIsClosed(get, restUrl, facts.value));
    return ok({ facts: facts.value, isOver });
  }

  #subscription(market: WantedMarket, address: string): FeedSubscription {
    const view = market.book.viewOf(address) ?? PRIMARY;
    this.#setWanted(market, view, true);
    return { book: market.book.id, view };
  }

  #setWanted(market: WantedMarket, view: View, isWanted: boolean): void {
    market.isViewWanted[view] = isWanted;
    this.#parts.sink.setViews(market.book.id, ...market.isViewWanted);
  }

  #create(facts: MarketFacts): WantedMarket | null {
    const { sink, counters } = this.#parts;
    const id = sink.openBook(facts.step);
    if (id === null) return null;
    const connection = this.#connectionWithRoom();
    const book = new MarketBook(id, facts, {
      sink,
      counters,
      reread: (which, question) => void this.#reread(which, question),
      resubscribe: which => connection.renew(which),
      onEmpty: which => void this.#checkWhetherOver(which),
    });
    const market: WantedMarket = { book, connection, isViewWanted: [false, false] };
    this.#books[id] = book;
    this.#tokens.insert(facts.primaryToken, tokenSlot(id, PRIMARY));
    this.#tokens.insert(facts.complementToken, tokenSlot(id, COMPLEMENT));
    this.#markets.set(facts.primaryToken, market).set(facts.complementToken, market);
    connection.add(book);
    return market;
  }

  #release({ book, connection }: WantedMarket): void {
    const { id, facts } = book;
    this.#markets.delete(facts.primaryToken);
    this.#markets.delete(facts.complementToken);
    this.#tokens.remove(tokenSlot(id, PRIMARY));
    this.#tokens.remove(tokenSlot(id, COMPLEMENT));
    this.#books[id] = undefined;
    connection.remove(book);
    this.#parts.sink.releaseBook(id);
  }

  #connectionWithRoom(): MarketConnection {
    for (const connection of this.#connections) if (connection.hasRoom) return connection;
    const connection = new MarketConnection({
      parts: this.#parts,
      restUrl: this.#config.restUrl,
      url: this.#config.streamUrl,
      onFrame: (from, data) => this.#onFrame(from, data),
      onNoBook: book => void this.#checkWhetherOver(book),
    });
    this.#connections.add(connection);
    return connection;
  }

  async #reread(book: MarketBook, question: number): Promise<void> {
    const document = await fetchBook(this.#parts.get, this.#config.restUrl, book.facts.primaryToken);
    if (this.#isClosed || this.#books[book.id] !== book) return;
    this.#parts.sink.receivedAt = this.#parts.timers.now();
    book.settle(document, question);
  }

  /**
   * Checks whether a market is over, one market at a time. The stream reports a resolution only once, and a closed market has no book or an
   * empty one.
   */
  async #checkWhetherOver(market: MarketBook): Promise<void> {
    this.#possiblyOver.add(market);
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const book of this.#possiblyOver) {
      this.#possiblyOver.delete(book);
      await this.#endIfClosed(book);
    }
    this.#isLooking = false;
  }

  async #endIfClosed(book: MarketBook): Promise<void> {
    const isOver = await fetchIsClosed(this.#parts.get, this.#config.restUrl, book.facts);
    if (!isOver || this.#isClosed || this.#books[book.id] !== book || book.hasEnded) return;
    this.#parts.log.warn('market closed without an event', { market: book.facts.conditionId });
    this.#end(book);
  }

  #end(book: MarketBook): void {
    this.#parts.expireFacts(book.facts.primaryToken);
    book.end('MARKET_RESOLVED', this.#parts.timers.now());
  }

  #onFrame(connection: MarketConnection, data: Uint8Array): void {
    const { sink, timers, counters } = this.#parts;
    const scanner = this.#scanner;
    sink.receivedAt = timers.now();
    counters.count(COUNTER.frames);
    scanner.load(data);
    for (let found = scanner.next(); found !== FRAME_END; found = scanner.next()) {
      if (found === PRICE_CHANGE) this.#applyChanges();
      else if (found === UNREADABLE) {
        this.#refuse(connection);
        return;
      } else if (found !== NOTICE && found !== IGNORED) this.#applyRare(connection, found);
    }
  }

  /** Applies the entries of a price_change, in runs of one market: usually one run of two entries. */
  #applyChanges(): void {
    const { changes, bytes } = this.#scanner;
    this.#parts.counters.count(COUNTER.deltas);
    let from = 0;
    while (from < changes.count) {
      const slot = changes.slot(from);
      let to = from + 1;
      while (to < changes.count && changes.slot(to) >> 1 === slot >> 1) to += 1;
      if (slot < 0) this.#parts.counters.count(COUNTER.unknownMarkets);
      else this.#books[bookOfSlot(slot)]!.applyChanges(bytes, changes, from, to);
      from = to;
    }
  }

  #applyRare(connection: MarketConnection, found: Found): void {
    const { counters } = this.#parts;
    const { bytes, objectAt, objectEnd } = this.#scanner;
    const event = parseEvent(bytes, objectAt, objectEnd);
    if (found === UNKNOWN_EVENT) {
      counters.count(COUNTER.unknownTypes);
      countUnknown('venue_a', 'message_type', event?.event_type);
      return;
    }
    if (event === null) {
      this.#refuse(connection);
      return;
    }
    const markets = new Set(tokensOf(event).flatMap(token => this.#markets.get(token) ?? []));
    switch (found) {
      case BOOK:
        this.#applyBook(event, markets);
        return;
      case LAST_TRADE_PRICE:
        this.#applyTrade(event, markets);
        return;
      case TICK_SIZE_CHANGE:
        this.#applyTickSize(event, markets);
        return;
      case MARKET_RESOLVED:
        for (const { book } of markets) this.#end(book);
        return;
      case LEGACY_EVENT:
        counters.count(COUNTER.legacyRefused);
        for (const { book } of markets) book.dropContent('UNREADABLE');
        return;
      default:
    }
  }

  #applyBook(event: JsonObject, markets: ReadonlySet<WantedMarket>): void {
    const document = readBookDocument(event);
    for (const { book } of markets) {
      const view = document === null ? null : book.viewOf(document.tokenId);
      if (document !== null && view !== null) book.applyBook(view, document);
      else this.#refuseFor(book);
    }
  }

  #applyTrade(event: JsonObject, markets: ReadonlySet<WantedMarket>): void {
    const trade = readTrade(event);
    if (trade === null) {
      this.#parts.counters.count(COUNTER.unreadable);
      for (const { book } of markets) this.#parts.sink.tradesMissed(book.id);
      return;
    }
    for (const { book } of markets) {
      const view = book.viewOf(trade.tokenId);
      if (view === null) continue;
      this.#parts.counters.count(COUNTER.trades);
      book.announceTrade(view, trade.price, trade.size, trade.takerSide, trade.time, trade.tradeId);
    }
  }

  #applyTickSize(event: JsonObject, markets: ReadonlySet<WantedMarket>): void {
    const change = readTickSize(event);
    for (const { book } of markets) {
      this.#parts.expireFacts(book.facts.primaryToken);
      if (change === null) this.#refuseFor(book);
      else book.changeTickSize(change.tickSize);
    }
  }

  /**
   * Handles an unreadable frame, whose content is lost. This affects the frame's market if the frame names only one, and otherwise all
   * markets of the connection.
   */
  #refuse(connection: MarketConnection): void {
    const { changes, isArray } = this.#scanner;
    this.#parts.counters.count(COUNTER.unreadable);
    const slot = !isArray && changes.count > 0 ? changes.slot(0) : -1;
    const affected = slot < 0 ? [...connection.markets] : [this.#books[bookOfSlot(slot)]!];
    for (const book of affected) book.dropContent('UNREADABLE');
  }

  #refuseFor(book: MarketBook): void {
    this.#parts.counters.count(COUNTER.unreadable);
    book.dropContent('UNREADABLE');
  }
}
