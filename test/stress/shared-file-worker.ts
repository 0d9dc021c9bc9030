// The feed of the stress run of the shared file. It changes books at a steady rate, with snapshots and trades in between. It gives books to
// other markets when it is asked to. Each size of a market’s book has the market’s number, so that a level of another market is noticed.

import { parentPort, workerData } from 'node:worker_threads';
import { ASK, BID, type BookId, PRIMARY, TAKER_BUY } from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { Random } from '../../src/core/runtime/random.ts';
import { regionOf } from '../../src/market-data/book/memory.ts';
import { BookWriter } from '../../src/market-data/book/writer.ts';
import { MARKETS_MAX, type Opened, type SharedFileWorkerData } from './shared-file-terms.ts';

const { arena, markets, changesPerSecond, changes } = workerData as SharedFileWorkerData;
const port = parentPort!;
const writer = new BookWriter(regionOf(arena, 'venue_b'), () => {});
writer.receivedAt = 7 as UnixMillis;
const random = new Random(0x5eed);
const below = (count: number): number => Math.floor(random.next() * count);
const books = new Map<number, BookId>();

for (let market = 0; market < markets; market++) open(market);
port.on('message', ({ from, to }: { readonly from: number; readonly to: number }) => {
  writer.releaseBook(books.get(from)!);
  books.delete(from);
  open(to);
});
const start = performance.now();
let written = 0;
work();

function work(): void {
  const due = Math.min(changes, ((performance.now() - start) * changesPerSecond) / 1_000);
  for (; written < due; written++) change();
  if (written < changes) setImmediate(work);
  else {
    port.postMessage({ elapsedMs: performance.now() - start });
    port.close();
  }
}

function open(market: number): void {
  const book = writer.openBook(100 as Ticks)!;
  writer.setViews(book, true, true);
  books.set(market, book);
  port.postMessage({ market, book } satisfies Opened);
  writer.begin(book);
  writer.clear(book);
  for (let level = 0; level < 12; level++) setLevel(market, book);
  writer.commitSnapshot(book, 5 as UnixMillis);
}

function change(): void {
  const [market, book] = [...books][below(books.size)]!;
  if (below(100) === 0)
    writer.trade(book, PRIMARY, 4_000 as Ticks, 1 as MicroShares, TAKER_BUY, 6 as UnixMillis, `t${written}`);
  writer.begin(book);
  const isSnapshot = below(200) === 0;
  if (isSnapshot) writer.clear(book);
  for (let level = below(isSnapshot ? 20 : 3); level >= 0; level--) setLevel(market, book);
  const time = written as UnixMillis;
  if (isSnapshot) writer.commitSnapshot(book, time);
  else writer.commit(book, time);
}

function setLevel(market: number, book: BookId): void {
  const side = below(2) === 0 ? BID : ASK;
  const distance = 100 * (1 + below(20));
  const price = (side === BID ? 5_000 - distance : 5_000 + distance) as Ticks;
  const size = (below(3) === 0 ? 0 : MARKETS_MAX * (1 + below(1_000_000)) + market) as MicroShares;
  writer.set(book, side, price, size);
}
