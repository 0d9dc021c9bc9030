// The last so many things that happened: what an exchange that runs for months may remember. Pure.

export class Ring<T> {
  readonly #items: T[] = [];
  readonly #itemsMax: number;
  #next = 0;

  constructor(itemsMax: number) {
    this.#itemsMax = itemsMax;
  }

  /** Returns the one that is forgotten for it. */
  push(item: T): T | undefined {
    const at = this.#next;
    this.#next = (at + 1) % this.#itemsMax;
    const forgotten = this.#items[at];
    this.#items[at] = item;
    return forgotten;
  }

  *newestFirst(): Generator<T> {
    const { length } = this.#items;
    for (let back = 1; back <= length; back += 1) yield this.#items[(this.#next - back + length) % length]!;
  }
}
