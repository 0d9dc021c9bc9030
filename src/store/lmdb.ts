// LMDB, the only importer of the package: bytes in a folder that several processes and threads may have open at once. Every transaction
// is on disk before it returns. An Environment has few entries, by names; of RowEnvironment, which may have millions of rows, a reader
// can keep one moment.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { RangeOptions, RootDatabase } from 'lmdb';
import { wordsOf } from '../domain/error-words.ts';
import { AssertionFailure } from '../domain/result.ts';
import { endNativeLine } from '../runtime/log.ts';
import { DATA_NAME, isWholeDataFile, keepRoom, prepareLmdbFolder } from './lmdb-files.ts';
import { StoreError } from './store-error.ts';

// CommonJS: to `import` it, each thread would first search its text for names (docs/PERFORMANCE.md, Starting).
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

/** All methods throw a StoreError when the disk or the files are at fault. */
interface Environment {
  get(key: string): Uint8Array | undefined;
  /** Everything, as of one moment, in the order of the keys. */
  entries(): Entry[];
  /** Waits for other writers, then for the disk; never on a thread that serves requests. What `work` throws undoes it. */
  transact<T>(work: (transaction: Transaction) => T): T;
  close(): Promise<void>;
}

/** A part of the keys, which are compared byte by byte. */
export interface KeyRange {
  /** The first key. */
  readonly gte: Uint8Array;
  /** Just beyond the last key. */
  readonly lt: Uint8Array;
  /** The last one first. */
  readonly reverse: boolean;
  readonly limit: number;
}

export interface KeyValue {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Keys are not empty and of at most 1 978 bytes. All methods throw a StoreError when the disk or the files are at fault. */
export interface RowEnvironment {
  /** The next reads are of the latest commit of anybody, and all of one moment until it is called again, or `release`. */
  refresh(): void;
  /** That moment is let go of: as long as somebody reads it, no page that it had is used again. Reads are of any later one then. */
  release(): void;
  /** In a transaction, reads are of what it has written. */
  get(key: Uint8Array): Uint8Array | undefined;
  range(range: KeyRange): KeyValue[];
  /** Only in a transaction. */
  put(key: Uint8Array, value: Uint8Array): void;
  remove(key: Uint8Array): void;
  /** Waits for other writers. What `work` throws undoes it and is thrown on. The moment that was read is let go of. */
  transact(work: () => void): void;
  /** Only in a transaction, now and then: without it a whole file may look as if its end was missing. Never throws. */
  keepRoom(): void;
  /** As long as whoever was killed while it read counts as reading, no page that it could see is used again: the file grows with every change. */
  forgetDeadReaders(): void;
  /** Copies one moment's content, without gaps, into another folder, while everybody goes on reading and writing. */
  copyTo(folder: string): Promise<void>;
  close(): Promise<void>;
}

type Bytes = RootDatabase<Uint8Array, Uint8Array>;

/** `addressSpaceBytes` is what the files may grow to without mapping them anew; it costs nothing until it is used. */
export function openEnvironment(folder: string, addressSpaceBytes: number): Environment {
  const guarded = guardOf(folder);
  return guarded(() => {
    prepareLmdbFolder(folder, addressSpaceBytes);
    // `overlappingSync` would return from a commit before it is on disk.
    const database: Bytes = open({ ...optionsOf(folder, addressSpaceBytes), overlappingSync: false });
    // Reading a page that is missing would end the process; of one that is there and holds nothing LMDB says that it is wrong.
    if (!isWholeDataFile(join(folder, DATA_NAME))) transacted(folder, database, () => keepRoom(folder));
    return {
      get: key =>
        guarded(() => {
          // Within one turn of the event loop lmdb-js would go on reading the snapshot of its first read.
          database.resetReadTxn();
          return database.get(keyBytes(key));
        }),
      entries: () =>
        guarded(() => {
          database.resetReadTxn();
          return entriesOf(database);
        }),
      transact: work =>
        transacted(folder, database, () =>
          work({
            entries: () => guarded(() => entriesOf(database)),
            put: (key, value) => guarded(() => void database.putSync(keyBytes(key), value)),
            remove: key => guarded(() => void database.removeSync(keyBytes(key))),
          }),
        ),
      close: () => database.close(),
    };
  });
}

/** `addressSpaceBytes` as for `openEnvironment`. */
export function openRowEnvironment(folder: string, addressSpaceBytes: number): RowEnvironment {
  const guarded = guardOf(folder);
  return guarded(() => {
    prepareLmdbFolder(folder, addressSpaceBytes);
    const database: Bytes = open({ ...optionsOf(folder, addressSpaceBytes), overlappingSync: false });
    // As in openEnvironment.
    if (!isWholeDataFile(join(folder, DATA_NAME))) transacted(folder, database, () => keepRoom(folder));
    let held: Held | null = null;
    const release = (): void => {
      if (held === null) return;
      held.transaction.done();
      held = null;
      // In the turn of the event loop in which it was begun it would be kept, and read again, until that is over.
      database.resetReadTxn();
    };
    return {
      refresh: () =>
        guarded(() => {
          release();
          held = { transaction: database.useReadTransaction() };
        }),
      release,
      get: key => guarded(() => database.get(key, held ?? undefined)),
      range: range => guarded(() => Array.from(database.getRange({ ...rangeOptions(range), ...held }))),
      put: (key, value) => guarded(() => void database.putSync(key, value)),
      remove: key => guarded(() => void database.removeSync(key)),
      transact(work) {
        release();
        transacted(folder, database, work);
      },
      keepRoom: () => keepRoom(folder),
      forgetDeadReaders: () => guarded(() => void database.readerCheck()),
      async copyTo(target) {
        try {
          await database.backup(target, true);
        } catch (error) {
          throw failureIn(target, error);
        }
      },
      close() {
        release();
        return database.close();
      },
    };
  });
}

/** What `work` throws is thrown on as it is. */
function transacted<T>(folder: string, database: Bytes, work: () => T): T {
  let thrown: { readonly error: unknown } | null = null;
  const run = (): T => {
    try {
      return work();
    } catch (error) {
      thrown = { error };
      throw error;
    }
  };
  try {
    return database.transactionSync(run);
  } catch (error) {
    if (thrown !== null) throw (thrown as { readonly error: unknown }).error;
    endNativeLine();
    throw failureIn(folder, error);
  }
}

/** A moment that is read: without it lmdb-js reads another one after each turn of the event loop, and sets a timer for that. */
interface Held {
  readonly transaction: ReturnType<RootDatabase['useReadTransaction']>;
}

/** Lowest key first unless reversed; lmdb-js gives a reversed range by its upper end, which it would include. */
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
