// The twin of LMDB behind its port, in memory. Several handles share the rows, and each handle may keep a snapshot. Every commit is on disk
// at once, so that it survives power cuts. The twin passes the suite that LMDB passes (test/core/store/row-environment.test.ts).

import { AssertionFailure, assert } from '../../src/core/domain/result.ts';
import type { KeyRange, KeyValue, RowEnvironment } from '../../src/core/store/lmdb.ts';
import { StoreError } from '../../src/core/store/store-error.ts';

const KEY_BYTES_MAX = 1_978;

interface StoredRow extends KeyValue {
  /** The bytes of the key as characters. Rows are ordered by this name. */
  readonly name: string;
}

interface HandleHooks {
  /** Called before each operation. An error that this hook throws is passed on. */
  readonly use?: () => void;
  /** Called before a commit. If this hook throws, nothing changes. */
  readonly commit?: () => void;
}

export class MemoryRows {
  /** The committed rows. The array never changes in place, because a reader of a snapshot keeps it. */
  #committed: readonly StoredRow[] = [];
  /** The number of transactions that have put a row. */
  #writes = 0;

  /** The rows, in the order of their keys. */
  get rows(): readonly KeyValue[] {
    return this.#committed.map(({ key, value }) => ({ key, value }));
  }

  /** Opens a handle as another process or thread would. */
  open({ use = () => {}, commit = () => {} }: HandleHooks = {}): RowEnvironment {
    let held: readonly StoredRow[] | null = null;
    let written: StoredRow[] | null = null;
    let hasPut = false;
    let seenWrites = -1;
    let foreignWrites = 0;
    const guarded = <T>(work: (rows: readonly StoredRow[]) => T): T => {
      use();
      return work(written ?? held ?? this.#committed);
    };
    const changing = (key: Uint8Array, change: (rows: StoredRow[], name: string) => void): void => {
      use();
      assert(written !== null, 'rows change in a transaction');
      if (key.length === 0 || key.length > KEY_BYTES_MAX) throw new StoreError(`rows: a key of ${key.length} bytes`);
      change(written, nameOf(key));
    };
    const release = (): void => {
      held = null;
    };
    return {
      refresh: () => {
        use();
        held = this.#committed;
      },
      release,
      get: key => guarded(rows => found(rows, nameOf(key))?.value),
      range: range => guarded(rows => inRange(rows, range)),
      put: (key, value) => {
        changing(key, (rows, name) => put(rows, { name, key: copy(key), value: copy(value) }));
        hasPut = true;
      },
      remove: key => changing(key, remove),
      transact: work => {
        use();
        assert(written === null, 'transactions are not nested');
        release();
        written = [...this.#committed];
        hasPut = false;
        if (this.#writes !== seenWrites) foreignWrites += 1;
        try {
          work();
          commit();
          this.#committed = written;
          if (hasPut) this.#writes += 1;
          seenWrites = this.#writes;
        } finally {
          written = null;
        }
      },
      get foreignWrites() {
        return foreignWrites;
      },
      isThere: () => true,
      forgetDeadReaders: use,
      copyTo: () => Promise.reject(new AssertionFailure('rows in memory are in no folder')),
      close: () => Promise.resolve(release()),
    };
  }
}

function inRange(rows: readonly StoredRow[], { gte, lt, reverse, limit }: KeyRange): KeyValue[] {
  const [from, to] = [placeOf(rows, nameOf(gte)), placeOf(rows, nameOf(lt))];
  const part = reverse
    ? rows.slice(Math.max(from, to - limit), to).reverse()
    : rows.slice(from, Math.min(to, from + limit));
  return part.map(({ key, value }) => ({ key, value }));
}

function put(rows: StoredRow[], row: StoredRow): void {
  const place = placeOf(rows, row.name);
  rows.splice(place, rows[place]?.name === row.name ? 1 : 0, row);
}

function remove(rows: StoredRow[], name: string): void {
  const place = placeOf(rows, name);
  if (rows[place]?.name === name) rows.splice(place, 1);
}

function found(rows: readonly StoredRow[], name: string): StoredRow | undefined {
  const row = rows[placeOf(rows, name)];
  return row?.name === name ? row : undefined;
}

/** Returns the place of the first row whose name is not before `name`. */
function placeOf(rows: readonly StoredRow[], name: string): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.name < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
}

function copy(bytes: Uint8Array): Uint8Array {
  return Buffer.from(bytes);
}
