// The recorder as a thread, and in a process that is killed. Its written data stays and is whole up to the torn end, and the recording continues with
// gaps. A full disk ends the recording and nothing else.

import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { BID, type BookId, PRIMARY } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { BookIndexWriter } from '../../../src/market-data/book/book-index-writer.ts';
import { type Arena, createArena, indexOf, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import type { RecordedEvent } from '../../../src/market-data/recording/format.ts';
import { openRecording } from '../../../src/market-data/recording/open-recording.ts';
import type { FileFault } from '../../../src/market-data/recording/recorded-file.ts';
import { RecorderLink } from '../../../src/market-data/recording/recorder-link.ts';
import { MarketChoice } from '../../../src/market-data/recording/recorder-settings.ts';
import { RecordedBooks } from '../../../src/tools/cli/recorded-books.ts';
import { canMount, mountDisk } from '../../faults/small-disk.ts';
import { OwnProcess } from '../../support/child-process.ts';
import { eventually } from '../../support/eventually.ts';
import { testFolder } from '../../support/test-folder.ts';

const CHILD = join(import.meta.dirname, 'recording-child.ts');
const BOUNDS = { recordingBytesMax: 1e12, recordingFileBytesMax: 1e12, diskFreeBytesMin: 0 };
const MOST_OF_A_SECOND = 200_000;

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

function readAll(): { events: RecordedEvent[]; faults: FileFault[]; books: RecordedBooks } {
  const faults: FileFault[] = [];
  const books = new RecordedBooks();
  const events = [...openRecording(folder).events(fault => faults.push(fault))];
  for (const event of events) books.take(event);
  return { events, faults, books };
}

const bytesIn = (path: string): number =>
  readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
const gapsOf = (events: readonly RecordedEvent[]): string[] =>
  events.flatMap(event => (event.kind === 'gap' ? event.why : []));

describe('a process that is killed while it records', () => {
  it('leaves all but the last moment, and the next one goes on behind a gap', async () => {
    for (const run of [1, 2]) {
      const before = bytesIn(folder);
      const child = new OwnProcess([CHILD, folder]);
      await eventually(() => expect(bytesIn(folder)).toBeGreaterThan(before + MOST_OF_A_SECOND));
      child.signal('SIGKILL');
      await child.ended;
      const { events, faults, books } = readAll();
      expect(faults).toHaveLength(run);
      expect(faults.every(({ what }) => what === 'cut')).toBe(true);
      expect(books.faults).toEqual([]);
      expect(events.filter(({ kind }) => kind === 'changes').length).toBeGreaterThan(run * 1_000);
      const gaps = gapsOf(events);
      expect(gaps.filter(why => why === 'CUT')).toHaveLength(run * 24);
      expect(gaps.filter(why => why === 'START')).toHaveLength(run * 24);
    }
  });
});

describe('the thread', () => {
  let arena: Arena;
  let writer: BookWriter;
  let metrics: Metrics;
  let link: RecorderLink;

  function start(into: string, markets = MarketChoice.ALL): void {
    arena = createArena();
    writer = new BookWriter(regionOf(arena, 'venue_b'), () => {});
    metrics = new Metrics({ operations: [] });
    const settings = { folder: into, markets, bytesMax: 1e12 };
    link = new RecorderLink({ settings, bounds: BOUNDS, arena, metrics, log: silentLog });
  }

  function subscribe(address: string): BookId {
    const book = writer.openBook(100 as Ticks)!;
    writer.setViews(book, true, true);
    snapshot(book);
    new BookIndexWriter(indexOf(arena)).put('venue_b', address, { book, view: PRIMARY });
    link.places.put('venue_b', address, { book, view: PRIMARY });
    return book;
  }

  function snapshot(book: BookId): void {
    writer.begin(book);
    writer.clear(book);
    writer.set(book, BID, 4_000 as Ticks, 10 as MicroShares);
    writer.commitSnapshot(book, 5 as UnixMillis);
  }

  function change(book: BookId, size: number): void {
    writer.begin(book);
    writer.set(book, BID, 4_000 as Ticks, size as MicroShares);
    writer.commit(book, 6 as UnixMillis);
  }

  const isRecording = (): number => metrics.rowsOf('recording')[0]!.value;
  const hasFailed = (): number => metrics.rowsOf('recording_failed')[0]!.value;

  it('records the chosen markets, and closes its file', async () => {
    start(folder, MarketChoice.read('venue_b:KX-1,venue_b:KXNBA*') as MarketChoice);
    for (const address of ['KX-1', 'KX-11', 'KXNBAGAME-1']) change(subscribe(address), 11);
    await eventually(() => expect(readAll().events.map(({ market }) => market.address)).toContain('KXNBAGAME-1'));
    expect(isRecording()).toBe(1);
    await link.close();
    const { events, faults, books } = readAll();
    expect(faults).toEqual([]);
    expect(books.faults).toEqual([]);
    expect(new Set(events.map(({ market }) => market.address))).toEqual(new Set(['KX-1', 'KXNBAGAME-1']));
  });

  it('that dies is followed by one that begins a new file, behind a gap', async () => {
    start(folder);
    const book = subscribe('KX-1');
    await eventually(() => expect(readAll().events).not.toEqual([]));
    await link.kill();
    change(book, 12);
    await eventually(() => expect(gapsOf(readAll().events)).toEqual(['START', 'CUT', 'START', 'CUT']));
    await link.close();
    const { events, books } = readAll();
    expect(books.faults).toEqual([]);
    expect(events.at(-1)).toMatchObject({ kind: 'book', seq: 2, bids: [{ price: 4_000, size: 12 }] });
    expect(metrics.read(metrics.counter('threads_lost_total', 'recorder'))).toBe(1);
  });

  it.skipIf(!canMount())(
    'on a full disk ends the recording with an alarm, and what it has stays readable',
    async () => {
      const disk = join(folder, 'disk');
      mkdirSync(disk);
      const unmount = mountDisk(disk, 256 * 1_024);
      try {
        start(disk);
        const book = subscribe('KX-1');
        await eventually(() => expect(isRecording()).toBe(1));
        await eventually(() => {
          for (let turn = 0; turn < 1_000; turn++) change(book, 11 + (turn % 2));
          expect(hasFailed()).toBe(1);
        });
        expect(isRecording()).toBe(0);
        // The books still work and change as before.
        change(book, 99);
        expect(hasFailed()).toBe(1);
        await link.command('stop');
        expect(hasFailed()).toBe(0);
        await link.close();
        const books = new RecordedBooks();
        for (const event of openRecording(disk).events()) books.take(event);
        expect(books.faults).toEqual([]);
        expect(books.events).toBeGreaterThan(1_000);
      } finally {
        unmount();
      }
    },
  );
});
