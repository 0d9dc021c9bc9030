// The tape against an array, through many rounds of the ring. A reader gets the written records, in order. A lapped reader reports this and returns
// nothing wrong. A sleeping reader is woken once.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOOK_STATES, STATE_REASONS, TAKER_SELL } from '../../../src/core/domain/market.ts';
import { limits } from '../../../src/limits.ts';
import {
  CONTROL_PUBLISHED,
  H_CHECKSUM,
  HF_EPOCH,
  HF_RECEIVED_AT,
  HF_SEQ,
  HF_VENUE_TIME,
  headerOf,
} from '../../../src/market-data/book/layout.ts';
import { createArena, regionOf } from '../../../src/market-data/book/memory.ts';
import {
  RECORD_CHANGE,
  RECORD_RESET,
  RECORD_STATE,
  TAPE_EMPTY,
  TAPE_LAPPED,
  TAPE_RECORD,
  TapeReader,
} from '../../../src/market-data/book/tape-reader.ts';
import { TapeWriter } from '../../../src/market-data/book/tape-writer.ts';

type Op =
  | { do: 'changes'; count: number }
  | { do: 'discard'; count: number }
  | { do: 'reset' }
  | { do: 'state' }
  | { do: 'trade'; id: string }
  | { do: 'flood'; batches: number }
  | { do: 'read'; count: number }
  | { do: 'sleep' };

const tradeId = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)),
  maxLength: 64,
});
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('changes' as const), count: fc.integer({ min: 1, max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('changes' as const, 'discard' as const),
      count: fc.integer({ min: 1, max: limits.changesPerBatchMax }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'reset' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'state' as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('trade' as const), id: tradeId }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('flood' as const), batches: fc.integer({ min: 50, max: 400 }) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('read' as const), count: fc.integer({ min: 1, max: 40_000 }) }) },
  { weight: 2, arbitrary: fc.constant({ do: 'sleep' as const }) },
);
/** Start positions, which count up to 2^31: near the end, around the ring's own end, and anywhere. */
const position = fc.oneof(
  fc.integer({ min: 0x7fff_ffff - 1_000, max: 0x7fff_ffff }),
  fc.integer({ min: limits.tapeSlotsPerVenue - 300, max: limits.tapeSlotsPerVenue }),
  fc.integer({ min: 0, max: 0x7fff_ffff }),
);

const region = regionOf(createArena(), 'venue_b');

describe('the tape', () => {
  it('is a queue, or reports that it has lapped its reader', () => {
    fc.assert(
      fc.property(position, fc.array(op, { maxLength: 60 }), (start, ops) => {
        const tapes = new TapePair(start);
        for (const next of ops) tapes.run(next);
        tapes.read(Number.POSITIVE_INFINITY);
      }),
      { numRuns: 60 },
    );
  });

  it('laps a reader that falls a whole ring behind, and only then', () => {
    const tapes = new TapePair(0);
    const reach = limits.changesPerBatchMax + 1;
    for (let slot = 0; slot < limits.tapeSlotsPerVenue - reach; slot++) tapes.run({ do: 'reset' });
    tapes.read(1);
    expect(tapes.laps).toBe(0);
    tapes.run({ do: 'reset' });
    tapes.run({ do: 'reset' });
    tapes.read(1);
    expect(tapes.laps).toBe(1);
    tapes.run({ do: 'trade', id: 'first-after' });
    tapes.read(1);
    expect(tapes.laps).toBe(1);
  });
});

it('a trade’s id is cut at tradeIdBytesMax, and does not run into the next record', () => {
  region.i32[CONTROL_PUBLISHED] = 0;
  const [writer, reader] = [new TapeWriter(region, () => {}), new TapeReader(region)];
  const id = 'x'.repeat(limits.tradeIdBytesMax);
  writer.trade(0, 0, 4_200, 1, TAKER_SELL, 8, 9, `${id}beyond`);
  writer.trade(0, 0, 4_200, 2, TAKER_SELL, 8, 9, 'y');
  const lines = [1, 2].map(() => (reader.read() === TAPE_RECORD ? lineOfRecord(reader) : null));
  expect(lines).toEqual([id, 'y'].map((expected, index) => tradeLine(0, 0, 4_200, index + 1, TAKER_SELL, expected)));
});

/** The tape and its twin in one thread: writes to both, reads from both, compares. */
class TapePair {
  laps = 0;
  readonly #twin = new NaiveTape();
  readonly #writer: TapeWriter;
  readonly #reader: TapeReader;
  #rings = 0;
  #ringsExpected = 0;
  #isAsleep = false;
  #serial = 0;

  constructor(start: number) {
    region.i32[CONTROL_PUBLISHED] = start << 1;
    this.#writer = new TapeWriter(region, () => {
      this.#rings += 1;
    });
    this.#reader = new TapeReader(region);
  }

  run(op: Op): void {
    if (op.do === 'read') this.read(op.count);
    else if (op.do === 'sleep') this.#sleep();
    else this.#write(op);
  }

  /** Reads up to `count` records from the tape and from the twin. */
  read(count: number): void {
    for (let index = 0; index < count; index++) {
      const found = this.#reader.read();
      if (found === TAPE_EMPTY) {
        expect(this.#twin.backlog).toBe(0);
        return;
      }
      const line = found === TAPE_RECORD ? lineOfRecord(this.#reader) : null;
      if (line === null) this.#lapped(found);
      else if (line !== this.#twin.next()) expect.fail(`read ${line}, which was not next`);
    }
  }

  /** Checks that the reader was nearly a ring behind. A reader that is a whole ring behind must report that it was lapped. */
  #lapped(found: number): void {
    const reach = limits.changesPerBatchMax + 1;
    // A trade's first slot may be intact when its id is already overwritten. The reader learns this one read later.
    if (found === TAPE_RECORD) expect(this.#reader.read()).toBe(TAPE_LAPPED);
    expect(this.#twin.backlog).toBeGreaterThan(limits.tapeSlotsPerVenue - reach);
    this.#twin.skip();
    this.laps += 1;
  }

  #sleep(): void {
    expect(this.#reader.sleep()).toBe(this.#twin.backlog === 0);
    this.#isAsleep = true;
  }

  #write(op: Op): void {
    if (op.do === 'flood') {
      for (let batch = 0; batch < op.batches; batch++) this.#write({ do: 'changes', count: limits.changesPerBatchMax });
      return;
    }
    this.#serial += 1;
    const book = this.#serial % limits.booksPerVenueMax;
    this.#fillHeader(book);
    if (op.do === 'changes' || op.do === 'discard') this.#changes(book, op.count, op.do === 'discard');
    else if (op.do === 'reset') {
      this.#writer.reset(book);
      this.#published(resetLine(book, this.#serial + 0.5));
    } else if (op.do === 'state') {
      const [state, reason] = [this.#serial % BOOK_STATES.length, this.#serial % STATE_REASONS.length];
      this.#writer.state(book, BOOK_STATES[state]!, STATE_REASONS[reason]!);
      this.#published(stateLine(book, state, reason));
    } else if (op.do === 'trade') {
      this.#writer.trade(book, 1, 4_200, this.#serial, TAKER_SELL, 8, 9, op.id);
      this.#published(tradeLine(book, 1, 4_200, this.#serial, TAKER_SELL, op.id), 2);
    }
  }

  #changes(book: number, count: number, isDiscarded: boolean): void {
    const lines: string[] = [];
    for (let index = 0; index < count; index++) {
      const [side, price, size] = [index & 1, (this.#serial + index) % 10_000, this.#serial * 1_000 + index];
      this.#writer.change(book, side, price, size);
      lines.push(changeLine(book, side, price, size));
    }
    expect(this.#writer.pendingChanges).toBe(count);
    if (isDiscarded) {
      this.#writer.discardChanges();
      return;
    }
    this.#writer.commitChanges(book);
    for (const line of lines.slice(0, -1)) this.#twin.publish(line);
    this.#published(
      commitLine(lines.at(-1)!, this.#serial + 0.5, this.#serial, [this.#serial >>> 0, ~this.#serial >>> 0]),
    );
  }

  /** Fills in the book's header, from which the tape takes the common fields of all changes of a batch. */
  #fillHeader(book: number): void {
    const header = headerOf(book);
    const doubles = header / 2;
    region.i32[header + H_CHECKSUM] = this.#serial;
    region.i32[header + H_CHECKSUM + 1] = ~this.#serial;
    region.f64[doubles + HF_EPOCH] = this.#serial + 0.5;
    region.f64[doubles + HF_SEQ] = this.#serial;
    region.f64[doubles + HF_VENUE_TIME] = 8;
    region.f64[doubles + HF_RECEIVED_AT] = 9;
  }

  /** Checks a publication: it wakes a sleeping reader, and leaves a reader that is awake alone. */
  #published(line: string, slots = 1): void {
    this.#twin.publish(line, slots);
    if (this.#isAsleep) this.#ringsExpected += 1;
    this.#isAsleep = false;
    if (this.#rings !== this.#ringsExpected) expect.fail(`rang ${this.#rings} times instead of ${this.#ringsExpected}`);
  }
}

// A tape as an array: the naive twin of market-data/book/tape-writer.ts together with market-data/book/tape-reader.ts. It never forgets a record;
// the test decides from `backlog` whether the real reader was right to say that it had been lapped.

/** A reader's view of one record, as a line for comparison. */
type TapeLine = string;

class NaiveTape {
  #records: { line: TapeLine; slots: number }[] = [];
  #read = 0;
  /** The number of slots between the reader and the writer. */
  backlog = 0;

  publish(line: TapeLine, slots = 1): void {
    this.#records.push({ line, slots });
    this.backlog += slots;
  }

  next(): TapeLine | null {
    const record = this.#records[this.#read];
    if (record === undefined) return null;
    this.#read += 1;
    this.backlog -= record.slots;
    return record.line;
  }

  /** The reader gave up the records that it had not read. */
  skip(): void {
    this.#read = this.#records.length;
    this.backlog = 0;
  }
}

function changeLine(book: number, side: number, price: number, size: number): TapeLine {
  return `change ${book} ${side} ${price} ${size}`;
}

function commitLine(change: TapeLine, epoch: number, seq: number, checksums: readonly number[]): TapeLine {
  return `${change} commit ${epoch} ${seq} ${checksums.join(' ')}`;
}

function resetLine(book: number, epoch: number): TapeLine {
  return `reset ${book} ${epoch}`;
}

function stateLine(book: number, stateCode: number, reasonCode: number): TapeLine {
  return `state ${book} ${stateCode} ${reasonCode}`;
}

function tradeLine(
  book: number,
  view: number,
  price: number,
  size: number,
  takerSide: number,
  tradeId: string,
): TapeLine {
  return `trade ${book} ${view} ${price} ${size} ${takerSide} ${tradeId}`;
}

/** Returns the record that the reader has just read; for a trade, with its id. Null means that the id was overwritten. */
function lineOfRecord(reader: TapeReader): TapeLine | null {
  const { book, side, price, size } = reader;
  if (reader.kind === RECORD_CHANGE) {
    const change = changeLine(book, side, price, size);
    const { checksum, complementChecksum } = reader;
    return reader.isCommit ? commitLine(change, reader.epoch, reader.seq, [checksum, complementChecksum]) : change;
  }
  if (reader.kind === RECORD_RESET) return resetLine(book, reader.epoch);
  if (reader.kind === RECORD_STATE) return stateLine(book, reader.stateCode, reader.reasonCode);
  const tradeId = reader.readTradeId();
  return tradeId === null ? null : tradeLine(book, reader.view, price, size, reader.takerSide, tradeId);
}
