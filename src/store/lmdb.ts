// LMDB, the only importer of the package: bytes under text keys in a folder that several processes and threads may have
// open at once. Every transaction is on disk before it returns, and every read sees the latest commit of anybody.

import { chmodSync, closeSync, mkdirSync, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { AssertionFailure } from '../domain/result.ts';
import { StoreError } from './store-error.ts';

export interface Entry {
  readonly key: string;
  readonly value: Uint8Array;
}

export interface Transaction {
  entries(): Entry[];
  put(key: string, value: Uint8Array): void;
}

/** All methods throw a StoreError when the disk or the files are at fault. */
export interface Environment {
  get(key: string): Uint8Array | undefined;
  /** Everything, as of one moment, in the order of the keys. */
  entries(): Entry[];
  /** Waits for other writers, then for the disk; never on a thread that serves requests. What `work` throws undoes it. */
  transact<T>(work: (transaction: Transaction) => T): T;
  close(): Promise<void>;
}

/** Offset and value of the mark on a data file's first page (MDB_MAGIC). */
const MAGIC = { offset: 24, bytes: Buffer.from('dec0efbe', 'hex') } as const;

/** `addressSpaceBytes` is what the files may grow to without mapping them anew; it costs nothing until it is used. */
export function openEnvironment(folder: string, addressSpaceBytes: number): Environment {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (error instanceof StoreError || error instanceof AssertionFailure) throw error;
      throw new StoreError(`store ${folder}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return guarded(() => {
    prepareFolder(folder);
    // `overlappingSync` would return from a commit before it is on disk.
    const database = open<Uint8Array, Uint8Array>({
      path: folder,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      overlappingSync: false,
      mapSize: addressSpaceBytes,
    });
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
        guarded(() =>
          database.transactionSync(() =>
            work({
              entries: () => entriesOf(database),
              put: (key, value) => void database.putSync(keyBytes(key), value),
            }),
          ),
        ),
      close: () => database.close(),
    };
  });
}

function entriesOf(database: RootDatabase<Uint8Array, Uint8Array>): Entry[] {
  return Array.from(database.getRange(), ({ key, value }) => ({ key: Buffer.from(key).toString('latin1'), value }));
}

function keyBytes(key: string): Uint8Array {
  return Buffer.from(key, 'latin1');
}

/** The files are private from their first byte on, whatever the umask. */
function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  for (const name of ['data.mdb', 'lock.mdb']) {
    const path = join(folder, name);
    // An existing file is not opened: closing it would take this process's locks on it from whoever else has it open.
    try {
      writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    chmodSync(path, 0o600);
  }
  refuseForeignFile(join(folder, 'data.mdb'));
}

/** LMDB maps the file and trusts it: one that is not its own would end the process with a segmentation fault. */
function refuseForeignFile(path: string): void {
  const head = Buffer.alloc(MAGIC.offset + MAGIC.bytes.length);
  const file = openSync(path, 'r');
  try {
    const length = readSync(file, head);
    if (length === 0 || head.subarray(MAGIC.offset).equals(MAGIC.bytes)) return;
  } finally {
    closeSync(file);
  }
  throw new StoreError(`store file ${path}: is not an LMDB data file`);
}
