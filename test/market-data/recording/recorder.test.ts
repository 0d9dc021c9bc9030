// The recorder's records of books: every change of each market in its sequence, with the checksum of the book. A gap stands where data is missing.
// Each hour a new file begins without a gap. The recording ends when the disk is full.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ASK, BID, type BookId, COMPLEMENT, PRIMARY, TAKER_BUY } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { limits } from '../../../src/limits.ts';
import type { RecordedEvent } from '../../../src/market-data/recording/format.ts';
import { openRecording } from '../../../src/market-data/recording/open-recording.ts';
import { RecorderRig, START } from './recorder-rig.ts';

const HOUR_MS = 3_600_000;

let rig: RecorderRig;
beforeEach(() => {
  rig = new RecorderRig();
});
afterEach(() => rig.remove());

const kinds = (events: readonly RecordedEvent[]): string[] =>
  events.map(event => `${event.market.address} ${event.kind === 'gap' ? event.why : event.kind}`);
const fileCount = (): number => openRecording(rig.folder).files.length;

describe('a market', () => {
  it('begins with a gap and its whole book, changes, and ends', async () => {
    const book = rig.openBook();
    rig.write(
      book,
      Array.from({ length: 40 }, (_, at) => [BID, 100 + at * 100, 10 + at]),
      true,
    );
    rig.writer.setLastTrade(book, 4_000 as Ticks);
    const { epoch, checksum } = rig.copyOf(book, PRIMARY);
    expect(rig.list('KX-1', book)).toBe('listed');
    rig.now += 3;
    rig.write(book, [
      [BID, 4_100, 2 ** 40],
      [ASK, 6_000, 20],
    ]);
    rig.follow();
    const after = rig.copyOf(book, PRIMARY);
    rig.recorder.unlist('venue_b', 'KX-1');
    const events = await rig.recorded();
    const market = { venue: 'venue_b', address: 'KX-1' };
    const times = { venueTime: 5, receivedAt: START };
    expect(events).toMatchObject([
      { kind: 'gap', why: 'START', market, at: START },
      {
        kind: 'book',
        epoch,
        seq: 1,
        checksum,
        state: 'LIVE',
        reason: 'SNAPSHOT',
        lastTrade: 4_000,
        ...times,
        asks: [],
      },
      {
        ...{ kind: 'changes', at: START + 3, epoch, seq: 2, checksum: after.checksum, venueTime: 6, receivedAt: START },
        changes: [
          { side: BID, price: 4_100, size: 2 ** 40 },
          { side: ASK, price: 6_000, size: 20 },
        ],
      },
      { kind: 'end' },
    ]);
    expect(events[1]).toMatchObject({ bids: { length: 40 } });
  });

  it('has states, new epochs, trades and what was missed of them, in the frame of its view', async () => {
    const book = rig.openBook();
    rig.write(book, [[BID, 4_000, 10]], true);
    rig.list('YES', book);
    rig.list('NO', book, COMPLEMENT);
    rig.writer.trade(book, PRIMARY, 4_000 as Ticks, 3 as MicroShares, TAKER_BUY, 8 as UnixMillis, 'trade-1');
    rig.writer.tradesMissed(book);
    rig.writer.setState(book, 'STALE', 'SILENCE');
    rig.follow();
    rig.writer.setState(book, 'RESYNCING', 'SEQUENCE_GAP');
    rig.write(book, [[BID, 3_000, 1]], true);
    rig.follow();
    const events = await rig.recorded();
    const ofNo = events.filter(({ market }) => market.address === 'NO');
    expect(kinds(ofNo).map(it => it.slice('NO '.length))).toEqual([
      'START',
      'book',
      'trade',
      'tradesMissed',
      'state',
      'state',
      'EPOCH',
      'book',
    ]);
    expect(ofNo[2]).toMatchObject({ price: 6_000, size: 3, takerSide: 2, tradeId: 'trade-1', venueTime: 8 });
    expect(ofNo.slice(4, 6)).toMatchObject([
      { state: 'STALE', reason: 'SILENCE' },
      { state: 'RESYNCING', reason: 'SEQUENCE_GAP' },
    ]);
    expect(ofNo.at(-1)).toMatchObject({ state: 'LIVE', bids: [], asks: [{ price: 7_000, size: 1 }] });
  });

  it('that leaves has what its feed wrote until then, though its book is gone', async () => {
    const book = rig.openBook();
    rig.write(book, [[BID, 4_000, 10]], true);
    rig.list('KX-1', book);
    rig.write(book, [[BID, 4_100, 10]]);
    rig.writer.trade(book, PRIMARY, 4_000 as Ticks, 3 as MicroShares, TAKER_BUY, 8 as UnixMillis, 'trade-1');
    rig.writer.setState(book, 'STALE', 'SILENCE');
    rig.index.remove('venue_b', 'KX-1');
    rig.recorder.unlist('venue_b', 'KX-1');
    const events = await rig.recorded();
    expect(kinds(events)).toEqual(['START', 'book', 'changes', 'trade', 'state', 'end'].map(it => `KX-1 ${it}`));
    expect(events[3]).toMatchObject({ kind: 'trade', seq: 2, tradeId: 'trade-1' });
  });

  it('is not listed once its feed has dropped it', () => {
    expect(rig.recorder.list('venue_b', 'KX-1', { book: rig.openBook(), view: PRIMARY })).toBe('gone');
  });

  it('never has the book of the market that has its place next', async () => {
    const book = rig.openBook();
    rig.write(book, [[BID, 4_000, 10]], true);
    rig.list('OLD', book);
    rig.follow();
    // The main thread and the feed do this before the recorder's thread hears of it.
    rig.index.remove('venue_b', 'OLD');
    rig.writer.releaseBook(book);
    expect(rig.openBook()).toBe(book);
    rig.index.put('venue_b', 'NEW', { book, view: PRIMARY });
    rig.write(book, [[BID, 2_000, 10]], true);
    rig.write(book, [[BID, 2_100, 10]]);
    rig.follow();
    rig.recorder.unlist('venue_b', 'OLD');
    rig.recorder.list('venue_b', 'NEW', { book, view: PRIMARY });
    const events = await rig.recorded();
    const books = events.filter(event => event.kind === 'book');
    expect(books.map(it => [it.market.address, it.bids.length])).toEqual([
      ['OLD', 1],
      ['NEW', 2],
    ]);
    expect(events.filter(({ kind }) => kind === 'changes')).toEqual([]);
  });
});

it('says of every market that it was lapped, with the books as they are then', async () => {
  const [first, second] = [rig.openBook(), rig.openBook()];
  for (const book of [first, second]) rig.write(book, [[BID, 4_000, 10]], true);
  rig.list('FIRST', first);
  rig.list('SECOND', second);
  rig.follow();
  for (let turn = 0; turn < limits.tapeSlotsPerVenue; turn++) rig.write(first, [[BID, 4_000, 11 + (turn % 2)]]);
  rig.follow();
  expect(rig.recorder.laps).toBe(1);
  const events = await rig.recorded();
  expect(kinds(events.slice(4))).toEqual(['FIRST LAPPED', 'SECOND LAPPED', 'FIRST book', 'SECOND book']);
  expect(events.at(-2)).toMatchObject({ seq: limits.tapeSlotsPerVenue + 1 });
});

describe('a file', () => {
  it('follows each hour, with every book and without a gap', async () => {
    const books = [rig.openBook(), rig.openBook()];
    for (const [at, book] of books.entries()) {
      rig.write(book, [[BID, 4_000, 10]], true);
      rig.list(`KX-${at}`, book);
    }
    rig.follow();
    rig.now += HOUR_MS;
    rig.write(books[0]!, [[BID, 4_100, 1]]);
    rig.follow();
    rig.write(books[0]!, [[BID, 4_200, 1]]);
    rig.follow();
    const events = await rig.recorded();
    expect(fileCount()).toBe(2);
    expect(kinds(events)).toEqual([
      ...['KX-0 START', 'KX-0 book', 'KX-1 START', 'KX-1 book', 'KX-0 changes'],
      ...['KX-0 book', 'KX-1 book', 'KX-0 changes'],
    ]);
    expect(openRecording(rig.folder).files.map(file => file.contents().isClosed)).toEqual([true, true]);
  });

  it('that is full is followed by another within its hour', async () => {
    await rig.recorder.close();
    rig.recorder = rig.record({ recordingFileBytesMax: 4_000 });
    const book = rig.openBook();
    rig.write(book, [[BID, 4_000, 10]], true);
    rig.list('KX-1', book);
    for (let turn = 0; turn < 1_000; turn++) {
      rig.now += 10;
      rig.write(book, [[BID, 4_000, 11 + (turn % 2)]]);
      rig.follow();
    }
    const events = await rig.recorded();
    expect(fileCount()).toBeGreaterThan(2);
    expect(events.filter(({ kind }) => kind === 'changes')).toHaveLength(1_000);
    expect(events.filter(({ kind }) => kind === 'gap')).toHaveLength(1);
  });

  it('is the oldest that goes, beyond the bound of all files', async () => {
    await rig.recorder.close();
    rig.recorder = rig.record({ recordingBytesMax: 20_000 });
    const book = rig.openBook();
    rig.write(book, [[BID, 4_000, 10]], true);
    rig.list('KX-1', book);
    for (let hour = 0; hour < 12; hour++) {
      for (let turn = 0; turn < 300; turn++) rig.write(book, [[BID, 4_000, 11 + (turn % 2)]]);
      rig.now += HOUR_MS;
      rig.follow();
      rig.follow();
      await rig.recorder.previousFilesClosed();
    }
    await rig.recorder.close();
    const { files: left } = openRecording(rig.folder);
    const bytes = left.reduce((sum, file) => sum + file.bytes, 0);
    expect(bytes).toBeLessThan(20_000 + left.at(-1)!.bytes + left.at(-2)!.bytes);
    expect(left.length).toBeLessThan(12);
    expect(left.at(-1)!.number).toBeGreaterThan(10);
  });
});

describe('the recording ends', () => {
  const inUse = (): BookId => {
    const book = rig.openBook();
    rig.write(book, [[BID, 4_000, 10]], true);
    rig.list('KX-1', book);
    rig.follow();
    return book;
  };

  it('when its disk has too little room for what else is there, and what is written stays readable', () => {
    inUse();
    rig.recorder.abandon();
    rig.recorder = rig.record({ diskFreeBytesMin: 1_000 });
    inUse();
    rig.now += 2_000;
    rig.free = 999;
    expect(() => rig.recorder.turn()).toThrow(/its disk has 999 bytes left, fewer than 1000 \(diskFreeBytesMin\)/);
    rig.recorder.abandon();
    expect(kinds([...openRecording(rig.folder).events()]).slice(-3)).toEqual(['KX-1 START', 'KX-1 book', 'KX-1 CUT']);
  });

  it('when a file cannot be written: a torn block is cut off', () => {
    const book = inUse();
    rig.now += 1_000;
    rig.follow();
    rig.files.failing.add('append');
    rig.files.appendedBytes = 7;
    rig.write(book, [[BID, 4_100, 10]]);
    rig.now += 1_000;
    expect(() => rig.follow()).toThrow(StoreError);
    rig.recorder.abandon();
    const faults: string[] = [];
    const events = [...openRecording(rig.folder).events(({ words }) => faults.push(words))];
    expect(kinds(events)).toEqual(['KX-1 START', 'KX-1 book', 'KX-1 CUT']);
    expect(faults).toEqual([expect.stringContaining('the file was not closed')]);
  });

  it('at once if there is no room at its start, and leaves no book behind', () => {
    rig.recorder.abandon();
    rig.free = 5;
    expect(() => rig.record({ diskFreeBytesMin: 6 })).toThrow(StoreError);
  });
});
