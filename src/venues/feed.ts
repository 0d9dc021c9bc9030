// The port between a venue's market data protocol and the rest. It has the feed's methods (MarketFeed), and the services that a feed uses
// (BookSink and the other FeedParts). A feed has no shared memory, sockets or clocks of its own. Feed threads only.

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
  /** Reserves a book with one slot per `step` ticks, in state RESYNCING. Returns null if a bound of limits.ts is reached. */
  openBook(step: Ticks): BookId | null;
  /** Releases a book that is CLOSED or has no subscribers. Its id may be used again. */
  releaseBook(book: BookId): void;
  /** Sets which views have subscribers. Only these views have checksums. */
  setViews(book: BookId, primary: boolean, complement: boolean): void;
  /**
   * Moves the book to another grid and keeps its levels. Returns false if a level has no slot on the new grid, or if memory is used up; the
   * caller then resynchronises.
   */
  regrid(book: BookId, step: Ticks): boolean;
  begin(book: BookId): void;
  /** Inside a batch: empties the book, before the levels of a snapshot are set. */
  clear(book: BookId): void;
  /**
   * Inside a batch: sets the absolute size of a level; 0 removes the level. Returns false, without a change, if the price is off the grid.
   */
  set(book: BookId, side: Side, price: Ticks, size: MicroShares): boolean;
  /**
   * Inside a batch: adds a signed change to a level. Returns false, without a change, if the price is off the grid or the size would fall
   * below zero.
   */
  add(book: BookId, side: Side, price: Ticks, change: MicroShares): boolean;
  /** Inside a batch: returns the checksum of the primary view with the changes so far (contract §8), if that view has subscribers. */
  checksum(book: BookId): number;
  /** Returns the size of a level, or 0 if the level does not exist. */
  sizeAt(book: BookId, side: Side, price: Ticks): MicroShares;
  /**
   * Publishes the batch as one delta (seq + 1). A batch that empties the book becomes a new epoch (seq 1) in the book's current state.
   * Returns false if the book is crossed; it is then emptied and RESYNCING.
   */
  commit(book: BookId, venueTime: UnixMillis): boolean;
  /** Publishes the batch as a new epoch (seq 1) and sets the book LIVE. Returns false if the book is crossed, as `commit` does. */
  commitSnapshot(book: BookId, venueTime: UnixMillis): boolean;
  /** Discards a batch: the book is emptied and RESYNCING for `reason`. The state is announced once, as by `setState`. */
  abandon(book: BookId, reason: StateReason): void;
  /** Announces a state. RESYNCING empties the book; any other state keeps its levels. Does nothing if state and reason are unchanged. */
  setState(book: BookId, state: BookState, reason: StateReason): void;
  stateOf(book: BookId): BookState;
  /** Sets the price of the last trade as the venue states it, before any trade is announced. The price is in the primary view's frame. */
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
  /** Announces that trades of the book may be missing before now. */
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
   * repeated call for the same address resolves to the same book. Never rejects.
   */
  subscribe(address: string): Promise<FeedAnswer>;
  /**
   * Called after the last client has left. Unsubscribes from the venue and releases the book, once neither of its views has a subscriber.
   */
  unsubscribe(address: string): void;
  close(): void;
}

export interface FeedParts {
  /**
   * Called when the stream has reported a change of the market's order terms, such as its end or its grid. Called before the book shows the
   * change.
   */
  readonly expireFacts: (address: string) => void;
  readonly sink: BookSink;
  readonly connect: Connect;
  readonly get: HttpGet;
  readonly timers: Timers;
  /** Returns a random number, uniform in [0, 1), for jitter. */
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
  // The state is set first, so that no reader sees an empty book that is not CLOSED.
  sink.setState(book, 'CLOSED', reason);
  if (hasLevels) return;
  sink.receivedAt = now;
  sink.begin(book);
  sink.clear(book);
  sink.commit(book, UNSTATED);
}
