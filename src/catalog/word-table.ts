// Numbers words in UTF-8: their bytes in one array, and a hash table of their numbers. As strings in a Map, half a million words would be
// objects for every garbage collection, and each look-up would cut a string. Catalog thread.

import { randomInt } from 'node:crypto';

/** Maximum bytes of a UTF-16 code unit. */
export const UTF8_PER_UNIT = 3;
/** Growth factor; unused room is never freed. */
const GROWTH = 1.25;
const FNV_PRIME = 0x0100_0193;
const ENCODER = new TextEncoder();

export class WordTable {
  #bytes: Uint8Array;
  /** Start of each word, and the end of the last. */
  #starts: Uint32Array;
  /** Number + 1 of the word, 0 if free; a power of two, at most half full. */
  #slots: Uint32Array;
  /** Random: authors of titles cannot know which words share a slot. */
  readonly #seed = randomInt(2 ** 32);
  #size = 0;

  /** Initial room in words and bytes; it grows. */
  constructor(words: number, bytes: number) {
    this.#bytes = new Uint8Array(bytes);
    this.#starts = new Uint32Array(words + 1);
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * words + 2)));
  }

  get size(): number {
    return this.#size;
  }

  /** The number of a word; a new number for a new word. */
  numberOf(word: string): number {
    this.#makeRoom(word.length * UTF8_PER_UNIT);
    const start = this.#starts[this.#size]!;
    return this.#numberSpelt(start + ENCODER.encodeInto(word, this.#bytes.subarray(start)).written);
  }

  /** The number of an ASCII word inside a text, in lower case. */
  numberOfBytes(text: Uint8Array, first: number, end: number): number {
    this.#makeRoom(end - first);
    const bytes = this.#bytes;
    let to = this.#starts[this.#size]!;
    for (let at = first; at < end; at++) {
      const byte = text[at]!;
      bytes[to++] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    }
    return this.#numberSpelt(to);
  }

  byteLengthOf(number: number): number {
    return this.#starts[number + 1]! - this.#starts[number]!;
  }

  write(number: number, to: Uint8Array, at: number): void {
    const end = this.#starts[number + 1]!;
    let next = at;
    for (let from = this.#starts[number]!; from < end; from++) to[next++] = this.#bytes[from]!;
  }

  /** Byte order, which is the order of code points. */
  compare(one: number, another: number): number {
    let [a, b] = [this.#starts[one]!, this.#starts[another]!];
    const [lengthOfOne, lengthOfOther] = [this.byteLengthOf(one), this.byteLengthOf(another)];
    const end = a + Math.min(lengthOfOne, lengthOfOther);
    const bytes = this.#bytes;
    for (; a < end; a++, b++) if (bytes[a] !== bytes[b]) return bytes[a]! - bytes[b]!;
    return lengthOfOne - lengthOfOther;
  }

  /** The number of the word that was just spelt behind the others; it stays there if it is new. */
  #numberSpelt(end: number): number {
    const start = this.#starts[this.#size]!;
    const last = this.#slots.length - 1;
    for (let slot = this.#hash(start, end) & last; ; slot = (slot + 1) & last) {
      const number = this.#slots[slot]! - 1;
      if (number < 0) return this.#enter(slot, end);
      if (this.#isAt(number, start, end)) return number;
    }
  }

  #enter(slot: number, end: number): number {
    const number = this.#size;
    this.#size += 1;
    if (this.#size === this.#starts.length) this.#starts = grown(this.#starts, this.#size + 1);
    this.#starts[this.#size] = end;
    this.#slots[slot] = number + 1;
    if (2 * this.#size > this.#slots.length) this.#rehash();
    return number;
  }

  #rehash(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    const last = this.#slots.length - 1;
    for (let number = 0; number < this.#size; number++) {
      let slot = this.#hash(this.#starts[number]!, this.#starts[number + 1]!) & last;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & last;
      this.#slots[slot] = number + 1;
    }
  }

  #hash(start: number, end: number): number {
    const bytes = this.#bytes;
    let hash = this.#seed;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, FNV_PRIME);
    return hash ^ (hash >>> 15);
  }

  #isAt(number: number, start: number, end: number): boolean {
    const bytes = this.#bytes;
    const known = this.#starts[number]!;
    if (this.#starts[number + 1]! - known !== end - start) return false;
    for (let at = start; at < end; at++) if (bytes[known + at - start] !== bytes[at]) return false;
    return true;
  }

  /** Makes room for one more word. */
  #makeRoom(bytes: number): void {
    const end = this.#starts[this.#size]! + bytes;
    if (end > this.#bytes.length) this.#bytes = grown(this.#bytes, end);
  }
}

/** A copy that has at least this length. */
export function grown<Numbers extends Uint8Array | Uint32Array>(numbers: Numbers, lengthMin: number): Numbers {
  const longer = new (numbers.constructor as new (length: number) => Numbers)(Math.ceil(GROWTH * lengthMin));
  longer.set(numbers);
  return longer;
}
