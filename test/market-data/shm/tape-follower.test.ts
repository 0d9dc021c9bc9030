// The shared file after each change, against the books themselves: a writer, its tape, and the file in this process’s memory.

import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ASK,
  BID,
  type BookId,
  COMPLEMENT,
  PRIMARY,
  type Side,
  TAKER_BUY,
  type View,
} from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { limits } from '../../../src/limits.ts';
import { BookIndexWriter } from '../../../src/market-data/book/book-index-writer.ts';
import { type Arena, createArena, indexOf, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookCopy, BookReader } from '../../../src/market-data/book/reader.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import {
  FILE_BYTES,
  HEADER,
  MARKETS_MAX,
  RECORD_BYTES,
  RING_OFFSET,
  RING_SLOTS,
} from '../../../src/market-data/shm/layout.ts';
import { MarketFile, TapeFollower } from '../../../src/market-data/shm/market-file.ts';
import { SharedFileView, type ViewedRecord } from '../../support/shared-file-view.ts';

const CENT = 100 as Ticks;
const [LIVE, RESYNCING] = [1, 0];
const [CHANGE, RESET, STATE, TRADE, MISSED, LISTED, UNLISTED] = [1, 2, 3, 4, 5, 6, 7];

let arena: Arena;
let writer: BookWriter;
let index: BookIndexWriter;
let view: SharedFileView;
let file: MarketFile;
let follower: TapeFollower;

/** Returns the header as createSharedFile leaves it, with the fields that these tests read. */
function emptyFile(): ArrayBuffer {
  const memory = new ArrayBuffer(FILE_BYTES);
  const header = new DataView(memory);
  const offsets = {
    symbolsOffset: 4_096n,
    booksOffset: BigInt(4_096 + MARKETS_MAX * 192),
    ringOffset: BigInt(RING_OFFSET),
  };
  for (const [name, offset] of Object.entries(offsets)) header.setBigUint64(HEADER[name as 'ringOffset'], offset, true);
  for (const [name, count] of Object.entries({
    symbolBytes: 192,
    bookBytes: 320,
    ringSlotBytes: RECORD_BYTES,
    ringSlots: RING_SLOTS,
  })) {
    header.setUint32(HEADER[name as 'ringSlots'], count, true);
  }
  return memory;
}

beforeEach(() => {
  arena = createArena();
  writer = new BookWriter(regionOf(arena, 'venue_b'), () => {});
  writer.receivedAt = 7 as UnixMillis;
  index = new BookIndexWriter(indexOf(arena));
  const memory = emptyFile();
  view = new SharedFileView(memory);
  file = new MarketFile(memory);
  follower = new TapeFollower('venue_b', arena, file);
});

function openBook(): BookId {
  const book = writer.openBook(CENT)!;
  writer.setViews(book, true, true);
  return book;
}

function list(address: string, book: BookId, of: View = PRIMARY) {
  index.put('venue_b', address, { book, view: of });
  return follower.list(address, { book, view: of });
}

function write(book: BookId, levels: readonly (readonly [Side, number, number])[], isSnapshot = false): boolean {
  writer.begin(book);
  if (isSnapshot) writer.clear(book);
  for (const [side, price, size] of levels) writer.set(book, side, price as Ticks, size as MicroShares);
  return isSnapshot ? writer.commitSnapshot(book, 5 as UnixMillis) : writer.commit(book, 6 as UnixMillis);
}

const symbolOf = (address: string) => view.symbols().get(`venue_b ${address}`);
const kinds = (records: readonly ViewedRecord[]) => records.map(({ kind }) => kind);

function expectTrueBook(address: string, book: BookId, of: View): void {
  const copy = new BookCopy(10);
  new BookReader(regionOf(arena, 'venue_b')).read(book, of, copy);
  const side = ({ count, prices, sizes }: BookCopy['bids']) =>
    Array.from({ length: count }, (_, at) => [prices[at], sizes[at]]);
  const { stamp, symbol } = symbolOf(address)!;
  const { epoch, seq, checksum, lastTrade } = copy;
  expect(view.book(symbol)).toEqual({
    ...{ stamp, epoch, seq, checksum, lastTrade, bids: side(copy.bids), asks: side(copy.asks) },
    state: copy.state === 'LIVE' ? LIVE : RESYNCING,
  });
}

describe('a market', () => {
  it('is listed with its book, changes, and leaves', () => {
    const book = openBook();
    write(
      book,
      [
        [BID, 4_000, 10],
        [ASK, 6_000, 20],
      ],
      true,
    );
    expect(list('KX-1', book)).toBe('listed');
    expectTrueBook('KX-1', book, PRIMARY);
    follower.follow();
    const before = view.header('ringHead');
    write(book, [
      [BID, 4_100, 2 ** 40],
      [ASK, 6_000, 0],
    ]);
    expect(follower.follow()).toBe(true);
    expect(follower.follow()).toBe(false);
    expectTrueBook('KX-1', book, PRIMARY);
    const { symbol, stamp } = symbolOf('KX-1')!;
    const { checksum, epoch, seq } = view.book(symbol);
    const common = { kind: CHANGE, symbol, stamp };
    expect(view.records(before)).toMatchObject([
      { ...common, sequence: before + 1, code: BID, price: 4_100, size: 2 ** 40, isLast: 0 },
      {
        ...common,
        sequence: before + 2,
        code: ASK,
        price: 6_000,
        size: 0,
        isLast: 1,
        checksum,
        epoch,
        seq,
        venueTime: 6,
        receivedAt: 7,
      },
    ]);
    follower.unlist('KX-1');
    expect(symbolOf('KX-1')).toBeUndefined();
    expect(view.book(symbol).stamp).toBe(0);
    expect(kinds(view.records(before + 2))).toEqual([UNLISTED]);
  });

  it('has states, resets, trades and what was missed of them in the ring, mirrored for the other view', () => {
    const book = openBook();
    write(book, [[BID, 4_000, 10]], true);
    list('YES', book);
    list('NO', book, COMPLEMENT);
    follower.follow();
    const before = view.header('ringHead');
    write(book, [[BID, 3_900, 5]]);
    writer.trade(
      book,
      PRIMARY,
      4_000 as Ticks,
      3 as MicroShares,
      TAKER_BUY,
      8 as UnixMillis,
      'x'.repeat(limits.tradeIdBytesMax),
    );
    writer.tradesMissed(book);
    write(book, [[BID, 3_000, 1]], true);
    writer.setState(book, 'RESYNCING', 'SEQUENCE_GAP');
    follower.follow();
    const records = view.records(before);
    expect(kinds(records)).toEqual([CHANGE, CHANGE, TRADE, TRADE, MISSED, MISSED, RESET, RESET, STATE, STATE]);
    expect(records[1]).toMatchObject({ code: ASK, price: 6_100, size: 5 });
    const trade = { size: 3, venueTime: 8, receivedAt: 7, id: 'x'.repeat(limits.tradeIdBytesMax) };
    expect(records.slice(2, 4)).toMatchObject([
      { ...trade, price: 4_000, code: 1 },
      { ...trade, price: 6_000, code: 2 },
    ]);
    expect(records[8]).toMatchObject({ code: RESYNCING, reason: 5 });
    for (const [address, face] of [
      ['YES', PRIMARY],
      ['NO', COMPLEMENT],
    ] as const)
      expectTrueBook(address, book, face);
  });

  it('never shows the book of the market that has its place next', () => {
    const book = openBook();
    write(book, [[BID, 4_000, 10]], true);
    list('OLD', book);
    follower.follow();
    const { symbol } = symbolOf('OLD')!;
    const shown = view.book(symbol);
    const before = view.header('ringHead');
    // The main thread and the feed do this before the file's thread hears of it.
    index.remove('venue_b', 'OLD');
    writer.releaseBook(book);
    expect(openBook()).toBe(book);
    index.put('venue_b', 'NEW', { book, view: PRIMARY });
    write(book, [[BID, 2_000, 10]], true);
    write(book, [[BID, 2_100, 10]]);
    follower.follow();
    expect(view.book(symbol)).toEqual(shown);
    expect(view.header('ringHead')).toBe(before);
    follower.unlist('OLD');
    expect(follower.list('NEW', { book, view: PRIMARY })).toBe('listed');
    expectTrueBook('NEW', book, PRIMARY);
    expect(symbolOf('NEW')!.stamp).not.toBe(shown.stamp);
  });

  it('is not listed once its feed has dropped it', () => {
    const book = openBook();
    expect(follower.list('KX-1', { book, view: PRIMARY })).toBe('gone');
    expect(view.symbols().size).toBe(0);
  });

  it('finds no place in a full table, and one after another has left', () => {
    const book = openBook();
    for (let market = 0; market < MARKETS_MAX; market++) {
      index.put('venue_b', `KX-${market}`, { book, view: PRIMARY });
      expect(follower.list(`KX-${market}`, { book, view: PRIMARY })).toBe('listed');
    }
    expect(list('ONE-MORE', book)).toBe('full');
    follower.unlist('KX-77');
    expect(list('ONE-MORE', book)).toBe('listed');
    expect(symbolOf('ONE-MORE')!.symbol).toBe(77);
  });
});

it('a follower that was lapped says so to every market, and shows the books as they are', () => {
  const [first, second] = [openBook(), openBook()];
  for (const book of [first, second]) write(book, [[BID, 4_000, 10]], true);
  list('FIRST', first);
  list('SECOND', second);
  follower.follow();
  const before = view.header('ringHead');
  for (let turn = 0; turn < limits.tapeSlotsPerVenue; turn++) write(first, [[BID, 4_000, 11 + (turn % 2)]]);
  follower.follow();
  expect(follower.laps).toBe(1);
  expect(kinds(view.records(before))).toEqual([RESET, MISSED, RESET, MISSED]);
  for (const [address, book] of [
    ['FIRST', first],
    ['SECOND', second],
  ] as const)
    expectTrueBook(address, book, PRIMARY);
});

it('a ring that wraps has the newest records', () => {
  const book = openBook();
  write(book, [[BID, 4_000, 10]], true);
  list('KX-1', book);
  for (let turn = 0; turn < RING_SLOTS + 9; turn++) {
    write(book, [[BID, 4_000, 11 + (turn % 2)]]);
    if (turn % 1_000 === 0) follower.follow();
  }
  follower.follow();
  const head = view.header('ringHead');
  const records = view.records(head - RING_SLOTS);
  expect(records.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: RING_SLOTS }, (_, at) => head - RING_SLOTS + 1 + at),
  );
  expect(new Set(kinds(records))).toEqual(new Set([CHANGE]));
});

it('after any batches the file has every book as it is, and the ring the changes that lead there', () => {
  const level = fc.tuple(
    fc.constantFrom<Side>(BID, ASK),
    fc.integer({ min: 1, max: 24 }),
    fc.integer({ min: 0, max: 3 }),
  );
  const batch = fc.record({
    at: fc.nat(2),
    levels: fc.array(level, { minLength: 1, maxLength: 6 }),
    isSnapshot: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 60 }), fc.nat(4), (batches, rest) => {
      arena = createArena();
      writer = new BookWriter(regionOf(arena, 'venue_b'), () => {});
      index = new BookIndexWriter(indexOf(arena));
      const memory = emptyFile();
      view = new SharedFileView(memory);
      follower = new TapeFollower('venue_b', arena, new MarketFile(memory));
      const books = [0, 1, 2].map(openBook);
      for (const [at, book] of books.entries())
        for (const face of [PRIMARY, COMPLEMENT] as const) list(`${at} ${face}`, book, face);
      const folded = new Map<number, Map<string, number>>();
      for (const [turn, { at, levels, isSnapshot }] of batches.entries()) {
        const book = books[at]!;
        write(
          book,
          levels.map(([side, cents, size]) => [side, side === BID ? 2_500 - cents * 100 : 2_500 + cents * 100, size]),
          isSnapshot,
        );
        if (turn % (rest + 1) === 0) follower.follow();
      }
      follower.follow();
      for (const [at, book] of books.entries())
        for (const face of [PRIMARY, COMPLEMENT] as const) expectTrueBook(`${at} ${face}`, book, face);
      for (const { kind, symbol, code, price, size } of view.records()) {
        if (kind === RESET || kind === LISTED) folded.delete(symbol!);
        if (kind === CHANGE) folded.set(symbol!, (folded.get(symbol!) ?? new Map()).set(`${code} ${price}`, size!));
      }
      // If the last epoch of a book began empty, its changes make up the whole book. The levels that they name are right.
      for (const [symbol, changes] of folded) {
        const { bids, asks } = view.book(symbol);
        const shown = new Map<string, number>([
          ...bids.map(it => [`0 ${it[0]}`, it[1]] as const),
          ...asks.map(it => [`1 ${it[0]}`, it[1]] as const),
        ]);
        const deepest = { 0: bids.length < 10 ? 0 : bids.at(-1)![0], 1: asks.length < 10 ? 10_000 : asks.at(-1)![0] };
        for (const [place, size] of changes) {
          const [side, price] = place.split(' ').map(Number) as [0 | 1, number];
          const isShown = side === 0 ? price >= deepest[0] : price <= deepest[1];
          if (isShown) expect(shown.get(place) ?? 0).toBe(size);
        }
      }
    }),
    { numRuns: 60 },
  );
});
