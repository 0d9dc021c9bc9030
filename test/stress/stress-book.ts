// The book on which the writing and the reading thread of the stress run agree: its content after batch `n`, as a pure function. So a
// reader can tell whether what it got is one batch's book or a mixture of two.

import { ASK, BID, type Side } from '../../src/core/domain/market.ts';

export const BATCHES = 200_000;
/** Prices are multiples of it, so that the book fits every grid of GRIDS. */
const PRICE_UNIT = 50;
export const GRIDS = [50, 1, 10, 5] as const;
const SIZE_UNIT = 32;

/** The writer takes these last batches in step with the reader, so that every run has both frenzy and quiet. */
export const BATCHES_IN_STEP = 200;

/** Flags in the control block: the writer has started, the writer is done, how many turns the reader has had. */
export const STARTED = 0;
export const DONE = 1;
export const TURNS = 2;

export interface StressOptions {
  readonly arena: SharedArrayBuffer;
  readonly control: SharedArrayBuffer;
}

export function levelsOfBatch(n: number): number {
  return 1 + (n % 11);
}

/** Price of the level `index` of a side after batch `n`: the book wanders, so that slots fill and empty all over. */
export function priceOfBatch(n: number, side: Side, index: number): number {
  const middle = 60 + ((n * 7) % 80);
  return PRICE_UNIT * (side === BID ? middle - 1 - 2 * index : middle + 1 + 3 * index);
}

/** Carries the batch's number, the side and the index: no two levels of the run have the same size. */
export function sizeOfBatch(n: number, side: Side, index: number): number {
  return n * SIZE_UNIT + index * 2 + side;
}

/** One batch of the run is published this way. */
export function isSnapshotBatch(n: number): boolean {
  return n % 19 === 0 || isReopenedBatch(n);
}

export function isRegridBatch(n: number): boolean {
  return n % 53 === 0;
}

export function isReopenedBatch(n: number): boolean {
  return n % 307 === 0;
}

/** Whether a side, given as prices and sizes best first, is exactly that of batch `n`. */
export function isSideOfBatch(
  n: number,
  side: Side,
  count: number,
  prices: ArrayLike<number>,
  sizes: ArrayLike<number>,
): boolean {
  if (count !== levelsOfBatch(n)) return false;
  for (let index = 0; index < count; index++) {
    if (prices[index] !== priceOfBatch(n, side, index) || sizes[index] !== sizeOfBatch(n, side, index)) return false;
  }
  return true;
}

export const SIDES = [BID, ASK] as const;
