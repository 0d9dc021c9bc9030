// The work of the book benchmarks: markets at the 0.01 grid with about a dozen levels a side, and an endless stream of changes. Most
// changes are near the best price, and each one changes its book. Ours and the baseline get the same changes.

import { ASK, BID, type BookId, type Side } from '../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../src/core/domain/numbers.ts';
import type { BookWriter } from '../src/market-data/book/writer.ts';
import { randomNumbers } from './harness.ts';

const STEP = 100;
const DEPTH = 15;
const VENUE_TIME = 1_780_000_000_000 as UnixMillis;

/** Changes as columns. They are played in a circle: the last changes restore the initial state. */
export interface Workload {
  readonly bookCount: number;
  readonly opening: Changes;
  readonly stream: Changes;
}

class Changes {
  readonly books: number[] = [];
  readonly sides: Side[] = [];
  readonly prices: Ticks[] = [];
  readonly sizes: MicroShares[] = [];

  get count(): number {
    return this.books.length;
  }

  push(book: number, side: Side, price: number, size: number): void {
    this.books.push(book);
    this.sides.push(side);
    this.prices.push(price as Ticks);
    this.sizes.push(size as MicroShares);
  }
}

export function workload(bookCount: number, changeCount: number): Workload {
  const random = randomNumbers(0x5eed);
  const opening = new Changes();
  /** The size of every possible level, by book, side and distance from the middle. */
  const sizes = new Float64Array(bookCount * 2 * DEPTH);
  for (let place = 0; place < sizes.length; place++) {
    if (random() < 0.2) continue;
    sizes[place] = randomSize(random);
    pushPlace(opening, place, sizes[place]!);
  }
  const stream = new Changes();
  const begun = sizes.slice();
  for (let index = 0; index < changeCount; index++) {
    const distance = Math.min(DEPTH - 1, Math.floor(-Math.log(1 - random()) * 3));
    const place = Math.floor(random() * bookCount * 2) * DEPTH + distance;
    const isRemoved = sizes[place] !== 0 && random() < 0.3;
    sizes[place] = isRemoved ? 0 : otherSize(random, sizes[place]!);
    pushPlace(stream, place, sizes[place]!);
  }
  for (let place = 0; place < sizes.length; place++) {
    if (sizes[place] !== begun[place]) pushPlace(stream, place, begun[place]!);
  }
  return { bookCount, opening, stream };
}

/** Opens the workload's books, with or without a subscriber who wants checksums, and publishes their opening. */
export function openBooks(writer: BookWriter, { bookCount, opening }: Workload, isChecksumWanted: boolean): void {
  for (let book = 0; book < bookCount; book++) {
    const opened = writer.openBook(STEP as Ticks)!;
    writer.setViews(opened, isChecksumWanted, false);
    writer.begin(opened);
    writer.commitSnapshot(opened, VENUE_TIME);
  }
  for (let at = 0; at < opening.count; at++) playChange(writer, opening, at);
}

/** Applies a batch of one change. Returns false if the writer refused the change. */
export function playChange(writer: BookWriter, { books, sides, prices, sizes }: Changes, at: number): boolean {
  const book = books[at]! as BookId;
  writer.begin(book);
  writer.set(book, sides[at]!, prices[at]!, sizes[at]!);
  return writer.commit(book, VENUE_TIME);
}

function pushPlace(changes: Changes, place: number, size: number): void {
  const book = Math.floor(place / (2 * DEPTH));
  const side = Math.floor(place / DEPTH) % 2 === 0 ? BID : ASK;
  const distance = place % DEPTH;
  const middle = 20 + ((book * 7) % 60);
  changes.push(book, side, STEP * (side === BID ? middle - 1 - distance : middle + 1 + distance), size);
}

function otherSize(random: () => number, size: number): number {
  const other = randomSize(random);
  return other === size ? other + 10_000 : other;
}

/** Returns hundredths of a contract, up to 1 000 contracts. */
function randomSize(random: () => number): number {
  return (1 + Math.floor(random() * 100_000)) * 10_000;
}
