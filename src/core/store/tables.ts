// Tables are ranges of one key space. A key begins with a byte of twice the table's number, then comes the key within the table. All tables
// share one tree, so that a transaction over several tables changes few pages. Pure.

import { limits } from '../../limits.ts';
import type { KeyRange, KeyValue } from './lmdb.ts';
import type { ByteWriter } from './orders/bytes.ts';
import { StoreError } from './store-error.ts';

/** The names of all tables and their numbers, 1 to 126. A number never changes, since every key on disk contains the number. */
export type Tables<Name extends string> = Readonly<Record<Name, number>>;

export interface Row {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A range of a table, by keys compared byte by byte. A missing bound means the end of the table. */
interface RowRange {
  readonly gte?: Uint8Array;
  readonly lt?: Uint8Array;
  /** Whether the range is read from the last row to the first. */
  readonly reverse?: boolean;
  readonly limit: number;
}

/**
 * The reads of tables. All methods throw a StoreError if the disk or the files are at fault. Callers must not change the returned bytes.
 */
export interface Reader<Table extends string> {
  get(table: Table, key: Uint8Array): Uint8Array | undefined;
  range(table: Table, range: RowRange): Row[];
}

/**
 * A transaction, whose reads see its own writes. A row is written to buffers that the next row uses again. The key goes to the writer that
 * `key` returns, then the value to the writer that `value` returns.
 */
export interface Transaction<Table extends string> extends Reader<Table> {
  /** Begins a row. */
  key(table: Table): ByteWriter;
  /** Ends the row's key. */
  value(): ByteWriter;
  /** Ends the row's value, and puts the row. */
  write(): void;
  /** Ends the row's key, and removes the row. A missing row is fine. */
  erase(): void;
  /** Ends the row's key, and returns the row's value. */
  found(): Uint8Array | undefined;
  put(table: Table, key: Uint8Array, value: Uint8Array): void;
  delete(table: Table, key: Uint8Array): void;
}

/** Returns the key of a row in the one tree. */
export function stateKey(table: number, key: Uint8Array): Uint8Array {
  refuseLongKey(key.length);
  const whole = Buffer.allocUnsafe(1 + key.length);
  whole[0] = 2 * table;
  whole.set(key, 1);
  return whole;
}

/** Throws a StoreError if a key has too many bytes. The table's number does not count. */
export function refuseLongKey(bytes: number): void {
  if (bytes > limits.storeKeyBytesMax)
    throw new StoreError(`store: a key of ${bytes} bytes exceeds storeKeyBytesMax (${limits.storeKeyBytesMax})`);
}

export function stateRange(table: number, { gte, lt, reverse = false, limit }: RowRange): KeyRange {
  if (limit > limits.storeRangeRowsMax) {
    throw new StoreError(`store: ${limit} rows of a range exceed storeRangeRowsMax (${limits.storeRangeRowsMax})`);
  }
  return {
    gte: gte === undefined ? Uint8Array.of(2 * table) : stateKey(table, gte),
    lt: lt === undefined ? Uint8Array.of(2 * table + 1) : stateKey(table, lt),
    reverse,
    limit,
  };
}

export function rowOf({ key, value }: KeyValue): Row {
  return { key: key.subarray(1), value };
}
