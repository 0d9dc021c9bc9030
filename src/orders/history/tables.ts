// The history's LMDB environment as tables of rows. Every transaction is on disk before it returns, so the files are consistent after a
// power cut. One row says how far the rows follow the journal. Each row ends with a CRC-32 of its key and value, since LMDB has no
// checksums. The history thread writes, and any thread reads.

import { crc32 } from 'node:zlib';
import { wordsOf } from '../../core/domain/error-words.ts';
import { openRowEnvironment, type RowEnvironment } from '../../core/store/lmdb.ts';
import { dataFileIn, freeBytes as freeBytesAt } from '../../core/store/lmdb-files.ts';
import { ByteReader, ByteWriter } from '../../core/store/orders/bytes.ts';
import { damaged, refuseOtherVersion } from '../../core/store/orders/codec.ts';
import { ORDER_TABLES, type OrderTable } from '../../core/store/orders/keys.ts';
import { StoreError } from '../../core/store/store-error.ts';
import {
  type Reader,
  type Row,
  refuseLongKey,
  rowOf,
  stateKey,
  stateRange,
  type Transaction,
} from '../../core/store/tables.ts';
import { limits } from '../../limits.ts';

/** The key of the history's own row. Its first byte is odd, unlike that of any table. */
const FOLLOWED_KEY = Uint8Array.of(3, 4);
/** The version of all rows. It must be raised when older programs cannot read the rows. */
const FORM = 2;
const CHECK_BYTES = 4;

/** The work of a transaction. `followed` is the journal sequence before. Each time the transaction is the same object. */
type FollowingWork = (transaction: Transaction<OrderTable>, followed: number) => void;

/** Thrown to roll a transaction back. */
const UNDONE = Symbol('undone');

export class HistoryTables implements Reader<OrderTable> {
  readonly folder: string;
  readonly #environment: RowEnvironment;
  readonly #freeBytes: () => number;
  readonly #transaction: HistoryTransaction;
  #closed: Promise<void> | null = null;
  /** The followed sequence that was written here last, and the environment's `foreignWrites` at that time. */
  #followed = 0;
  #followedAt = -1;
  /** The arguments of the call of `follow` in progress. */
  #sequence = 0;
  #reached = 0;
  #work: FollowingWork = () => {};

  constructor(folder: string, environment: RowEnvironment, freeBytes: () => number) {
    this.folder = folder;
    this.#environment = environment;
    this.#freeBytes = freeBytes;
    this.#transaction = new HistoryTransaction(this, environment);
  }

  /** Creates the tables if there are none. Throws a StoreError that names the folder if they cannot be used. */
  static open(folder: string, freeBytes = () => freeBytesAt(folder)): HistoryTables {
    return new HistoryTables(folder, openRowEnvironment(folder, limits.storeStateBytesMax), freeBytes);
  }

  /** Like `open`, but for existing tables only. If the folder was removed, a new folder in its place would begin another history. */
  static openAgain(folder: string): HistoryTables {
    if (dataFileIn(folder) === null) throw new StoreError(`history ${folder}: was removed, or moved`);
    return HistoryTables.open(folder);
  }

  /** Returns why the disk has no room for a transaction. Null means that it has room. */
  diskFault(): StoreError | null {
    if (this.#freeBytes() >= limits.historyFreeBytesMin) return null;
    const room = `${limits.historyFreeBytesMin} bytes (historyFreeBytesMin)`;
    return new StoreError(`history ${this.folder}: the disk is full: it has less than ${room} left`);
  }

  /** Returns the journal sequence of the last step in the rows. 0 means that they have no step yet. */
  followed(): number {
    const found = this.#environment.get(FOLLOWED_KEY);
    if (found === undefined) return 0;
    const row = new ByteReader(checkedValue('history', FOLLOWED_KEY, found));
    this.#refuseOtherForm(row.byte());
    return row.time();
  }

  #refuseOtherForm(form: number): void {
    try {
      refuseOtherVersion(form, FORM);
    } catch (error) {
      throw new StoreError(`history ${this.folder}: ${wordsOf(error)}`);
    }
  }

  get(table: OrderTable, key: Uint8Array): Uint8Array | undefined {
    const whole = stateKey(ORDER_TABLES[table], key);
    const found = this.#environment.get(whole);
    return found === undefined ? undefined : checkedValue(table, whole, found);
  }

  range(table: OrderTable, range: Parameters<Reader<OrderTable>['range']>[1]) {
    return this.#environment
      .range(stateRange(ORDER_TABLES[table], range))
      .map(({ key, value }) => rowOf({ key, value: checkedValue(table, key, value) }));
  }

  /** Starts a new read snapshot of the latest commit. It lasts until the next call or `release`. */
  refresh(): void {
    this.#environment.refresh();
  }

  /** Ends the read snapshot, so that its pages can be reused. */
  release(): void {
    this.#environment.release();
  }

  /**
   * Commits and syncs `work` together with the new journal sequence. If `work` throws, nothing is committed. To be called only if
   * `diskFault` is null.
   */
  follow(sequence: number, work: FollowingWork): void {
    this.#sequence = sequence;
    this.#work = work;
    this.#environment.transact(this.#following);
    this.#followed = this.#reached;
    this.#followedAt = this.#environment.foreignWrites;
  }

  /** Made once, because each order is followed. */
  readonly #following = (): void => {
    const isKnown = this.#environment.foreignWrites === this.#followedAt;
    const followed = isKnown ? this.#followed : this.followed();
    this.#work(this.#transaction, followed);
    this.#reached = Math.max(followed, this.#sequence);
    this.#transaction.begin(FOLLOWED_KEY);
    this.#transaction.value().byte(FORM).time(this.#reached);
    this.#transaction.write();
  };

  /** Commits a change that is no step of the journal. Throws a StoreError if the disk is full. */
  change(work: (transaction: Transaction<OrderTable>) => void): void {
    // On a full disk no commit is tried, because LMDB would write beyond its memory.
    const full = this.diskFault();
    if (full !== null) throw full;
    this.#environment.transact(() => work(this.#transaction));
  }

  /** Like `change`, but keeps nothing. This also works on a full disk. */
  rehearse(work: FollowingWork): void {
    try {
      this.#environment.transact(() => {
        work(this.#transaction, this.followed());
        throw UNDONE;
      });
    } catch (error) {
      if (error !== UNDONE) throw error;
    }
  }

  /** Frees the pages that are held by readers that have died. */
  forgetDeadReaders(): void {
    this.#environment.forgetDeadReaders();
  }

  /** Like `RowEnvironment.isThere`. */
  isThere(): boolean {
    return this.#environment.isThere();
  }

  /** Copies one read snapshot, compacted, into an existing folder, while others read and write. */
  copyTo(folder: string): Promise<void> {
    return this.#environment.copyTo(folder);
  }

  close(): Promise<void> {
    this.#closed ??= this.#environment.close();
    return this.#closed;
  }
}

/** A transaction. Each row's key is written to one buffer, and its value and check to another. The views of both buffers are kept. */
class HistoryTransaction implements Transaction<OrderTable> {
  readonly #tables: HistoryTables;
  readonly #environment: RowEnvironment;
  #table: OrderTable = 'orders';
  readonly #key = new ByteWriter();
  readonly #value = new ByteWriter();

  constructor(tables: HistoryTables, environment: RowEnvironment) {
    this.#tables = tables;
    this.#environment = environment;
  }

  get(table: OrderTable, key: Uint8Array): Uint8Array | undefined {
    return this.#tables.get(table, key);
  }

  range(table: OrderTable, range: Parameters<Reader<OrderTable>['range']>[1]): Row[] {
    return this.#tables.range(table, range);
  }

  /** Begins a row that belongs to no table. */
  begin(key: Uint8Array): void {
    this.#key.begin().raw(key);
  }

  key(table: OrderTable): ByteWriter {
    this.#table = table;
    const key = this.#key;
    // Does what `beginWith` does, without a call for each row.
    key.bytes[0] = 2 * ORDER_TABLES[table];
    key.end = 1;
    return key;
  }

  value(): ByteWriter {
    const bytes = this.#key.end - 1;
    if (bytes > limits.storeKeyBytesMax) refuseLongKey(bytes);
    this.#value.end = 0;
    return this.#value;
  }

  write(): void {
    const [key, value] = [this.#key.view(), this.#value];
    const content = value.view();
    // Does what `checkOf` does, without a call for each row.
    value.uint32(content.length === 0 ? crc32(key) : crc32(content, crc32(key)));
    this.#environment.put(key, value.view());
  }

  erase(): void {
    this.#environment.remove(this.#key.view());
  }

  found(): Uint8Array | undefined {
    const key = this.#key.view();
    const found = this.#environment.get(key);
    return found === undefined ? undefined : checkedValue(this.#table, key, found);
  }

  put(table: OrderTable, key: Uint8Array, value: Uint8Array): void {
    this.key(table).raw(key);
    this.value().raw(value);
    this.write();
  }

  delete(table: OrderTable, key: Uint8Array): void {
    this.key(table).raw(key);
    this.erase();
  }
}

function checkedValue(table: string, key: Uint8Array, row: Uint8Array): Uint8Array {
  const bytes = row.length - CHECK_BYTES;
  const value = row.subarray(0, Math.max(0, bytes));
  const check = checkOf(key, value);
  const isSound =
    bytes >= 0 &&
    row[bytes] === (check & 0xff) &&
    row[bytes + 1] === ((check >>> 8) & 0xff) &&
    row[bytes + 2] === ((check >>> 16) & 0xff) &&
    row[bytes + 3] === check >>> 24;
  if (isSound) return value;
  throw damaged(table, key.subarray(1), 'has a wrong checksum: restore a backup (docs/OPERATIONS.md, Backups)');
}

function checkOf(key: Uint8Array, value: Uint8Array): number {
  const ofKey = crc32(key);
  // For an empty array with a buffer of its own, zlib returns 0 instead of the start value.
  return value.length === 0 ? ofKey : crc32(value, ofKey);
}
