// Numbers the words of markets, and indexes which markets have which words. A word keeps its number, and its place in the order, from
// catalog to catalog: sorting and hashing half a million words takes a second. Catalog thread.

import { randomInt } from 'node:crypto';

const SEPARATORS = /[^\p{L}\p{N}]+/u;

const ACCENTS = /\p{M}+/gu;

/** The base letters of letters that Unicode does not split into a base letter and an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

const ASCII = /^[\x20-\x7e]*$/;

/** One part of a query between blanks. */
export interface SearchTerm {
  /** The term as a whole, which may begin an id: an id is a word with hyphens. */
  readonly whole: string;
  /** The words of the term, if it begins no id. */
  readonly words: readonly string[];
}

export function wordsOf(text: string): readonly string[] {
  return plain(text)
    .split(SEPARATORS)
    .filter(word => word !== '');
}

/** Returns the terms of a query. A term without a letter or digit is left out. */
export function termsOf(text: string): readonly SearchTerm[] {
  const terms = plain(text)
    .split(/\s+/)
    .map(whole => ({ whole, words: wordsOf(whole) }));
  return terms.filter(({ words }) => words.length > 0);
}

/** `text` must be in lower case. */
export function withBaseLetters(text: string): string {
  return text.replace(/[øłđðþßæœı]/g, letter => LETTERS[letter]!);
}

function plain(text: string): string {
  // Most texts are plain ASCII. For them this takes a tenth of the time.
  if (ASCII.test(text)) return text.toLowerCase();
  return withBaseLetters(text.normalize('NFKD').replace(ACCENTS, '').toLowerCase());
}

export interface WordIndex {
  /** The words as UTF-8, in byte order. */
  readonly wordTexts: Uint8Array;
  /** The start of each word in `wordTexts`, and the end of the last word. */
  readonly wordStart: Uint32Array;
  /** The start of each word's markets in `postings`, and the end of the last word's. */
  readonly firstPosting: Uint32Array;
  readonly postings: Uint32Array;
}

/** The ASCII characters that are parts of words. */
const IN_WORD = Uint8Array.from({ length: 128 }, (_, code) => Number(/[0-9A-Za-z]/.test(String.fromCharCode(code))));
/**
 * Typical numbers per market. Memory of this size is allocated at once, because outgrown memory stays until the next full garbage
 * collection.
 */
const WORDS_PER_MARKET = 4;
const BYTES_PER_MARKET = 160;
const NUMBERS_PER_MARKET = 32;
const ENCODER = new TextEncoder();

export class Vocabulary {
  readonly #table: WordTable;
  /** The lists of words' numbers, one behind the other. Each list begins with its length. */
  #lists: Uint32Array;
  #listsEnd = 0;
  /** For each word, the number of the last list that has it. */
  #lastList: Uint32Array;
  #listCount = 0;
  /** The bytes of the text that is being read. */
  #text = new Uint8Array();
  /** The numbers of the words, in the order of the words. */
  #order: readonly number[] = [];

  constructor(marketsExpected: number) {
    const words = WORDS_PER_MARKET * marketsExpected;
    this.#table = new WordTable(words, BYTES_PER_MARKET * marketsExpected);
    this.#lists = new Uint32Array(NUMBERS_PER_MARKET * marketsExpected);
    this.#lastList = new Uint32Array(words);
  }

  /** The number of words and list entries ever added. After a while most of them belong to markets that are gone. */
  get size(): number {
    return this.#table.size + this.#listsEnd;
  }

  /** Makes a list of the words of texts and ids. An id counts as a whole and in parts. Returns the list's handle for `index`. */
  listOf(texts: readonly string[], ids: readonly string[]): number {
    const list = this.#listsEnd;
    this.#listCount += 1;
    this.#append(0);
    // The texts are joined into one, because each call of the encoder is expensive.
    this.#addWordsOf(texts.join(' '));
    for (const id of ids) if (!this.#addWordsOf(id)) this.#add(this.#table.numberOf(id.toLowerCase()));
    this.#lists[list] = this.#listsEnd - list - 1;
    return list;
  }

  /** Builds the index. `listOfMarkets` has the handle of each market's list, by the market's place. */
  index(listOfMarkets: readonly number[]): WordIndex {
    const lists = this.#lists;
    const counts = new Uint32Array(this.#table.size);
    for (const list of listOfMarkets) {
      for (let at = list + 1; at <= list + lists[list]!; at++) counts[lists[at]!]! += 1;
    }
    const used = this.#inOrder().filter(number => counts[number]! > 0);
    const firstPosting = new Uint32Array(used.length + 1);
    /** For each word, the place of its next posting. */
    const next = new Uint32Array(this.#table.size);
    for (let place = 0; place < used.length; place++) {
      const number = used[place]!;
      next[number] = firstPosting[place]!;
      firstPosting[place + 1] = firstPosting[place]! + counts[number]!;
    }
    const postings = new Uint32Array(firstPosting[used.length]!);
    for (let market = 0; market < listOfMarkets.length; market++) {
      const list = listOfMarkets[market]!;
      for (let at = list + 1; at <= list + lists[list]!; at++) postings[next[lists[at]!]!++] = market;
    }
    return { ...this.#textsOf(used), firstPosting, postings };
  }

  /** Adds the words of a text. Returns whether the text is a single word. */
  #addWordsOf(text: string): boolean {
    if (text.length * UTF8_PER_UNIT > this.#text.length) this.#text = enlarge(this.#text, text.length * UTF8_PER_UNIT);
    const bytes = this.#text;
    const { written } = ENCODER.encodeInto(text, bytes);
    if (written !== text.length) {
      for (const word of wordsOf(text)) this.#add(this.#table.numberOf(word));
      return false;
    }
    let first = 0;
    for (let at = 0; at < written; at++) {
      if (IN_WORD[bytes[at]!] === 1) continue;
      if (at > first) this.#add(this.#table.numberOfBytes(bytes, first, at));
      first = at + 1;
    }
    if (written > first) this.#add(this.#table.numberOfBytes(bytes, first, written));
    return first === 0;
  }

  /** Adds a word to the current list, unless the list has it already. */
  #add(number: number): void {
    if (number >= this.#lastList.length) this.#lastList = enlarge(this.#lastList, number + 1);
    if (this.#lastList[number] === this.#listCount) return;
    this.#lastList[number] = this.#listCount;
    this.#append(number);
  }

  #append(number: number): void {
    if (this.#listsEnd === this.#lists.length) this.#lists = enlarge(this.#lists, this.#listsEnd + 1);
    this.#lists[this.#listsEnd] = number;
    this.#listsEnd += 1;
  }

  #textsOf(numbers: readonly number[]): Pick<WordIndex, 'wordTexts' | 'wordStart'> {
    const table = this.#table;
    const wordStart = new Uint32Array(numbers.length + 1);
    for (let place = 0; place < numbers.length; place++) {
      wordStart[place + 1] = wordStart[place]! + table.byteLengthOf(numbers[place]!);
    }
    const wordTexts = new Uint8Array(wordStart[numbers.length]!);
    for (let place = 0; place < numbers.length; place++) table.write(numbers[place]!, wordTexts, wordStart[place]!);
    return { wordTexts, wordStart };
  }

  #inOrder(): readonly number[] {
    const { size } = this.#table;
    if (this.#order.length === size) return this.#order;
    const inOrder = (a: number, b: number): number => this.#table.compare(a, b);
    const fresh = Array.from({ length: size - this.#order.length }, (_, index) => this.#order.length + index);
    // The outer sort finds two sorted runs and merges them.
    this.#order = [...this.#order, ...fresh.sort(inOrder)].sort(inOrder);
    return this.#order;
  }
}

// The words are kept as UTF-8 bytes in one array, with a hash table of their numbers. As strings in a Map, half a million words would be
// objects that every garbage collection visits, and each look-up would cut a string.

/** The most bytes of a UTF-16 code unit in UTF-8. */
const UTF8_PER_UNIT = 3;
/** The factor by which an array grows. Unused room is never freed. */
const GROWTH = 1.25;
const FNV_PRIME = 0x0100_0193;

class WordTable {
  #bytes: Uint8Array;
  /** The start of each word in `#bytes`, and the end of the last word. */
  #starts: Uint32Array;
  /**
   * The hash table: each slot has a word's number + 1, or 0 if the slot is free. The number of slots is a power of two; at most half are
   * used.
   */
  #slots: Uint32Array;
  /** The seed is random, so that authors of titles cannot know which words share a slot. */
  readonly #seed = randomInt(2 ** 32);
  #size = 0;

  /** `words` and `bytes` are the room at the start; it grows. */
  constructor(words: number, bytes: number) {
    this.#bytes = new Uint8Array(bytes);
    this.#starts = new Uint32Array(words + 1);
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * words + 2)));
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the number of a word. A new word gets a new number. */
  numberOf(word: string): number {
    this.#makeRoom(word.length * UTF8_PER_UNIT);
    const start = this.#starts[this.#size]!;
    return this.#numberOfPendingWord(start + ENCODER.encodeInto(word, this.#bytes.subarray(start)).written);
  }

  /** Returns the number of an ASCII word inside a text. Capitals count as lower case. */
  numberOfBytes(text: Uint8Array, first: number, end: number): number {
    this.#makeRoom(end - first);
    const bytes = this.#bytes;
    let to = this.#starts[this.#size]!;
    for (let at = first; at < end; at++) {
      const byte = text[at]!;
      bytes[to++] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    }
    return this.#numberOfPendingWord(to);
  }

  byteLengthOf(number: number): number {
    return this.#starts[number + 1]! - this.#starts[number]!;
  }

  write(number: number, to: Uint8Array, at: number): void {
    const end = this.#starts[number + 1]!;
    let next = at;
    for (let from = this.#starts[number]!; from < end; from++) to[next++] = this.#bytes[from]!;
  }

  /** Compares two words by their bytes, which is the order of code points. */
  compare(one: number, another: number): number {
    let [a, b] = [this.#starts[one]!, this.#starts[another]!];
    const [lengthOfOne, lengthOfOther] = [this.byteLengthOf(one), this.byteLengthOf(another)];
    const end = a + Math.min(lengthOfOne, lengthOfOther);
    const bytes = this.#bytes;
    for (; a < end; a++, b++) if (bytes[a] !== bytes[b]) return bytes[a]! - bytes[b]!;
    return lengthOfOne - lengthOfOther;
  }

  /** Returns the number of the word whose bytes were just written behind all others. The bytes stay there if the word is new. */
  #numberOfPendingWord(end: number): number {
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
    if (this.#size === this.#starts.length) this.#starts = enlarge(this.#starts, this.#size + 1);
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
    if (end > this.#bytes.length) this.#bytes = enlarge(this.#bytes, end);
  }
}

/** Returns a copy with at least this length. */
function enlarge<Numbers extends Uint8Array | Uint32Array>(numbers: Numbers, lengthMin: number): Numbers {
  const longer = new (numbers.constructor as new (length: number) => Numbers)(Math.ceil(GROWTH * lengthMin));
  longer.set(numbers);
  return longer;
}
