// The writing thread of the stress run. It writes BATCHES batches on one book as fast as it can, with snapshots, regrids and reopenings in
// between. It takes short rests in every other stretch, so that readers also meet a quiet book.

import { workerData } from 'node:worker_threads';
import type { BookId } from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { regionOf } from '../../src/market-data/book/memory.ts';
import { BookWriter } from '../../src/market-data/book/writer.ts';
import {
  BATCHES,
  BATCHES_IN_STEP,
  DONE,
  GRIDS,
  isRegridBatch,
  isReopenedBatch,
  isSnapshotBatch,
  levelsOfBatch,
  priceOfBatch,
  SIDES,
  STARTED,
  type StressOptions,
  sizeOfBatch,
  TURNS,
} from './stress-book.ts';

const { arena, control } = workerData as StressOptions;
const flags = new Int32Array(control);
const writer = new BookWriter(regionOf(arena, 'venue_b'), () => {});
const gridOf = (n: number) => GRIDS[n % GRIDS.length]! as Ticks;

let book = writer.openBook(gridOf(0))!;
writer.setViews(book, true, true);
Atomics.store(flags, STARTED, 1);
Atomics.notify(flags, STARTED);
try {
  for (let n = 1; n <= BATCHES; n++) {
    if (isReopenedBatch(n)) book = reopen(book, gridOf(n));
    else if (isRegridBatch(n) && !writer.regrid(book, gridOf(n))) throw new Error(`no regrid in batch ${n}`);
    writeBatch(n, isSnapshotBatch(n) || n === 1);
    if (n > BATCHES - BATCHES_IN_STEP) awaitReader();
    else if (n % 2_000 > 1_000) rest();
  }
} finally {
  Atomics.store(flags, DONE, 1);
}

function reopen(old: BookId, step: Ticks): BookId {
  writer.releaseBook(old);
  const reopened = writer.openBook(step)!;
  writer.setViews(reopened, true, true);
  return reopened;
}

function writeBatch(n: number, isSnapshot: boolean): void {
  writer.begin(book);
  if (isSnapshot) writer.clear(book);
  else writeLevels(n - 1, true);
  writeLevels(n, false);
  const time = n as UnixMillis;
  if (!(isSnapshot ? writer.commitSnapshot(book, time) : writer.commit(book, time)))
    throw new Error(`batch ${n} refused`);
}

function writeLevels(n: number, isRemoval: boolean): void {
  for (let index = levelsOfBatch(n) - 1; index >= 0; index--) {
    for (const side of SIDES) {
      const size = isRemoval ? 0 : sizeOfBatch(n, side, index);
      const price = priceOfBatch(n, side, index) as Ticks;
      if (!writer.set(book, side, price, size as MicroShares)) throw new Error(`no slot for ${price} in batch ${n}`);
    }
  }
}

function rest(): void {
  for (let spin = 0; spin < 300; spin++) Atomics.load(flags, DONE);
}

/** Until the reader has had one whole turn since now. */
function awaitReader(): void {
  const before = Atomics.load(flags, TURNS);
  for (let turns = before; turns < before + 2; turns = Atomics.load(flags, TURNS)) Atomics.wait(flags, TURNS, turns);
}
