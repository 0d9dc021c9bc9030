// The content of an order book frame, and its effect on a book. YES bids are bids; a NO bid at q is a YES ask at 1 − q (venue-b.md §11).
// After an impossible change only a reason is returned. Venue B's feed thread, hot path.

import { greatestCommonDivisor } from '../../core/domain/grid.ts';
import { ASK, BID, type BookId, type StateReason } from '../../core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import { complementTicks, TICKS_PER_DOLLAR } from '../../core/domain/numbers.ts';
import { limits } from '../../limits.ts';
import type { BookSink } from '../feed.ts';
import type { MarketDirectory } from './market-directory.ts';

/** One side of a snapshot: the bids for an outcome, in the outcome's own prices (ticks), with sizes in micro-shares. */
export class LevelList {
  readonly prices: Int32Array = new Int32Array(limits.venueBLevelsPerSideMax);
  readonly sizes: Float64Array = new Float64Array(limits.venueBLevelsPerSideMax);
  count = 0;

  /** Returns the largest step that divides `step` and every price. */
  stepWithin(step: Ticks): Ticks {
    return this.prices.subarray(0, this.count).reduce(greatestCommonDivisor, step) as Ticks;
  }
}

/**
 * A delta or a snapshot. Each connection reuses one object, so that no frame allocates. Fields that can exceed int32 start as doubles. V8
 * then keeps them as double fields and writes them in place.
 */
export class BookFrame {
  sid: number = Number.NaN;
  seq: number = Number.NaN;
  book = 0 as BookId;
  /** In a delta: the side, the price in ticks of that side, and the signed change in micro-shares. */
  isYes = false;
  price = Number.NaN as Ticks;
  change: number = Number.NaN;
  /** The frame's time in Unix milliseconds, 0 if the frame states none. */
  time: number = Number.NaN;
  /** In a snapshot: the levels of both sides. */
  readonly yes: LevelList = new LevelList();
  readonly no: LevelList = new LevelList();
}

/** Applies a delta. Returns null if the delta was applied. Otherwise the book is RESYNCING, and the reason is returned. */
export function applyDelta(sink: BookSink, markets: MarketDirectory, frame: BookFrame): StateReason | null {
  const { book } = frame;
  const side = frame.isYes ? BID : ASK;
  const price = frame.isYes ? (frame.price as Ticks) : complementTicks(frame.price as Ticks);
  sink.begin(book);
  if (sink.add(book, side, price, frame.change as MicroShares)) {
    return sink.commit(book, frame.time as UnixMillis) ? null : 'CROSSED';
  }
  const market = markets.of(book);
  const reason = isOnLadder(price, market.step) ? 'NEGATIVE_SIZE' : 'OFF_GRID';
  if (reason === 'OFF_GRID') market.heldStep = greatestCommonDivisor(market.heldStep, price) as Ticks;
  sink.abandon(book, reason);
  return reason;
}

/** Applies a snapshot, which makes the book LIVE, and returns null. Otherwise the book is RESYNCING, and the reason is returned. */
export function applySnapshot(sink: BookSink, markets: MarketDirectory, frame: BookFrame): StateReason | null {
  const { book } = frame;
  sink.begin(book);
  sink.clear(book);
  if (!setLevels(sink, book, frame.yes, true) || !setLevels(sink, book, frame.no, false)) {
    const market = markets.of(book);
    for (const list of [frame.yes, frame.no]) market.heldStep = list.stepWithin(market.heldStep);
    sink.abandon(book, 'OFF_GRID');
    return 'OFF_GRID';
  }
  return sink.commitSnapshot(book, frame.time as UnixMillis) ? null : 'CROSSED';
}

function setLevels(sink: BookSink, book: BookId, list: LevelList, isYes: boolean): boolean {
  for (let index = 0; index < list.count; index += 1) {
    const own = list.prices[index] as Ticks;
    const size = list.sizes[index] as MicroShares;
    if (!sink.set(book, isYes ? BID : ASK, isYes ? own : complementTicks(own), size)) return false;
  }
  return true;
}

function isOnLadder(price: Ticks, step: Ticks): boolean {
  return price > 0 && price < TICKS_PER_DOLLAR && price % step === 0;
}
