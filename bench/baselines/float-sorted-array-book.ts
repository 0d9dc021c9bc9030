// The order book that the common exchange libraries keep: a sorted array of [price, size] in floats for each side. Binary search finds a
// level, splice adds or removes one. Baseline of the book benchmarks. Prices and sizes are decimals, as in those libraries.

export type FloatLevel = [price: number, size: number];

/** One side of the book, best level first. Keys are prices with a sign, so that both sides ascend. */
class FloatSide {
  readonly levels: FloatLevel[] = [];
  readonly #keys: number[] = [];
  readonly #sign: number;

  constructor(isBid: boolean) {
    this.#sign = isBid ? -1 : 1;
  }

  /** Stores the absolute size of a level. The size 0 removes the level. */
  store(price: number, size: number): void {
    const key = price * this.#sign;
    const at = this.#lowerBound(key);
    const isThere = this.#keys[at] === key;
    if (size !== 0) {
      if (isThere) this.levels[at]![1] = size;
      else {
        this.#keys.splice(at, 0, key);
        this.levels.splice(at, 0, [price, size]);
      }
    } else if (isThere) {
      this.#keys.splice(at, 1);
      this.levels.splice(at, 1);
    }
  }

  #lowerBound(key: number): number {
    const keys = this.#keys;
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class FloatSortedArrayBook {
  readonly sides = [new FloatSide(true), new FloatSide(false)] as const;

  /** Stores a level and returns the best price of its side, or 0 if the side is empty. */
  apply(side: 0 | 1, price: number, size: number): number {
    const own = this.sides[side];
    own.store(price, size);
    return own.levels.length === 0 ? 0 : own.levels[0]![0];
  }
}
