// The version of what callers keep in the tables. The owner brings an older store up to date, one version at a time; any
// other that is not this program's is refused.

import { StoreError } from '../store-error.ts';
import type { Reader, Transaction } from './tables.ts';

export interface Schema<Table extends string> {
  /** From 1; raised with every change of what the rows mean. */
  readonly version: number;
  /**
   * Makes a store of version `from` one of `from + 1`, in as many transactions as it likes: it is called again from the
   * start if it was interrupted.
   */
  migrate(from: number, store: Migrated<Table>): void;
}

export interface Migrated<Table extends string> extends Reader<Table> {
  transact<T>(work: (transaction: Transaction<Table>) => T): T;
}

/** The row that has the version. */
export interface SchemaRow {
  /** Null in a new store. */
  read(): number | null;
  write(version: number): void;
}

export function agreeOnSchema<Table extends string>(
  schema: Schema<Table>,
  role: 'owner' | 'member',
  store: Migrated<Table>,
  row: SchemaRow,
): void {
  let found = row.read();
  if (role === 'owner') {
    if (found === null) row.write(schema.version);
    for (; found !== null && found < schema.version; found += 1) {
      schema.migrate(found, store);
      row.write(found + 1);
    }
    found ??= schema.version;
  }
  if (found === schema.version) return;
  throw new StoreError(`store: has schema version ${found ?? 'none'}, this program has version ${schema.version}`);
}
