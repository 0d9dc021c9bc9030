// What the journal has and the state does not have yet, as one thread knows it: the latest value of each key that was written since,
// laid over the rows of the state. Rows are found by their keys from when somebody asks for one of their table, and put in order where
// somebody asks for a range of it: of what other threads write, most is never asked for. Pure.

import type { KeyRange, KeyValue } from '../lmdb.ts';
import type { Operation } from './journal-record.ts';

/** A key as text: a character a byte, so that texts are in the order of the bytes. */
export type KeyText = string;

/** What a row has replaced. */
interface Undo {
  readonly part: Part;
  readonly key: KeyText;
  readonly before: Operation | undefined;
  /** Of the transaction that wrote the row. */
  readonly sequence: number;
}

export class Memtable {
  /** By table. */
  readonly #parts: (Part | undefined)[] = [];
  /** Since the last `keep`. */
  readonly #undos: Undo[] = [];
  /** The latest transaction that wrote a row, and the latest that stays: if they differ, one is under way. */
  #last = 0;
  #kept = 0;
  /** Up to which transaction all is in the state. */
  #flushed = 0;

  /** At most so many rows. */
  get size(): number {
    return this.#parts.reduce((sum, part) => sum + (part?.size ?? 0), 0);
  }

  /** Ascending by key. */
  get rows(): Operation[] {
    return this.#parts.flatMap(part => part?.rows() ?? []);
  }

  get(table: number, key: KeyText): Operation | undefined {
    return this.#parts[table]?.get(key);
  }

  /** In the order of the transactions. */
  put(row: Operation): void {
    this.#last = row.sequence;
    this.#partOf(row.table).put(row);
  }

  /** What was put since the last `keep` stays. */
  keep(): void {
    this.#kept = this.#last;
    this.#undos.length = 0;
  }

  /** What was put since the last `keep` never was. */
  rollBack(): void {
    for (const { part, key, before, sequence } of this.#undos.reverse()) {
      if (sequence > this.#kept) part.takeBack(key, before);
    }
    this.#undos.length = 0;
    for (const part of this.#parts) part?.forgetAfter(this.#kept);
    this.#last = this.#kept;
  }

  /** The state has everything up to this transaction: what it wrote is read there. */
  drop(flushed: number): void {
    if (flushed === this.#flushed) return;
    this.#flushed = flushed;
    for (const part of this.#parts) part?.drop(flushed);
  }

  /** The rows of a range, those of the state included, of which `below` reads a range. */
  range(range: KeyRange, below: (range: KeyRange) => KeyValue[]): KeyValue[] {
    const { gte, lt, reverse, limit } = range;
    const [from, to] = [textOf(gte), textOf(lt)];
    const above = this.#parts.slice(gte[0]!, lt[0]! + 1).flatMap(part => part?.rows(from, to) ?? []);
    if (above.length === 0) return below(range);
    if (reverse) above.reverse();
    const deleted = above.filter(({ value }) => value === undefined).length;
    return merged(above, below({ ...range, limit: limit + deleted }), range);
  }

  #partOf(table: number): Part {
    const part = this.#parts[table];
    if (part !== undefined) return part;
    while (this.#parts.length < table) this.#parts.push(undefined);
    const first = new Part(this.#undos);
    this.#parts[table] = first;
    return first;
  }
}

class Part {
  /** Receives what rows have replaced. */
  readonly #undos: Undo[];
  /** Put since somebody asked; in the order of the transactions. */
  #news: Operation[] = [];
  readonly #rows = new Map<KeyText, Operation>();
  /** Of `#rows`; ascending if none has come since. */
  #keys: KeyText[] = [];
  #isSorted = true;

  constructor(undos: Undo[]) {
    this.#undos = undos;
  }

  get size(): number {
    return this.#rows.size + this.#news.length;
  }

  put(row: Operation): void {
    this.#news.push(row);
  }

  get(key: KeyText): Operation | undefined {
    this.#takeNews();
    return this.#rows.get(key);
  }

  /** Ascending by key; from the first that is not before `from` to the last that is before `to`. */
  rows(from?: KeyText, to?: KeyText): Operation[] {
    this.#takeNews();
    // Nearly in order, which the sort makes use of: what was asked for before, and a little more.
    if (!this.#isSorted) this.#keys.sort();
    this.#isSorted = true;
    const keys = this.#keys.slice(
      from === undefined ? 0 : this.#placeOf(from),
      to === undefined ? undefined : this.#placeOf(to),
    );
    return keys.map(key => this.#rows.get(key)!);
  }

  takeBack(key: KeyText, before: Operation | undefined): void {
    if (before === undefined) this.#rows.delete(key);
    else this.#rows.set(key, before);
  }

  /** What a later transaction has written; all of it that others have replaced is taken back. */
  forgetAfter(kept: number): void {
    while (this.#news.length > 0 && this.#news.at(-1)!.sequence > kept) this.#news.pop();
    this.#forgetKeys();
  }

  drop(flushed: number): void {
    const first = this.#news.findIndex(({ sequence }) => sequence > flushed);
    if (first !== 0) this.#news = first < 0 ? [] : this.#news.slice(first);
    for (const [key, { sequence }] of this.#rows) if (sequence <= flushed) this.#rows.delete(key);
    this.#forgetKeys();
  }

  #takeNews(): void {
    if (this.#news.length === 0) return;
    for (const row of this.#news) {
      const key = textOf(row.key);
      const before = this.#rows.get(key);
      this.#rows.set(key, row);
      this.#undos.push({ part: this, key, before, sequence: row.sequence });
      if (before !== undefined) continue;
      this.#keys.push(key);
      this.#isSorted = false;
    }
    this.#news = [];
  }

  /** Of rows that are gone. */
  #forgetKeys(): void {
    if (this.#keys.length > this.#rows.size) this.#keys = this.#keys.filter(key => this.#rows.has(key));
  }

  /** Of the first key that is not before `key`. */
  #placeOf(key: KeyText): number {
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function textOf(key: Uint8Array): KeyText {
  const buffer = key instanceof Buffer ? key : Buffer.from(key.buffer, key.byteOffset, key.length);
  return buffer.toString('latin1');
}

/** Both are in the order of the range; of a key that is in both, `above` knows better. */
function merged(above: readonly Operation[], below: readonly KeyValue[], { reverse, limit }: KeyRange): KeyValue[] {
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
