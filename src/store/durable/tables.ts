// Tables are ranges of one key space: a byte of twice the table's number, then the key. One tree, so that a transaction over
// several tables changes few pages; and what is done with them. Pure.

import { limits } from '../../limits.ts';
import type { KeyRange, KeyValue, UnsyncedEnvironment } from '../lmdb.ts';
import { StoreError } from '../store-error.ts';

/**
 * Names and numbers, 1 to 126, of all tables. A number is for ever: it is in every key on disk. Number 1 should be a table
 * whose keys grow.
 */
export type Tables<Name extends string> = Readonly<Record<Name, number>>;

const NUMBER_MAX = 126;

export interface Row {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A part of a table in the order of its keys, which are compared byte by byte. Without bounds, from end to end. */
export interface RowRange {
  readonly gte?: Uint8Array;
  readonly lt?: Uint8Array;
  /** The last one first. */
  readonly reverse?: boolean;
  readonly limit: number;
}

/** All methods throw a StoreError when the disk or the files are at fault. What they return belongs to the store: nobody changes its bytes. */
export interface Reader<Table extends string> {
  get(table: Table, key: Uint8Array): Uint8Array | undefined;
  range(table: Table, range: RowRange): Row[];
}

/** Reads what it has written. */
export interface Transaction<Table extends string> extends Reader<Table> {
  /** The bytes of `value` are the store's from then on: nobody changes them. */
  put(table: Table, key: Uint8Array, value: Uint8Array): void;
  /** Nothing there is fine. */
  delete(table: Table, key: Uint8Array): void;
}

export function checkTables(tables: Tables<string>): void {
  const numbers = Object.values(tables);
  const isFit = (number: number) => Number.isInteger(number) && number > 0 && number <= NUMBER_MAX;
  if (numbers.every(isFit) && new Set(numbers).size === numbers.length) return;
  throw new StoreError(`store: tables must have different numbers from 1 to ${NUMBER_MAX}`);
}

/** The table of a row of the state; null for the store's own. */
export function tableOf({ key }: KeyValue): number | null {
  const byte = key[0]!;
  return byte % 2 === 0 ? byte / 2 : null;
}

/** The key of a row in the state. */
export function stateKey(table: number, key: Uint8Array): Uint8Array {
  if (key.length > limits.storeKeyBytesMax) {
    throw new StoreError(`store: a key of ${key.length} bytes exceeds storeKeyBytesMax (${limits.storeKeyBytesMax})`);
  }
  const whole = Buffer.allocUnsafe(1 + key.length);
  whole[0] = 2 * table;
  whole.set(key, 1);
  return whole;
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

/** The tables of a state as it is, without what the journal has beyond it. */
export function readerOf<Table extends string>(
  state: Pick<UnsyncedEnvironment, 'get' | 'range'>,
  tables: Tables<Table>,
): Reader<Table> {
  return {
    get: (table, key) => state.get(stateKey(tables[table], key)),
    range: (table, range) => state.range(stateRange(tables[table], range)).map(rowOf),
  };
}

export function rowOf({ key, value }: KeyValue): Row {
  return { key: key.subarray(1), value };
}
