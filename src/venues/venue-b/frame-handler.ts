// Handles each frame of venue B's stream: first the sequence rule (venue-b.md §10.3), then the book, the trade or the answer. Reports to
// the feed what the feed has to do. Venue B's feed thread, hot path.

import { PRIMARY, type StateReason } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { plainText } from '../../core/domain/plain-text.ts';
import { unreachable } from '../../core/domain/result.ts';
import { COUNTER, type FeedCounters } from '../../core/metrics/feed-counters.ts';
import type { Log } from '../../core/runtime/log.ts';
import { limits } from '../../limits.ts';
import type { BookSink } from '../feed.ts';
import { applyDelta, applySnapshot, BookFrame, type LevelList } from './book-updates.ts';
import type { ColdFrame, ColdLevel, ColdMessage, LifecycleChange, RefusalCause } from './cold-frames.ts';
import { readColdFrame } from './cold-frames.ts';
import { DELTA, FrameScanner, SNAPSHOT } from './frame-scanner.ts';
import type { Market, MarketDirectory } from './market-directory.ts';
import type { StreamSubscriptions, Subscription } from './subscription.ts';

interface FrameEvents {
  /** Called when the connection is unreliable. No further frame of this connection is handled. */
  onDistrust(reason: StateReason): void;
  /** Called when the book went RESYNCING. */
  onFault(market: Market, reason: StateReason): void;
  /** Called when the book has a new epoch. */
  onSnapshot(market: Market): void;
  onLifecycle(market: Market, change: LifecycleChange): void;
  /** Called, like `onLifecycle`, for a market without a book, which may be about to get one. */
  onLifecycleElsewhere(ticker: string): void;
  /** Called when the venue has ended the books' subscription. */
  onBooksEnded(): void;
  /** Called when lifecycle events are missing; a pause may be among them. */
  onLifeMissed(): void;
  /** Called when a command was answered, so that the next command may go. */
  onAnswer(): void;
}

interface FrameHandlerParts {
  readonly sink: BookSink;
  readonly counters: FeedCounters;
  readonly log: Log;
  readonly markets: MarketDirectory;
  readonly events: FrameEvents;
}

type Message<Kind extends ColdMessage['kind']> = Extract<ColdMessage, { readonly kind: Kind }>;
type News = Message<'TRADE' | 'REFUSED_TRADE' | 'LIFECYCLE' | 'UNKNOWN_TYPE' | 'REFUSED' | 'IGNORED'>;
type BookMessage = Message<'DELTA'> | Message<'SNAPSHOT'> | Message<'REFUSED_BOOK'>;

/** The errors that end their subscription (venue-b.md §10.2), and the error for a subscription that does not exist. */
const ENDING_ERRORS: ReadonlySet<number> = new Set([7, 10, 25]);

export class FrameHandler {
  readonly #parts: FrameHandlerParts;
  readonly #frame = new BookFrame();
  readonly #scanner: FrameScanner;
  /** The subscriptions of the connection. Null if there is no connection, or if it is unreliable. */
  #subscriptions: StreamSubscriptions | null = null;

  constructor(parts: FrameHandlerParts) {
    this.#parts = parts;
    this.#scanner = new FrameScanner(parts.markets.tickers, this.#frame);
  }

  /** Sets the subscriptions of a new connection. Null means that there is no connection. */
  attach(subscriptions: StreamSubscriptions | null): void {
    this.#subscriptions = subscriptions;
  }

  handle(bytes: Uint8Array, receivedAt: UnixMillis): void {
    const subscriptions = this.#subscriptions;
    if (subscriptions === null) return;
    this.#parts.sink.receivedAt = receivedAt;
    this.#parts.counters.count(COUNTER.frames);
    switch (this.#scanner.scan(bytes)) {
      case DELTA:
        if (this.#isNextOf(subscriptions.books)) this.#delta();
        return;
      case SNAPSHOT:
        if (this.#isNextOf(subscriptions.books)) this.#snapshot();
        return;
      default:
        this.#cold(readColdFrame(bytes), subscriptions);
    }
  }

  /** Whether this frame is the next frame of the books' subscription. False for frames of other subscriptions. */
  #isNextOf(books: Subscription): boolean {
    const frame = this.#frame;
    return frame.sid === books.sid && this.#isInSequence(books, frame.seq);
  }

  #delta(): void {
    const { counters, markets, sink, events } = this.#parts;
    const frame = this.#frame;
    counters.count(COUNTER.deltas);
    if (!markets.takesDeltas(frame.book)) return;
    markets.countMessage(frame.book);
    const fault = applyDelta(sink, markets, frame);
    if (fault !== null) events.onFault(markets.of(frame.book), fault);
  }

  #snapshot(): void {
    const { counters, markets, sink, events } = this.#parts;
    const market = markets.of(this.#frame.book);
    counters.count(COUNTER.snapshots);
    if (!market.isFollowed) return;
    markets.countMessage(market.book);
    const fault = applySnapshot(sink, markets, this.#frame);
    if (fault === null) events.onSnapshot(market);
    else events.onFault(market, fault);
  }

  /**
   * Whether a frame may be used. On the books' subscription no number may be missing. On the others, a frame after a gap is valid itself.
   */
  #isInSequence(subscription: Subscription, seq: number): boolean {
    if (subscription.accept(seq)) return true;
    this.#parts.counters.count(COUNTER.sequenceGaps);
    if (subscription === this.#subscriptions?.lifecycle) this.#parts.events.onLifeMissed();
    if (subscription !== this.#subscriptions?.books) return true;
    this.#distrust('SEQUENCE_GAP');
    return false;
  }

  #distrust(reason: StateReason): void {
    this.#subscriptions = null;
    this.#parts.events.onDistrust(reason);
  }

  #cold(frame: ColdFrame | null, subscriptions: StreamSubscriptions): void {
    if (frame === null) {
      this.#unreadable();
      return;
    }
    const { id, sid, seq, message } = frame;
    if (message.kind === 'SUBSCRIBED') {
      this.#parts.counters.count(COUNTER.acknowledgements);
      subscriptions.opened(message.channel, message.openedSid);
      this.#parts.events.onAnswer();
      return;
    }
    const subscription = sid === null ? null : subscriptions.bySid(sid);
    if (isOfBooks(message)) {
      if (sid === null || seq === null) this.#unreadable();
      else if (subscription !== null) {
        if (this.#isInSequence(subscription, seq)) this.#coldBook(message);
        // Otherwise the frame belongs to a subscription that has ended or is not ours.
      } else if (message.kind === 'REFUSED_BOOK') this.#countRefused(message.why);
      return;
    }
    if (subscription !== null && seq !== null && !this.#isInSequence(subscription, seq)) return;
    if (message.kind === 'OK') {
      this.#parts.counters.count(COUNTER.acknowledgements);
      (subscription ?? subscriptions.awaiting(id))?.acknowledged(id, sid, seq);
      this.#parts.events.onAnswer();
    } else if (message.kind === 'UNSUBSCRIBED') {
      this.#parts.counters.count(COUNTER.acknowledgements);
      if (subscription !== null) this.#ended(subscription, false);
    } else if (message.kind === 'ERROR') this.#error(frame, message.code, message.words, subscriptions);
    else this.#coldNews(message);
  }

  #coldBook(message: BookMessage): void {
    const market = this.#parts.markets.get(message.ticker);
    if (message.kind === 'REFUSED_BOOK') {
      if (message.ticker === '') this.#unreadable();
      else this.#refusedBook(market, message.why);
      return;
    }
    if (market === undefined) {
      this.#parts.counters.count(COUNTER.unknownMarkets);
      return;
    }
    const frame = this.#frame;
    frame.book = market.book;
    if (message.kind === 'DELTA') {
      frame.isYes = message.isYes;
      frame.price = message.price;
      frame.change = message.change;
      frame.time = message.time;
      this.#delta();
    } else if (fill(frame.yes, message.yes) && fill(frame.no, message.no)) {
      frame.time = 0;
      this.#snapshot();
    } else this.#refusedBook(market, 'UNREADABLE');
  }

  /** Handles a book frame that has its place in the sequence, but whose data cannot be used. */
  #refusedBook(market: Market | undefined, why: RefusalCause): void {
    this.#countRefused(why);
    if (market === undefined || !market.isFollowed) return;
    this.#parts.sink.setState(market.book, 'RESYNCING', 'UNREADABLE');
    this.#parts.events.onFault(market, 'UNREADABLE');
  }

  #countRefused(why: RefusalCause): void {
    this.#parts.counters.count(why === 'LEGACY' ? COUNTER.legacyRefused : COUNTER.unreadable);
  }

  /** Handles a frame whose subscription or market is unknown, which makes the connection unreliable. */
  #unreadable(): void {
    this.#parts.counters.count(COUNTER.unreadable);
    this.#distrust('UNREADABLE');
  }

  #coldNews(message: News): void {
    const { counters, markets, sink, events } = this.#parts;
    switch (message.kind) {
      case 'TRADE': {
        const market = markets.get(message.ticker);
        counters.count(market === undefined ? COUNTER.unknownMarkets : COUNTER.trades);
        if (market === undefined) return;
        const { price, size, takerSide, time, tradeId } = message;
        sink.trade(market.book, PRIMARY, price, size, takerSide, time, tradeId);
        return;
      }
      case 'REFUSED_TRADE': {
        this.#countRefused(message.why);
        const market = markets.get(message.ticker);
        if (market !== undefined) sink.tradesMissed(market.book);
        else if (message.ticker === '') this.#subscriptions?.trades.reportMissed();
        return;
      }
      case 'LIFECYCLE': {
        const market = markets.get(message.ticker);
        if (market === undefined) events.onLifecycleElsewhere(message.ticker);
        else events.onLifecycle(market, message.change);
        return;
      }
      case 'UNKNOWN_TYPE':
        counters.count(COUNTER.unknownTypes);
        return;
      case 'REFUSED':
        this.#countRefused(message.why);
        return;
      case 'IGNORED':
        return;
      default:
        unreachable(message);
    }
  }

  #error({ id, sid }: ColdFrame, code: number, words: string, subscriptions: StreamSubscriptions): void {
    const { counters, log, events } = this.#parts;
    counters.count(COUNTER.venueErrors);
    log.warn('venue error', { code, words: plainText(words, limits.venueWordsMax), command: id, sid });
    const subscription = sid === null ? subscriptions.awaiting(id) : subscriptions.bySid(sid);
    if (!ENDING_ERRORS.has(code)) {
      subscription?.refused(id);
      events.onAnswer();
    } else if (subscription === null) this.#distrust('VENUE_ERROR');
    else this.#ended(subscription, true);
  }

  #ended(subscription: Subscription, isRefused: boolean): void {
    subscription.ended(isRefused);
    if (subscription === this.#subscriptions?.books) this.#parts.events.onBooksEnded();
    this.#parts.events.onAnswer();
  }
}

function isOfBooks(message: ColdMessage): message is BookMessage {
  return message.kind === 'DELTA' || message.kind === 'SNAPSHOT' || message.kind === 'REFUSED_BOOK';
}

/** Copies levels into a list. Returns false if there are more levels than prices on the finest grid. */
function fill(list: LevelList, levels: readonly ColdLevel[]): boolean {
  if (levels.length > list.prices.length) return false;
  for (const [index, level] of levels.entries()) {
    list.prices[index] = level.price;
    list.sizes[index] = level.size;
  }
  list.count = levels.length;
  return true;
}
