// The port between a venue's market data protocol and the rest: the feed's methods (MarketFeed) and its services (BookSink and the other
// FeedParts). A feed has no shared memory, sockets or clocks of its own. Feed threads only.

import type { BookId, BookState, Side, StateReason, TakerSide, View } from '../core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../core/domain/numbers.ts';
import type { FeedCounters } from '../core/metrics/feed-counters.ts';
import type { HttpGet } from '../core/net/http.ts';
import type { Connect } from '../core/net/websocket.ts';
import type { Log } from '../core/runtime/log.ts';
import type { Timers } from '../core/runtime/timers.ts';

/**
 * The sink into which a feed writes books. All prices are in the primary view's frame (YES, or the first token). A change is a batch:
 * `begin`, any number of `set`/`add`, then exactly one of `commit`, `commitSnapshot` or `abandon`. Other threads see the book before or
 * after the batch, never in between.
 */
export interface BookSink {
  /** Wall time at which the current frame arrived; a feed sets it once per frame. */
  receivedAt: UnixMillis;
  /** Reserves a book with one slot per `step` ticks, in state RESYNCING. Null when a bound of limits.ts is reached. */
  openBook(step: Ticks): BookId | null;
  /** Releases the book, which is CLOSED or without subscribers. Its id may be used again. */
  releaseBook(book: BookId): void;
  /** Sets which views have subscribers; only they have checksums. */
  setViews(book: BookId, primary: boolean, complement: boolean): void;
  /** Moves the book to another grid and keeps its levels. False when a level has no slot on it, or memory is out: resynchronise. */
  regrid(book: BookId, step: Ticks): boolean;
  begin(book: BookId): void;
  /** Inside a batch: empties the book, before the levels of a snapshot are set. */
  clear(book: BookId): void;
  /** Inside a batch: sets the absolute size of a level; 0 removes it. False, without a change, for a price off the grid. */
  set(book: BookId, side: Side, price: Ticks, size: MicroShares): boolean;
  /** Inside a batch: adds a signed change to a level. False, without a change, off the grid or below zero. */
  add(book: BookId, side: Side, price: Ticks, change: MicroShares): boolean;
  /** Inside a batch: checksum of the primary view with the changes so far (contract §8), if it has subscribers. */
  checksum(book: BookId): number;
  /** Size of a level, 0 where there is none. */
  sizeAt(book: BookId, side: Side, price: Ticks): MicroShares;
  /**
   * Publishes the batch as one delta (seq + 1). A batch that empties the book is a new epoch (seq 1) in its current state. False if the
   * book is crossed: then it is emptied and RESYNCING.
   */
  commit(book: BookId, venueTime: UnixMillis): boolean;
  /** Publishes the batch as a new epoch (seq 1) and sets the book LIVE. False if crossed, as in `commit`. */
  commitSnapshot(book: BookId, venueTime: UnixMillis): boolean;
  /** Discards a batch: the book is emptied and RESYNCING for `reason`, announced once, as by `setState`. */
  abandon(book: BookId, reason: StateReason): void;
  /** Announces a state. RESYNCING empties the book; any other keeps its levels. No-op if state and reason are unchanged. */
  setState(book: BookId, state: BookState, reason: StateReason): void;
  stateOf(book: BookId): BookState;
  /** Sets the last trade by the venue's own account, before any trade is announced, in the primary view's frame. */
  setLastTrade(book: BookId, price: Ticks): void;
  /** Announces a trade in the frame of `view`. `tradeId` is ASCII, at most 64 bytes. */
  trade(
    book: BookId,
    view: View,
    price: Ticks,
    size: MicroShares,
    takerSide: TakerSide,
    venueTime: UnixMillis,
    tradeId: string,
  ): void;
  /** Trades of the book may be missing before now. */
  tradesMissed(book: BookId): void;
}

export interface FeedSubscription {
  readonly book: BookId;
  readonly view: View;
}

type FeedRefusalCode = 'UNKNOWN_MARKET' | 'BOOK_LIMIT' | 'VENUE_UNAVAILABLE';
export interface FeedRefusal {
  readonly code: FeedRefusalCode;
  readonly message: string;
}

export type FeedAnswer = FeedSubscription | FeedRefusal;

/** One venue's market data. */
export interface MarketFeed {
  /** Connects, and keeps connected until `close`. */
  start(): void;
  /**
   * Subscribes to a market's book and trades. Resolves once the market is known to exist and has a book; the book goes LIVE later. A
   * repeated call for a subscribed address resolves to the same book. Never rejects.
   */
  subscribe(address: string): Promise<FeedAnswer>;
  /** Called after the last client left: unsubscribes upstream and releases the book, once neither of its views has a subscriber. */
  unsubscribe(address: string): void;
  close(): void;
}

export interface FeedParts {
  /** The stream has reported a change of the market's order terms: its end, its grid. Called before the book shows it. */
  readonly outdateFacts: (address: string) => void;
  readonly sink: BookSink;
  readonly connect: Connect;
  readonly get: HttpGet;
  readonly timers: Timers;
  /** Uniform in [0, 1): jitter. */
  readonly random: () => number;
  readonly counters: FeedCounters;
  readonly log: Log;
}

const UNSTATED = 0 as UnixMillis;

/**
 * Closes a market's book, whose last levels stay. A book without levels begins an empty epoch, so that current and later subscribers get a
 * snapshot. `now` is the wall time of the report.
 */
export function closeBook(sink: BookSink, book: BookId, reason: StateReason, now: UnixMillis): void {
  const hasLevels = sink.stateOf(book) !== 'RESYNCING';
  // Set the state first: no reader may see an empty book that is not CLOSED.
  sink.setState(book, 'CLOSED', reason);
  if (hasLevels) return;
  sink.receivedAt = now;
  sink.begin(book);
  sink.clear(book);
  sink.commit(book, UNSTATED);
}
