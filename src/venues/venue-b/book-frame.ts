// The content of an order book frame, in the domain's numbers. Each connection reuses one object, so that no frame
// allocates. Venue B's feed thread.

import type { BookId } from '../../domain/market.ts';
import type { Ticks } from '../../domain/numbers.ts';
import { limits } from '../../limits.ts';

/** One side of a snapshot: bids for that outcome, in its own prices (ticks) and sizes (micro-shares). */
export class LevelList {
  readonly prices: Int32Array = new Int32Array(limits.venueBLevelsPerSideMax);
  readonly sizes: Float64Array = new Float64Array(limits.venueBLevelsPerSideMax);
  count = 0;
}

/**
 * A delta or a snapshot. Fields that can exceed int32 start as doubles: V8 then keeps them as double fields and writes
 * them in place.
 */
export class BookFrame {
  sid: number = Number.NaN;
  seq: number = Number.NaN;
  book = 0 as BookId;
  /** Delta: the side, its price in ticks of that side, and the signed change in micro-shares. */
  isYes = false;
  price = Number.NaN as Ticks;
  change: number = Number.NaN;
  /** Unix milliseconds, 0 if the frame states none. */
  time: number = Number.NaN;
  /** Snapshot only. */
  readonly yes: LevelList = new LevelList();
  readonly no: LevelList = new LevelList();
}
