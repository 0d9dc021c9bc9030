// The history's LMDB environment as tables of rows. Every transaction is on disk before it returns, so that the files are consistent
// after any power cut; how far they follow the journal is a row of them. History thread writes; any thread reads.

import { limits } from '../limits.ts';
import { type Reader, rowOf, stateKey, stateRange, type Transaction } from '../store/durable/tables.ts';
import { openSyncedEnvironment, type UnsyncedEnvironment } from '../store/lmdb.ts';
import { ORDER_TABLES, type OrderTable } from '../store/orders/keys.ts';
import { StoreError } from '../store/store-error.ts';

/** First byte of the history's own rows: odd, as no table's is. */
const FOLLOWED_KEY = Uint8Array.of(3, 4);
const FORM = 1;
const SEQUENCE_BYTES = 6;

export class HistoryTables implements Reader<OrderTable> {
  readonly #folder: string;
  readonly #environment: UnsyncedEnvironment;

  private constructor(folder: string, environment: UnsyncedEnvironment) {
    this.#folder = folder;
    this.#environment = environment;
  }

  /** Makes them if there are none. Throws a StoreError that names the folder when they cannot be used. */
  static open(folder: string): HistoryTables {
    return new HistoryTables(folder, openSyncedEnvironment(folder, limits.storeStateBytesMax));
  }

  /** Journal sequence of the last step in the rows; 0 before the first. */
  followed(): number {
    const row = this.#environment.get(FOLLOWED_KEY);
    if (row === undefined) return 0;
    if (row[0] !== FORM || row.length !== 1 + SEQUENCE_BYTES)
      throw new StoreError(`history ${this.#folder}: its place in the journal cannot be read`);
    return Buffer.from(row).readUIntLE(1, SEQUENCE_BYTES);
  }

  get(table: OrderTable, key: Uint8Array): Uint8Array | undefined {
    return this.#environment.get(stateKey(ORDER_TABLES[table], key));
  }

  range(table: OrderTable, range: Parameters<Reader<OrderTable>['range']>[1]) {
    return this.#environment.range(stateRange(ORDER_TABLES[table], range)).map(rowOf);
  }

  /** The next reads are of the latest commit, and all of that moment. */
  refresh(): void {
    this.#environment.refresh();
  }

  /** That moment is let go of: its pages can be used again. */
  release(): void {
    this.#environment.release();
  }

  /** All of `work` with the new place in the journal, synced; or, if it throws, nothing. */
  follow(sequence: number, work: (transaction: Transaction<OrderTable>) => void): void {
    const environment = this.#environment;
    environment.transact(() => {
      work({
        get: (table, key) => this.get(table, key),
        range: (table, range) => this.range(table, range),
        put: (table, key, value) => environment.put(stateKey(ORDER_TABLES[table], key), value),
        delete: (table, key) => environment.remove(stateKey(ORDER_TABLES[table], key)),
      });
      const row = Buffer.alloc(1 + SEQUENCE_BYTES, FORM);
      row.writeUIntLE(sequence, 1, SEQUENCE_BYTES);
      environment.put(FOLLOWED_KEY, row);
      environment.keepRoom();
    });
  }

  close(): Promise<void> {
    return this.#environment.close();
  }
}
