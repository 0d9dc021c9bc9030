// The life of a market and its effect on the book: pauses, closings, changes of closing time and price grid. Sources are the
// stream's lifecycle events, the clock, and facts read again; all lead to the same steps. Venue B's feed thread.

import { type Grid, greatestCommonDivisor, isSameGrid, ladderStep } from '../../core/domain/grid.ts';
import type { StateReason } from '../../core/domain/market.ts';
import type { Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { type BookSink, closeBook } from '../feed.ts';
import type { LifecycleChange } from './cold-frames.ts';
import type { Market } from './market-directory.ts';
import type { MarketFacts } from './market-facts.ts';

/** What the life of a market asks of the stream. */
interface MarketStream {
  /** Subscribes to the market at the venue, which answers with a snapshot. */
  follow(market: Market): void;
  unfollow(market: Market): void;
  /** Reads the book again, which was lost for `reason`. */
  recover(market: Market, reason: StateReason): void;
}

interface MarketLifeParts {
  readonly sink: BookSink;
  readonly timers: Timers;
  readonly log: Log;
  readonly stream: MarketStream;
  readonly expireFacts: (ticker: string) => void;
}

export class MarketLife {
  readonly #parts: MarketLifeParts;

  constructor(parts: MarketLifeParts) {
    this.#parts = parts;
  }

  /** Begins with a market that has just got its book. */
  begin(market: Market): void {
    if (market.phase === 'CLOSED' || market.phase === 'RESOLVED') this.#close(market, market.phase);
    else this.followClock(market);
  }

  /** Applies an event of the stream. */
  applyChange(market: Market, change: LifecycleChange): void {
    market.news += 1;
    switch (change.event) {
      case 'PAUSED':
        this.#pause(market);
        return;
      case 'RESUMED':
        this.#resume(market);
        return;
      case 'RESOLVED':
        this.#close(market, 'RESOLVED');
        return;
      case 'CLOSE_TIME':
        this.#moveCloseTime(market, change.closeTime);
        return;
      case 'GRID':
        this.regrid(market, change.grid);
        return;
      case 'OTHER':
        return;
      default:
        unreachable(change);
    }
  }

  /** Applies facts that were read again, as if their events had come by the stream. Unchanged facts change nothing. */
  described(market: Market, facts: MarketFacts): void {
    const { phase, closeTime, grid } = facts;
    switch (phase) {
      case 'CLOSED':
      case 'RESOLVED':
        market.closeTime = closeTime;
        this.#close(market, phase);
        return;
      case 'PAUSED':
      case 'OPEN':
        this.#moveCloseTime(market, closeTime);
        this.regrid(market, grid);
        if (phase === 'PAUSED') this.#pause(market);
        else this.#resume(market);
        return;
      default:
        unreachable(phase);
    }
  }

  /**
   * Closes the market when its close time has passed, because no event reports that (venue-b.md §10.4). If the clock ran ahead and is set
   * back, the market is opened again.
   */
  followClock(market: Market): void {
    const isDue = market.closeTime !== 0 && market.closeTime <= this.#parts.timers.now();
    if (isDue && market.isFollowed) {
      this.#close(market, 'CLOSED');
      market.isClosedByClock = true;
    } else if (!isDue && market.phase === 'CLOSED' && market.isClosedByClock) this.#reopen(market);
  }

  /** Takes another grid. The ladder gets finer if the grid needs that, or a level that had no slot so far. */
  regrid(market: Market, grid: Grid): void {
    if (!market.isFollowed) return;
    const { sink, log, stream } = this.#parts;
    const step = [market.heldStep, ladderStep(grid)].reduce(greatestCommonDivisor, market.step) as Ticks;
    if (!isSameGrid(grid, market.grid)) this.#parts.expireFacts(market.ticker);
    market.grid = grid;
    if (step === market.step) return;
    if (!sink.regrid(market.book, step)) {
      if (!market.awaitsSnapshot) stream.recover(market, 'TICK_SIZE_CHANGED');
      log.warn('no room for another grid', { ticker: market.ticker, limit: 'ladderBytesPerVenue' });
      return;
    }
    market.step = step;
  }

  #pause(market: Market): void {
    if (!market.isFollowed) return;
    market.phase = 'PAUSED';
    if (!market.awaitsSnapshot) this.#parts.sink.setState(market.book, 'HALTED', 'MARKET_PAUSED');
  }

  #resume(market: Market): void {
    if (market.phase !== 'PAUSED') return;
    // The book is read again, because a re-activation cancels all resting orders (venue-b.md §4.2), and the two channels have no common
    // sequence.
    market.phase = 'OPEN';
    if (!market.awaitsSnapshot) this.#parts.stream.recover(market, 'RESUMED');
  }

  #moveCloseTime(market: Market, closeTime: UnixMillis): void {
    market.closeTime = closeTime;
    if (market.phase === 'CLOSED' && closeTime > this.#parts.timers.now()) this.#reopen(market);
    else this.followClock(market);
  }

  #reopen(market: Market): void {
    this.#parts.expireFacts(market.ticker);
    market.phase = 'OPEN';
    this.#parts.sink.setState(market.book, 'RESYNCING', 'OPENING');
    this.#parts.stream.follow(market);
  }

  #close(market: Market, phase: 'CLOSED' | 'RESOLVED'): void {
    this.#parts.expireFacts(market.ticker);
    market.phase = phase;
    market.isClosedByClock = false;
    market.awaitsSnapshot = true;
    market.askAt = Number.POSITIVE_INFINITY;
    const { sink, timers, stream } = this.#parts;
    closeBook(sink, market.book, phase === 'CLOSED' ? 'MARKET_CLOSED' : 'MARKET_RESOLVED', timers.now());
    stream.unfollow(market);
  }
}
