// The port between a venue's market data protocol and the rest: what a feed offers (MarketFeed) and what it is handed
// (BookSink and the other FeedParts). A feed never touches shared memory, sockets or clocks of its own. Feed threads only.

import type { BookId, BookState, Side, StateReason, TakerSide, View } from '../domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../domain/numbers.ts';
import type { HttpGet } from '../net/http.ts';
import type { Connect } from '../net/websocket.ts';
import type { FeedCounters } from '../runtime/counters.ts';
import type { Log } from '../runtime/log.ts';
import type { Timers } from '../runtime/timers.ts';

/**
 * Where a feed writes books. All prices are in the primary view's frame (YES, or the first token).
 *
 * A change is made in a batch: `begin`, any number of `set`/`add`, then exactly one of `commit`, `commitSnapshot` or
 * `abandon`. Other threads see the book before or after the batch, never in between.
 */
export interface BookSink {
  /** Wall time at which the frame now being read arrived; a feed sets it once per frame. */
  receivedAt: UnixMillis;
  /** Reserves a book with one slot per `step` ticks, state RESYNCING. Null when a bound of limits.ts is reached. */
  openBook(step: Ticks): BookId | null;
  /** Gives the book back. It is CLOSED or abandoned by its last subscriber; its id may be used again. */
  releaseBook(book: BookId): void;
  /** Which views have subscribers; only their checksums are kept. */
  setViews(book: BookId, primary: boolean, complement: boolean): void;
  /** Moves the book to another grid, levels kept. False when a level has no slot on it or memory is out: resynchronise. */
  regrid(book: BookId, step: Ticks): boolean;
  begin(book: BookId): void;
  /** Inside a batch: empties the book, before a snapshot's levels are set. */
  clear(book: BookId): void;
  /** Inside a batch: absolute size of a level, 0 removes it. False (nothing done) for a price off the grid. */
  set(book: BookId, side: Side, price: Ticks, size: MicroShares): boolean;
  /** Inside a batch: signed change of a level. False (nothing done) off the grid or below zero. */
  add(book: BookId, side: Side, price: Ticks, change: MicroShares): boolean;
  /** Size of a level, 0 where there is none. */
  sizeAt(book: BookId, side: Side, price: Ticks): MicroShares;
  /** Publishes the batch as one delta (seq + 1), one that has emptied the book as a new epoch (seq 1) in its state. False if the book is crossed: it was emptied and is RESYNCING. */
  commit(book: BookId, venueTime: UnixMillis): boolean;
  /** Publishes the batch as a new epoch (seq 1) and sets the book LIVE. False if crossed, as in `commit`. */
  commitSnapshot(book: BookId, venueTime: UnixMillis): boolean;
  /** Ends a batch that must not be seen: the book is emptied and RESYNCING for `reason`, which is announced once, as by `setState`. */
  abandon(book: BookId, reason: StateReason): void;
  /** Announces a state. RESYNCING empties the book; any other keeps its levels. No-op if state and reason are unchanged. */
  setState(book: BookId, state: BookState, reason: StateReason): void;
  stateOf(book: BookId): BookState;
  /** What the venue says was the last trade, before any is announced; in the primary view's frame. */
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
  /** Says that trades of the book may be missing before now. */
  tradesMissed(book: BookId): void;
}

export interface FeedSubscription {
  readonly book: BookId;
  readonly view: View;
}

export type FeedRefusalCode = 'UNKNOWN_MARKET' | 'BOOK_LIMIT' | 'VENUE_UNAVAILABLE';
export interface FeedRefusal {
  readonly code: FeedRefusalCode;
  readonly message: string;
}

/** One venue's market data. */
export interface MarketFeed {
  /** Connects, and keeps connected until `close`. */
  start(): void;
  /**
   * Wants a market's book and trades. Resolves as soon as the market is known to exist and has a book; the book goes LIVE
   * later. Calling it again for a wanted address resolves to the same book. Never rejects.
   */
  subscribe(address: string): Promise<FeedSubscription | FeedRefusal>;
  /** The last client left: unsubscribes upstream and releases the book (once both of its views are unwanted). */
  unsubscribe(address: string): void;
  close(): void;
}

export interface FeedParts {
  /** The stream has told a change of what the market asks of orders: its end, its grid. Called before the book shows it. */
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
