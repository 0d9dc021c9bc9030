// Finds where recorded changes cross a book. From there until its next whole book the book is not known. Pure.

import { ASK, BID, type Level, type Side } from '../../core/domain/market.ts';
import type { MicroShares, Ticks } from '../../core/domain/numbers.ts';
import { type RecordedFrame, type RecordedStep, stepsOf } from './recorded-frames.ts';

type Sizes = Map<Ticks, MicroShares>;

type Sides = readonly [bids: Sizes, asks: Sizes];

/** Returns, for each frame with which books become unknown, the addresses of these books. `frames` must be in their order. */
export function lostBooks(frames: readonly RecordedFrame[]): Map<RecordedFrame, readonly string[]> {
  const books = new Map<string, Sides>();
  const lost = new Map<RecordedFrame, readonly string[]>();
  for (const frame of frames) {
    const touched = new Set<string>();
    for (const step of stepsOf(frame)) if (take(books, step)) touched.add(step.address);
    const crossed = [...touched].filter(address => isCrossed(books.get(address)!));
    for (const address of crossed) books.delete(address);
    if (crossed.length > 0) lost.set(frame, crossed);
  }
  return lost;
}

/** Applies a step to its book. Returns whether the step may have crossed the book. A change of an unknown book returns false. */
function take(books: Map<string, Sides>, step: RecordedStep): boolean {
  if (step.type === 'trade') return false;
  if (step.type === 'book') {
    books.set(step.address, [sizesOf(step.bids), sizesOf(step.asks)]);
    return true;
  }
  const sides = books.get(step.address);
  if (sides === undefined) return false;
  const { side, price } = step;
  const size = step.type === 'level' ? step.size : (sides[side].get(price) ?? 0) + step.by;
  if (size > 0) sides[side].set(price, size as MicroShares);
  else sides[side].delete(price);
  return size > 0 && reaches(sides, side, price);
}

function sizesOf(levels: readonly Level[]): Sizes {
  return new Map(levels.filter(({ size }) => size > 0).map(({ price, size }) => [price, size]));
}

/** Whether an order at this price would match with an order of the other side. */
function reaches(sides: Sides, side: Side, price: Ticks): boolean {
  for (const other of sides[side === BID ? ASK : BID].keys())
    if (side === BID ? other <= price : other >= price) return true;
  return false;
}

function isCrossed(sides: Sides): boolean {
  for (const bid of sides[BID].keys()) if (reaches(sides, BID, bid)) return true;
  return false;
}
