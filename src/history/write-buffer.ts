// Rows that a transaction has written and LMDB has not yet: a row that is written several times in one batch, as an order that is made
// and answered within it is, reaches LMDB once. History thread.

import type { Row, RowRange, Transaction } from '../store/tables.ts';

/** A key, and its value; null: it is deleted. */
interface Written {
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
}

export class WriteBuffer<Table extends string> implements Transaction<Table> {
  readonly #below: Transaction<Table>;
  readonly #written = new Map<Table, Map<string, Written>>();

  constructor(below: Transaction<Table>) {
    this.#below = below;
  }

  get(table: Table, key: Uint8Array): Uint8Array | undefined {
    const written = this.#written.get(table)?.get(nameOf(key));
    return written === undefined ? this.#below.get(table, key) : (written.value ?? undefined);
  }

  /** Of what is below, with all that was written to the table. */
  range(table: Table, range: RowRange): Row[] {
    this.#flushTable(table);
    return this.#below.range(table, range);
  }

  put(table: Table, key: Uint8Array, value: Uint8Array): void {
    this.#write(table, { key, value });
  }

  delete(table: Table, key: Uint8Array): void {
    this.#write(table, { key, value: null });
  }

  /** At the end: all of it is below then. */
  flush(): void {
    for (const table of this.#written.keys()) this.#flushTable(table);
  }

  #write(table: Table, written: Written): void {
    let rows = this.#written.get(table);
    if (rows === undefined) {
      rows = new Map();
      this.#written.set(table, rows);
    }
    rows.set(nameOf(written.key), written);
  }

  #flushTable(table: Table): void {
    const rows = this.#written.get(table);
    if (rows === undefined) return;
    this.#written.delete(table);
    for (const { key, value } of rows.values()) {
      if (value === null) this.#below.delete(table, key);
      else this.#below.put(table, key, value);
    }
  }
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
}
