// A list and a map that are filled and emptied for each piece of work. Those of JavaScript give their memory back when they are emptied,
// and take it again with the next entry, 60 to 150 bytes each time. These keep it. Pure.

/** The number of entries from which a map has an index. Fewer keys are compared one by one. */
const INDEXED_FROM = 16;
/** A list keeps memory for this number of items, so that one large piece of work does not hold much for good. */
const KEPT_MAX = 1_024;

export class ScratchList<Item> {
  /** Places beyond the length hold undefined, so that they keep nothing alive. */
  readonly #items: (Item | undefined)[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Returns an item. `index` is below the length. */
  at(index: number): Item {
    return this.#items[index]!;
  }

  push(item: Item): void {
    this.#items[this.#length] = item;
    this.#length += 1;
  }

  replace(index: number, item: Item): void {
    this.#items[index] = item;
  }

  clear(): void {
    if (this.#items.length > KEPT_MAX) this.#items.length = KEPT_MAX;
    for (let index = Math.min(this.#length, KEPT_MAX) - 1; index >= 0; index--) this.#items[index] = undefined;
    this.#length = 0;
  }
}

/** A map whose entries stay until all are removed. */
export class ScratchMap<Key extends string, Value> {
  readonly #keys = new ScratchList<Key>();
  readonly #values = new ScratchList<Value>();
  /** The places of many keys. Null means that there are few. */
  #places: Map<Key, number> | null = null;

  get size(): number {
    return this.#keys.length;
  }

  get(key: Key): Value | undefined {
    const place = this.#placeOf(key);
    return place < 0 ? undefined : this.#values.at(place);
  }

  set(key: Key, value: Value): void {
    const known = this.#placeOf(key);
    if (known >= 0) {
      this.#values.replace(known, value);
      return;
    }
    this.#keys.push(key);
    this.#values.push(value);
    if (this.#places !== null) this.#places.set(key, this.size - 1);
    else if (this.size === INDEXED_FROM) this.#index();
  }

  /** Returns a value by its place: keys have the order in which they came. `place` is below the size. */
  valueAt(place: number): Value {
    return this.#values.at(place);
  }

  clear(): void {
    this.#keys.clear();
    this.#values.clear();
    this.#places = null;
  }

  #placeOf(key: Key): number {
    if (this.#places !== null) return this.#places.get(key) ?? -1;
    let place = this.size - 1;
    while (place >= 0 && this.#keys.at(place) !== key) place -= 1;
    return place;
  }

  #index(): void {
    this.#places = new Map();
    for (let place = 0; place < this.size; place++) this.#places.set(this.#keys.at(place), place);
  }
}
