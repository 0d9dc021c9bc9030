// The only importer of the LMDB package: bytes in a folder that several processes and threads may have open at once. Every transaction is
// on disk before it returns. An Environment has few entries, by name. A RowEnvironment may have millions of rows, and its reader can hold a
// read snapshot.

import { chmodSync, closeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { RangeOptions, RootDatabase } from 'lmdb';
import { wordsOf } from '../domain/error-words.ts';
import { AssertionFailure } from '../domain/result.ts';
import { endNativeLine } from '../runtime/log.ts';
import {
  DATA_NAME,
  dataFileIn,
  isSameFile,
  isWholeDataFile,
  keepRoom,
  openDataFile,
  PAGE_BYTES,
  prepareLmdbFolder,
  showLastCommit,
} from './lmdb-files.ts';
import { StoreError } from './store-error.ts';

// The package is CommonJS: for an `import`, each thread would first search its text for names (docs/PERFORMANCE.md, Starting).
const { open } = createRequire(import.meta.url)('lmdb') as typeof import('lmdb');

export interface Entry {
  readonly key: string;
  readonly value: Uint8Array;
}

interface Transaction {
  entries(): Entry[];
  put(key: string, value: Uint8Array): void;
  remove(key: string): void;
}

/** A folder with few entries. All methods throw a StoreError if the disk or the files are at fault. */
interface Environment {
  get(key: string): Uint8Array | undefined;
  /** Returns all entries of one read snapshot, sorted by key. */
  entries(): Entry[];
  /**
   * Runs a transaction. Waits for other writers, then for the disk; never call this on a thread that serves requests. If `work` throws, the
   * transaction is undone.
   */
  transact<T>(work: (transaction: Transaction) => T): T;
  close(): Promise<void>;
}

/** A range of keys, compared byte by byte. */
export interface KeyRange {
  /** The first key of the range. */
  readonly gte: Uint8Array;
  /** The end of the range, just beyond the last key. */
  readonly lt: Uint8Array;
  /** Whether the range is read from the last key to the first. */
  readonly reverse: boolean;
  readonly limit: number;
}

export interface KeyValue {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A folder with many rows. Keys have 1 to 1 978 bytes. All methods throw a StoreError if the disk or the files are at fault. */
export interface RowEnvironment {
  /** Starts a read snapshot of the latest commit of any process. The snapshot lasts until the next call of `refresh` or `release`. */
  refresh(): void;
  /** Ends the read snapshot: while a snapshot is open, LMDB cannot reuse its pages. Later reads see the latest commit. */
  release(): void;
  /** Returns the value of a key. In a transaction, reads see the transaction's own writes. */
  get(key: Uint8Array): Uint8Array | undefined;
  range(range: KeyRange): KeyValue[];
  /** Writes a row. Call this in a transaction only. */
  put(key: Uint8Array, value: Uint8Array): void;
  remove(key: Uint8Array): void;
  /**
   * Runs a transaction. Waits for other writers. If `work` throws, the transaction is undone, and the error is rethrown. Ends the read
   * snapshot.
   */
  transact(work: () => void): void;
  /**
   * Grows as a transaction begins, if others may have written since the last transaction that succeeded here. The same number means that
   * all rows are as transactions here have left them.
   */
  readonly foreignWrites: number;
  /** Frees the pages that killed readers hold. Otherwise the file would grow with every change. */
  forgetDeadReaders(): void;
  /**
   * Whether the data file is where it was opened. If the file was removed, or moved with its folder, commits are lost or go elsewhere. Asks
   * the disk; never throws.
   */
  isThere(): boolean;
  /** Copies one read snapshot, compacted, into another folder, while others read and write. */
  copyTo(folder: string): Promise<void>;
  close(): Promise<void>;
}

type Bytes = RootDatabase<Uint8Array, Uint8Array>;

/** The error of a transaction that follows an earlier commit than the last commit. */
const BEHIND = new Error('a process that opened the folder has hidden its last commit');

class OpenedFolder {
  readonly folder: string;
  readonly database: Bytes;
  readonly #dataFile: number;
  /** The arguments of the call of `transact` in progress. */
  #work: () => unknown = () => {};
  #expected = 0;
  #isAtWork = false;

  constructor(folder: string, addressSpaceBytes: number) {
    prepareLmdbFolder(folder, addressSpaceBytes);
    this.folder = folder;
    // With `overlappingSync`, a transaction would return before its commit is on disk.
    this.database = open({ ...optionsOf(folder, addressSpaceBytes), overlappingSync: false });
    this.#dataFile = openDataFile(folder);
    // This runs even if nothing has to change: opening the folder may have hidden a commit of another process.
    this.transact(() => {
      // Reading a missing page would end the process; for an empty page LMDB reports an error.
      if (!isWholeDataFile(join(folder, DATA_NAME))) keepRoom(folder);
    });
  }

  /**
   * Runs a transaction, and rethrows the error of `work` unchanged. A transaction with the number `expected` surely follows the last
   * commit. Transactions are not nested.
   */
  transact<T>(work: () => T, expected = 0): T {
    this.#work = work;
    this.#expected = expected;
    this.#isAtWork = false;
    try {
      return this.database.transactionSync(this.#runWork) as T;
    } catch (error) {
      if (error === BEHIND) return this.transact(work);
      if (this.#isAtWork) throw error;
      endNativeLine();
      throw failureIn(this.folder, error);
    }
  }

  /** Made once, because each order is committed. */
  readonly #runWork = (): unknown => {
    const begun = this.database.getWriteTxnId();
    if (begun !== this.#expected && showLastCommit(this.folder, this.#dataFile, begun)) throw BEHIND;
    this.#isAtWork = true;
    const result = this.#work();
    this.#isAtWork = false;
    return result;
  };

  async close(): Promise<void> {
    closeSync(this.#dataFile);
    await this.database.close();
  }
}

/**
 * Opens a folder with few entries. `addressSpaceBytes` is the size to which the files may grow without a new mapping. It costs nothing
 * until used.
 */
export function openEnvironment(folder: string, addressSpaceBytes: number): Environment {
  const guarded = guardOf(folder);
  return guarded(() => {
    const opened = new OpenedFolder(folder, addressSpaceBytes);
    const { database } = opened;
    return {
      get: key =>
        guarded(() => {
          // Without this call, lmdb-js reuses the snapshot of the first read within a turn of the event loop.
          database.resetReadTxn();
          return database.get(keyBytes(key));
        }),
      entries: () =>
        guarded(() => {
          database.resetReadTxn();
          return entriesOf(database);
        }),
      transact: work =>
        opened.transact(() =>
          work({
            entries: () => guarded(() => entriesOf(database)),
            put: (key, value) => guarded(() => void database.putSync(keyBytes(key), value)),
            remove: key => guarded(() => void database.removeSync(keyBytes(key))),
          }),
        ),
      close: () => opened.close(),
    };
  });
}

/** Opens a folder with many rows. `addressSpaceBytes` is the size to which the files may grow without a new mapping. */
export function openRowEnvironment(folder: string, addressSpaceBytes: number): RowEnvironment {
  return guardOf(folder)(() => new LmdbRows(new OpenedFolder(folder, addressSpaceBytes)));
}

/** The largest number of bytes of the file that a transaction takes for a row, besides the row's value. */
const ROW_PAGES_BYTES = 2 * PAGE_BYTES;

/** The rows of a folder. The history calls `get`, `put`, `remove` and `transact` for each order, so these methods make no closure. */
class LmdbRows implements RowEnvironment {
  foreignWrites = 0;
  readonly #folder: string;
  readonly #database: Bytes;
  readonly #opened: OpenedFolder;
  readonly #identity: ReturnType<typeof dataFileIn>;
  readonly #guarded: ReturnType<typeof guardOf>;
  #held: Held | null = null;
  /** The bytes of the file that rows may take until `keepRoom` is called again. */
  #room = 0;
  /**
   * The number of the next transaction if nobody else writes until then. If others wrote meanwhile, the next transaction has another number.
   */
  #next = 0;
  /** Whether the transaction in progress has put a row. A transaction that changes nothing leaves its number to the next transaction. */
  #hasPut = false;
  /** The work of the transaction in progress. */
  #work: () => void = () => {};

  constructor(opened: OpenedFolder) {
    const { folder, database } = opened;
    this.#folder = folder;
    this.#database = database;
    this.#opened = opened;
    this.#identity = dataFileIn(folder);
    this.#guarded = guardOf(folder);
  }

  refresh(): void {
    this.release();
    this.#held = this.#guarded(() => ({ transaction: this.#database.useReadTransaction() }));
  }

  release(): void {
    if (this.#held === null) return;
    this.#held.transaction.done();
    this.#held = null;
    // Without this call, lmdb-js keeps and reuses the snapshot until the end of the current turn of the event loop.
    this.#database.resetReadTxn();
  }

  get(key: Uint8Array): Uint8Array | undefined {
    try {
      return this.#database.get(key, this.#held ?? undefined);
    } catch (error) {
      throw failureIn(this.#folder, error);
    }
  }

  range(range: KeyRange): KeyValue[] {
    return this.#guarded(() => Array.from(this.#database.getRange({ ...rangeOptions(range), ...this.#held })));
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.#room -= ROW_PAGES_BYTES + value.length;
    this.#hasPut = true;
    try {
      this.#database.putSync(key, value);
    } catch (error) {
      throw failureIn(this.#folder, error);
    }
  }

  remove(key: Uint8Array): void {
    this.#room -= ROW_PAGES_BYTES;
    try {
      this.#database.removeSync(key);
    } catch (error) {
      throw failureIn(this.#folder, error);
    }
  }

  transact(work: () => void): void {
    this.release();
    this.#work = work;
    const number = this.#opened.transact(this.#runNumbered, this.#next);
    this.#next = this.#hasPut ? number + 1 : number;
  }

  /** Runs the work of a transaction. Returns the transaction's number. */
  readonly #runNumbered = (): number => {
    const number = this.#database.getWriteTxnId();
    if (number !== this.#next) this.foreignWrites += 1;
    this.#hasPut = false;
    this.#work();
    // Without spare room, a sound file may look truncated.
    if (this.#room < 0) this.#room = keepRoom(this.#folder);
    return number;
  };

  forgetDeadReaders(): void {
    this.#guarded(() => this.#database.readerCheck());
  }

  isThere(): boolean {
    return isSameFile(this.#identity, dataFileIn(this.#folder));
  }

  async copyTo(target: string): Promise<void> {
    try {
      await this.#database.backup(target, true);
      // LMDB makes the file for all users whom the umask does not keep out.
      chmodSync(join(target, DATA_NAME), 0o600);
    } catch (error) {
      throw failureIn(target, error);
    }
  }

  close(): Promise<void> {
    this.release();
    return this.#opened.close();
  }
}

/** A read snapshot. Without a snapshot, lmdb-js starts a new snapshot, with a timer, after each turn of the event loop. */
interface Held {
  readonly transaction: ReturnType<RootDatabase['useReadTransaction']>;
}

/**
 * Returns the options of a range: lowest key first unless reversed. lmdb-js starts a reversed range at its upper end, and would include
 * this end.
 */
function rangeOptions({ gte, lt, reverse, limit }: KeyRange): RangeOptions {
  return reverse
    ? { start: lt, exclusiveStart: true, end: gte, inclusiveEnd: true, reverse, limit }
    : { start: gte, end: lt, limit };
}

function optionsOf(folder: string, addressSpaceBytes: number) {
  return {
    path: folder,
    noSubdir: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    mapSize: addressSpaceBytes,
  } as const;
}

function guardOf(folder: string) {
  return <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw failureIn(folder, error);
    }
  };
}

function failureIn(folder: string, error: unknown): unknown {
  if (error instanceof StoreError || error instanceof AssertionFailure) return error;
  return new StoreError(`store ${folder}: ${wordsOf(error)}`);
}

function entriesOf(database: Bytes): Entry[] {
  return Array.from(database.getRange(), ({ key, value }) => ({ key: Buffer.from(key).toString('latin1'), value }));
}

function keyBytes(key: string): Uint8Array {
  return Buffer.from(key, 'latin1');
}
