// The words of markets as numbers, and which markets have which words. A word is kept once, and keeps its number and its place in the
// order from one catalog to the next: sorting and hashing half a million of them takes a second. Catalog thread.

import { grown, UTF8_PER_UNIT, WordTable } from './word-table.ts';
import { wordsOf } from './words.ts';

export interface WordIndex {
  /** In UTF-8, in the order of its bytes. */
  readonly wordTexts: Uint8Array;
  /** Of each word, where it begins; and one more, the end. */
  readonly wordStart: Uint32Array;
  /** Of each word, where its markets begin; and one more, the end. */
  readonly firstPosting: Uint32Array;
  readonly postings: Uint32Array;
}

/** Which of the first 128 characters are parts of words. */
const IN_WORD = Uint8Array.from({ length: 128 }, (_, code) => Number(/[0-9A-Za-z]/.test(String.fromCharCode(code))));
/** Of a market, as a rule: room for them is made at once, since memory that was outgrown is there until the next whole collection. */
const WORDS_PER_MARKET = 4;
const BYTES_PER_MARKET = 160;
const NUMBERS_PER_MARKET = 32;
const ENCODER = new TextEncoder();

export class Vocabulary {
  readonly #table: WordTable;
  /** Lists of numbers: how many, and then these. */
  #lists: Uint32Array;
  #listsEnd = 0;
  /** Of each word, the last list that it was put into. */
  #lastList: Uint32Array;
  #listCount = 0;
  /** Of the text that is being cut. */
  #text = new Uint8Array();
  /** Numbers, in the order of their words. */
  #order: readonly number[] = [];

  constructor(marketsExpected: number) {
    const words = WORDS_PER_MARKET * marketsExpected;
    this.#table = new WordTable(words, BYTES_PER_MARKET * marketsExpected);
    this.#lists = new Uint32Array(NUMBERS_PER_MARKET * marketsExpected);
    this.#lastList = new Uint32Array(words);
  }

  /** Words and places in lists that were ever needed: mostly of markets that are gone after a while. */
  get size(): number {
    return this.#table.size + this.#listsEnd;
  }

  /** Makes a list of the words of texts and of ids, which are words too: whole, and in parts. Returns what `index` knows it by. */
  listOf(texts: readonly string[], ids: readonly string[]): number {
    const list = this.#listsEnd;
    this.#listCount += 1;
    this.#append(0);
    // As one text: it is the encoding that costs.
    this.#addWordsOf(texts.join(' '));
    for (const id of ids) if (!this.#addWordsOf(id)) this.#add(this.#table.numberOf(id.toLowerCase()));
    this.#lists[list] = this.#listsEnd - list - 1;
    return list;
  }

  /** Of markets by their place, each with its list. */
  index(listOfMarkets: readonly number[]): WordIndex {
    const lists = this.#lists;
    const counts = new Uint32Array(this.#table.size);
    for (const list of listOfMarkets) {
      for (let at = list + 1; at <= list + lists[list]!; at++) counts[lists[at]!]! += 1;
    }
    const used = this.#inOrder().filter(number => counts[number]! > 0);
    const firstPosting = new Uint32Array(used.length + 1);
    /** Where the next market of a word goes. */
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

  /** Whether the text is one word. */
  #addWordsOf(text: string): boolean {
    if (text.length * UTF8_PER_UNIT > this.#text.length) this.#text = grown(this.#text, text.length * UTF8_PER_UNIT);
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

  /** Each once in a list. */
  #add(number: number): void {
    if (number >= this.#lastList.length) this.#lastList = grown(this.#lastList, number + 1);
    if (this.#lastList[number] === this.#listCount) return;
    this.#lastList[number] = this.#listCount;
    this.#append(number);
  }

  #append(number: number): void {
    if (this.#listsEnd === this.#lists.length) this.#lists = grown(this.#lists, this.#listsEnd + 1);
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
    // Two runs, which the second sort finds and merges.
    this.#order = [...this.#order, ...fresh.sort(inOrder)].sort(inOrder);
    return this.#order;
  }
}
