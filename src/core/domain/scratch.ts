// A list and a map that are filled and emptied for each piece of work. Those of JavaScript give their memory back when they are emptied,
// and take it again with the next entry, 60 to 150 bytes each time. These keep it. Their size is a field, because a warm order reads it
// often. Pure.

/** The number of entries from which a map has an index. Fewer keys are compared one by one. */
const INDEXED_FROM = 16;
/** Memory is kept for this number of items, so that one large piece of work does not hold much for good. */
const KEPT_MAX = 1_024;

export class ScratchList<Item> {
  /** The items up to the length. Later places hold undefined, so that they keep nothing alive. */
  readonly items: (Item | undefined)[] = [];
  length = 0;

  push(item: Item): void {
    this.items[this.length++] = item;
  }

  clear(): void {
    while (this.length > 0) this.items[--this.length] = undefined;
    if (this.items.length > KEPT_MAX) this.items.length = KEPT_MAX;
  }
}

/** A map whose entries stay until all are removed. */
export class ScratchMap<Key extends string, Value> {
  /** The values up to the size, in the order in which they came. */
  readonly values: (Value | undefined)[] = [];
  size = 0;
  readonly #keys: (Key | undefined)[] = [];
  /** The places of many keys. Null means that there are few. */
  #places: Map<Key, number> | null = null;

  get(key: Key): Value | undefined {
    if (this.#places !== null) {
      const place = this.#places.get(key);
      return place === undefined ? undefined : this.values[place];
    }
    for (let place = this.size - 1; place >= 0; place--) if (this.#keys[place] === key) return this.values[place];
    return undefined;
  }

  /** Adds the value of a key that the map does not have. */
  add(key: Key, value: Value): void {
    this.#keys[this.size] = key;
    this.values[this.size] = value;
    this.#places?.set(key, this.size);
    this.size += 1;
    if (this.size === INDEXED_FROM) this.#places = new Map(this.#keys.slice(0, this.size).map((it, at) => [it!, at]));
  }

  clear(): void {
    this.#places = null;
    while (this.size > 0) {
      this.size -= 1;
      this.#keys[this.size] = undefined;
      this.values[this.size] = undefined;
    }
    if (this.values.length <= KEPT_MAX) return;
    this.#keys.length = KEPT_MAX;
    this.values.length = KEPT_MAX;
  }
}
