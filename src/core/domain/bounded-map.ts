// A map that drops its oldest entry instead of exceeding its bound. Pure.

export class BoundedMap<Key, Value> {
  readonly #entriesMax: number;
  readonly #entries = new Map<Key, Value>();

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** Sets an entry; an existing entry keeps its age. Returns the entry that was dropped to make room, or null. */
  set(key: Key, value: Value): readonly [Key, Value] | null {
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#entriesMax) return null;
    const [oldest] = this.#entries;
    this.#entries.delete(oldest![0]);
    return oldest!;
  }

  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }

  entries(): IterableIterator<[Key, Value]> {
    return this.#entries.entries();
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }
}
