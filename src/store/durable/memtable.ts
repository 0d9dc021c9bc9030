// What the journal has and the state does not have yet, as one thread knows it: the latest value of each key that was written since,
// in the order of the keys, laid over the rows of the state. Pure.

import type { KeyRange, KeyValue } from '../lmdb.ts';

export interface MemtableRow {
  readonly key: Uint8Array;
  /** Undefined: deleted. */
  readonly value: Uint8Array | undefined;
  /** Of the transaction that wrote it. */
  readonly sequence: number;
}

/** What a write of the transaction that is under way has replaced. */
interface Undo {
  readonly key: Uint8Array;
  readonly before: MemtableRow | undefined;
}

export class Memtable {
  /** Ascending by key. */
  #rows: MemtableRow[] = [];
  #undos: Undo[] = [];
  /** Up to which transaction all is in the state. */
  #flushed = 0;

  get size(): number {
    return this.#rows.length;
  }

  /** Ascending by key. */
  get rows(): Iterable<MemtableRow> {
    return this.#rows;
  }

  get(key: Uint8Array): MemtableRow | undefined {
    return this.#at(this.#placeOf(key), key);
  }

  put(row: MemtableRow): void {
    const place = this.#placeOf(row.key);
    const before = this.#at(place, row.key);
    this.#undos.push({ key: row.key, before });
    if (before === undefined) this.#rows.splice(place, 0, row);
    else this.#rows[place] = row;
  }

  /** What was put since the last `keep` stays. */
  keep(): void {
    this.#undos.length = 0;
  }

  /** What was put since the last `keep` never was. */
  rollBack(): void {
    for (const { key, before } of this.#undos.reverse()) {
      const place = this.#placeOf(key);
      if (before === undefined) this.#rows.splice(place, 1);
      else this.#rows[place] = before;
    }
    this.#undos.length = 0;
  }

  /** The state has everything up to this transaction: what it wrote is read there. */
  drop(flushed: number): void {
    if (flushed === this.#flushed) return;
    this.#flushed = flushed;
    this.#rows = this.#rows.filter(({ sequence }) => sequence > flushed);
  }

  /** The rows of a range, those of the state included, of which `below` reads a range. */
  range(range: KeyRange, below: (range: KeyRange) => KeyValue[]): KeyValue[] {
    const [from, to] = [this.#placeOf(range.gte), this.#placeOf(range.lt)];
    if (from >= to) return below(range);
    const above = this.#rows.slice(from, to);
    if (range.reverse) above.reverse();
    const deleted = above.filter(({ value }) => value === undefined).length;
    return merged(above, below({ ...range, limit: range.limit + deleted }), range);
  }

  #at(place: number, key: Uint8Array): MemtableRow | undefined {
    const row = this.#rows[place];
    return row !== undefined && Buffer.compare(row.key, key) === 0 ? row : undefined;
  }

  /** Of the first row that is not before `key`. */
  #placeOf(key: Uint8Array): number {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Buffer.compare(this.#rows[middle]!.key, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Both are in the order of the range; of a key that is in both, `above` knows better. */
function merged(above: readonly MemtableRow[], below: readonly KeyValue[], { reverse, limit }: KeyRange): KeyValue[] {
  const rows: KeyValue[] = [];
  const sign = reverse ? -1 : 1;
  for (let [a, b] = [0, 0]; rows.length < limit && (a < above.length || b < below.length); ) {
    const order =
      b === below.length ? -1 : a === above.length ? 1 : sign * Buffer.compare(above[a]!.key, below[b]!.key);
    if (order <= 0) {
      const { key, value } = above[a++]!;
      if (value !== undefined) rows.push({ key, value });
    }
    if (order > 0) rows.push(below[b]!);
    if (order >= 0) b += 1;
  }
  return rows;
}
