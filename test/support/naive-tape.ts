// A tape as an array: the naive twin of market-data/book/tape-writer.ts together with market-data/book/tape-reader.ts. It never forgets a record;
// the test decides from `backlog` whether the real reader was right to say that it had been lapped.

import type { TapeReader } from '../../src/market-data/book/tape-reader.ts';
import { RECORD_CHANGE, RECORD_RESET, RECORD_STATE } from '../../src/market-data/book/tape-reader.ts';

/** What a reader sees of one record, in one comparable line. */
type TapeLine = string;

export class NaiveTape {
  #records: { line: TapeLine; slots: number }[] = [];
  #read = 0;
  /** Slots between the reader and the writer. */
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

  /** The reader gave up on what it had not read. */
  skip(): void {
    this.#read = this.#records.length;
    this.backlog = 0;
  }
}

export function changeLine(book: number, side: number, price: number, size: number): TapeLine {
  return `change ${book} ${side} ${price} ${size}`;
}

export function commitLine(change: TapeLine, epoch: number, seq: number, checksums: readonly number[]): TapeLine {
  return `${change} commit ${epoch} ${seq} ${checksums.join(' ')}`;
}

export function resetLine(book: number, epoch: number): TapeLine {
  return `reset ${book} ${epoch}`;
}

export function stateLine(book: number, stateCode: number, reasonCode: number): TapeLine {
  return `state ${book} ${stateCode} ${reasonCode}`;
}

export function tradeLine(
  book: number,
  view: number,
  price: number,
  size: number,
  takerSide: number,
  tradeId: string,
): TapeLine {
  return `trade ${book} ${view} ${price} ${size} ${takerSide} ${tradeId}`;
}

/** The record that the reader has just read; of a trade, its id too. Null if the id was overwritten. */
export function lineOfRecord(reader: TapeReader): TapeLine | null {
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
