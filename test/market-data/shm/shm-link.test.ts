// The shared file's thread: the content that a reader of the file sees while the thread lives, dies, and closes.

import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ASK, BID, type BookId, PRIMARY } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { BookIndexWriter } from '../../../src/market-data/book/book-index-writer.ts';
import { type Arena, createArena, indexOf, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import { ShmLink } from '../../../src/market-data/shm/shm-link.ts';
import { eventually } from '../../support/eventually.ts';
import { SharedFileView } from '../../support/shared-file-view.ts';
import { testFolder } from '../../support/test-folder.ts';

const ADDRESS = 'KX-1';

let folder: string;
let path: string;
let arena: Arena;
let writer: BookWriter;
let index: BookIndexWriter;
let metrics: Metrics;
let link: ShmLink;

beforeEach(() => {
  folder = testFolder();
  path = join(folder, 'books');
  arena = createArena();
  writer = new BookWriter(regionOf(arena, 'venue_b'), () => {});
  index = new BookIndexWriter(indexOf(arena));
  metrics = new Metrics({ operations: [] });
});
afterEach(() => link.close());

const viewOf = (): SharedFileView => new SharedFileView(readFileSync(path).buffer);

function subscribe(): BookId {
  const book = writer.openBook(100 as Ticks)!;
  writer.setViews(book, true, true);
  snapshot(book, 4_000);
  index.put('venue_b', ADDRESS, { book, view: PRIMARY });
  link.places.put('venue_b', ADDRESS, { book, view: PRIMARY });
  return book;
}

function snapshot(book: BookId, bid: number): void {
  writer.begin(book);
  writer.clear(book);
  writer.set(book, BID, bid as Ticks, 10 as MicroShares);
  writer.set(book, ASK, 9_000 as Ticks, 10 as MicroShares);
  writer.commitSnapshot(book, 5 as UnixMillis);
}

const bestBid = (): Promise<number> =>
  eventually(() => {
    const view = viewOf();
    return view.book(view.symbols().get(`venue_b ${ADDRESS}`)!.symbol).bids[0]![0];
  });

it.each([false, true])('writes what is subscribed, and beats (spins: %s)', async spins => {
  link = new ShmLink({ path, arena, spins, metrics, log: silentLog });
  const book = subscribe();
  expect(await bestBid()).toBe(4_000);
  snapshot(book, 4_100);
  await eventually(async () => expect(await bestBid()).toBe(4_100));
  const beat = viewOf().header('heartbeat');
  await eventually(() => expect(viewOf().header('heartbeat')).toBeGreaterThan(beat));
  index.remove('venue_b', ADDRESS);
  link.places.remove('venue_b', ADDRESS);
  await eventually(() => expect(viewOf().symbols().size).toBe(0));
});

it('begins a new file after its thread has died, with the same markets', async () => {
  link = new ShmLink({ path, arena, spins: false, metrics, log: silentLog });
  const book = subscribe();
  await bestBid();
  const { ino } = statSync(path);
  await link.kill();
  snapshot(book, 4_200);
  await eventually(() => expect(statSync(path).ino).not.toBe(ino));
  await eventually(async () => expect(await bestBid()).toBe(4_200));
  expect(metrics.read(metrics.counter('threads_lost_total', 'shm'))).toBe(1);
});

it('marks its file as closed, for those who have it mapped, and takes it away', async () => {
  link = new ShmLink({ path, arena, spins: false, metrics, log: silentLog });
  subscribe();
  await bestBid();
  const mapped = openSync(path, 'r');
  await link.close();
  expect(existsSync(path)).toBe(false);
  const header = Buffer.alloc(4_096);
  readSync(mapped, header, 0, header.length, 0);
  closeSync(mapped);
  expect(header.readUInt32LE(128)).toBe(2);
});
