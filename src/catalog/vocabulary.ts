// The words of markets as numbers, and which markets have which words. A word is kept once, and keeps its number and its place in the
// order from one catalog to the next: sorting and hashing half a million of them takes a second. Catalog thread.

export interface WordIndex {
  /** In order. */
  readonly words: readonly string[];
  /** Of each word, where its markets begin; and one more, the end. */
  readonly firstPosting: Uint32Array;
  readonly postings: Uint32Array;
}

export class Vocabulary {
  readonly #words: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** Numbers, in the order of their words. */
  #order: readonly number[] = [];

  get size(): number {
    return this.#words.length;
  }

  /** Of each word the number, once. */
  numbersOf(words: Iterable<string>): readonly number[] {
    return [...new Set(Array.from(words, word => this.#numberOf(word)))];
  }

  /** Of markets by their place, each with the numbers of its words, each number once. */
  index(numbersOfMarkets: readonly (readonly number[])[]): WordIndex {
    const counts = new Uint32Array(this.size);
    for (const numbers of numbersOfMarkets) for (const number of numbers) counts[number]! += 1;
    const used = this.#inOrder().filter(number => counts[number]! > 0);
    const firstPosting = new Uint32Array(used.length + 1);
    /** Where the next market of a word goes. */
    const next = new Uint32Array(this.size);
    for (const [place, number] of used.entries()) {
      next[number] = firstPosting[place]!;
      firstPosting[place + 1] = firstPosting[place]! + counts[number]!;
    }
    const postings = new Uint32Array(firstPosting[used.length]!);
    for (const [market, numbers] of numbersOfMarkets.entries()) {
      for (const number of numbers) {
        postings[next[number]!] = market;
        next[number]! += 1;
      }
    }
    return { words: used.map(number => this.#words[number]!), firstPosting, postings };
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    // A copy: a word that was cut from a text would keep the whole text in memory.
    const own = Buffer.from(word).toString();
    this.#words.push(own);
    this.#numbers.set(own, this.#words.length - 1);
    return this.#words.length - 1;
  }

  #inOrder(): readonly number[] {
    if (this.#order.length === this.size) return this.#order;
    const inOrder = (a: number, b: number): number => (this.#words[a]! < this.#words[b]! ? -1 : 1);
    const fresh = Array.from({ length: this.size - this.#order.length }, (_, index) => this.#order.length + index);
    // Two runs, which the second sort finds and merges.
    this.#order = [...this.#order, ...fresh.sort(inOrder)].sort(inOrder);
    return this.#order;
  }
}
