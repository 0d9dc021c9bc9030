// The bytes that the venue hashes for one token's book (venue-a.md §5.4), updated in place. A changed level is spliced in, so
// that one SHA-1 over existing bytes verifies a book.
//
//   {"market":"…","asset_id":"…","timestamp":"│…│","hash":"","bids":[│…│],"asks":[│…│],"min_order_size":"5",…}
//   └────────────── head ────────────────────┘ └───── middle ───────┘ └─ comma ─┘   └──────────── tail ─────────┘
//
// Venue A's feed thread.

import { hash as hashOnce } from 'node:crypto';
import { ASK, BID, type Side } from '../../core/domain/market.ts';
import { complementTicks, parseMicroShares, type Ticks } from '../../core/domain/numbers.ts';
import type { HashTerms, LevelText } from './book-document.ts';

const MIDDLE = '","hash":"","bids":[';
const BETWEEN = '],"asks":[';
const PRICE_OPEN = '{"price":"';
const SIZE_OPEN = '","size":"';
const LEVEL_CLOSE = '"}';
const PRICE_OPEN_BYTES = Buffer.from(PRICE_OPEN);
const SIZE_OPEN_BYTES = Buffer.from(SIZE_OPEN);
const LEVEL_CLOSE_BYTES = Buffer.from(LEVEL_CLOSE);
const LEVEL_FRAME_BYTES = PRICE_OPEN.length + SIZE_OPEN.length + LEVEL_CLOSE.length;
const SPARE_BYTES = 512;
const LEVELS_AT_FIRST = 64;
const COMMA = 0x2c;
const QUOTE = 0x22;

/**
 * The positions of the levels of one side. Each is a pair: a key, and the offset of the level's opening brace from the start of the list.
 * Keys ascend towards the best level on both sides, as the venue sorts them.
 */
class LevelIndex {
  count = 0;
  /** The number of bytes of the whole list. */
  length = 0;
  #pairs = new Int32Array(LEVELS_AT_FIRST * 2);

  key(position: number): number {
    return this.#pairs[position * 2]!;
  }

  start(position: number): number {
    return this.#pairs[position * 2 + 1]!;
  }

  /**
   * Returns the position of the last level with a key not above `key`, or −1 if no level has one. Searches from the best level, because
   * most changes are there.
   */
  find(key: number): number {
    const pairs = this.#pairs;
    let position = this.count - 1;
    while (position >= 0 && pairs[position * 2]! > key) position -= 1;
    return position;
  }

  /** Returns the number of bytes of the level at `position`, without the comma after it. */
  lengthAt(position: number): number {
    const end = position + 1 < this.count ? this.start(position + 1) - 1 : this.length;
    return end - this.start(position);
  }

  insert(position: number, key: number, start: number): void {
    if (this.count * 2 === this.#pairs.length) this.#grow();
    this.#pairs.copyWithin(position * 2 + 2, position * 2, this.count * 2);
    this.#pairs[position * 2] = key;
    this.#pairs[position * 2 + 1] = start;
    this.count += 1;
  }

  remove(position: number): void {
    this.#pairs.copyWithin(position * 2, position * 2 + 2, this.count * 2);
    this.count -= 1;
  }

  /** Moves every level from `position` on, because the list grew by `bytes` before them. */
  shift(position: number, bytes: number): void {
    const pairs = this.#pairs;
    for (let index = position * 2 + 1; index < this.count * 2; index += 2) pairs[index] = pairs[index]! + bytes;
    this.length += bytes;
  }

  #grow(): void {
    const pairs = this.#pairs;
    this.#pairs = new Int32Array(pairs.length * 2);
    this.#pairs.set(pairs);
  }
}

export class BookImage {
  readonly #head: string;
  readonly #sides = [new LevelIndex(), new LevelIndex()] as const;
  #bytes = Buffer.alloc(0);
  /** The part of `#bytes` that is hashed. It is made anew when its length changes. */
  #hashed = this.#bytes;
  #timestampLength = 0;
  #bidsAt = 0;
  #tailLength = 0;

  constructor(market: string, tokenId: string) {
    this.#head = `{"market":"${market}","asset_id":"${tokenId}","timestamp":"`;
  }

  /** Sets a whole book. Levels are worst first. */
  load(timestamp: string, bids: readonly LevelText[], asks: readonly LevelText[], terms: HashTerms): void {
    const lists = [bids, asks].map(levels =>
      levels.map(level => PRICE_OPEN + level.priceText + SIZE_OPEN + level.sizeText + LEVEL_CLOSE),
    );
    for (const side of [BID, ASK] as const) this.#index(side, side === BID ? bids : asks, lists[side]!);
    const [bidsText, asksText] = lists.map(list => list.join(','));
    const front = `${this.#head}${timestamp}${MIDDLE}`;
    this.#timestampLength = timestamp.length;
    this.#bidsAt = front.length;
    this.#reserve(front.length + bidsText!.length + BETWEEN.length + asksText!.length);
    this.#bytes.write(`${front}${bidsText}${BETWEEN}${asksText}`, 'latin1');
    this.setTerms(terms);
  }

  setTerms(terms: HashTerms): void {
    const tail =
      `],"min_order_size":"${terms.minOrderSize}","tick_size":"${terms.tickSize}","neg_risk":${terms.negRisk},` +
      `"last_trade_price":"${terms.lastTradePrice}"}`;
    this.#tailLength = tail.length;
    this.#reserve(this.#tailAt() + tail.length);
    this.#bytes.write(tail, this.#tailAt(), 'latin1');
  }

  /** Writes the time that the next `digest` covers, from `length` bytes of a frame. */
  setTimestamp(source: Uint8Array, at: number, length: number): void {
    if (length !== this.#timestampLength) {
      this.#splice(this.#head.length, this.#timestampLength, length);
      this.#bidsAt += length - this.#timestampLength;
      this.#timestampLength = length;
    }
    this.#copy(source, at, length, this.#head.length);
  }

  /** Sets or adds a level, or removes it if `isRemoval`. Price and size are text in `source`. Returns false if nothing changed. */
  change(
    side: Side,
    price: Ticks,
    isRemoval: boolean,
    source: Uint8Array,
    priceAt: number,
    priceLength: number,
    sizeAt: number,
    sizeLength: number,
  ): boolean {
    const index = this.#sides[side];
    const key = keyOf(side, price);
    const position = index.find(key);
    const isThere = position >= 0 && index.key(position) === key;
    if (isRemoval) {
      if (isThere) this.#remove(side, position);
      return isThere;
    }
    if (isThere) return this.#resize(side, position, source, sizeAt, sizeLength);
    this.#insert(side, position + 1, key, priceLength + sizeLength + LEVEL_FRAME_BYTES);
    const at = this.#listAt(side) + index.start(position + 1);
    this.#copy(PRICE_OPEN_BYTES, 0, PRICE_OPEN.length, at);
    this.#copy(source, priceAt, priceLength, at + PRICE_OPEN.length);
    const sizeOpenAt = at + PRICE_OPEN.length + priceLength;
    this.#copy(SIZE_OPEN_BYTES, 0, SIZE_OPEN.length, sizeOpenAt);
    this.#copy(source, sizeAt, sizeLength, sizeOpenAt + SIZE_OPEN.length);
    this.#copy(LEVEL_CLOSE_BYTES, 0, LEVEL_CLOSE.length, sizeOpenAt + SIZE_OPEN.length + sizeLength);
    return true;
  }

  /** Returns the SHA-1 of the image in hexadecimal. */
  digest(): string {
    const length = this.#tailAt() + this.#tailLength;
    if (this.#hashed.length !== length) this.#hashed = this.#bytes.subarray(0, length);
    return hashOnce('sha1', this.#hashed, 'hex');
  }

  /** Returns the levels of a side as text, worst first. */
  levels(side: Side): LevelText[] {
    const index = this.#sides[side];
    return Array.from({ length: index.count }, (_, position) => {
      const at = this.#listAt(side) + index.start(position);
      const text = this.#bytes.toString('latin1', at, at + index.lengthAt(position));
      const sizeOpenAt = text.indexOf(SIZE_OPEN);
      const sizeText = text.slice(sizeOpenAt + SIZE_OPEN.length, -LEVEL_CLOSE.length);
      return {
        price: priceOf(side, index.key(position)),
        size: parseMicroShares(sizeText)!,
        priceText: text.slice(PRICE_OPEN.length, sizeOpenAt),
        sizeText,
      };
    });
  }

  get isEmpty(): boolean {
    return this.#sides[BID].count + this.#sides[ASK].count === 0;
  }

  hasSameLevels(other: BookImage): boolean {
    return this.#levelBytes().equals(other.#levelBytes());
  }

  /** Returns the whole image as text, for people and tests. */
  text(): string {
    return this.#bytes.toString('latin1', 0, this.#tailAt() + this.#tailLength);
  }

  #levelBytes(): Buffer {
    return this.#bytes.subarray(this.#bidsAt, this.#tailAt());
  }

  #index(side: Side, levels: readonly LevelText[], texts: readonly string[]): void {
    const index = this.#sides[side];
    index.count = 0;
    index.length = 0;
    for (const [position, text] of texts.entries()) {
      const start = position === 0 ? 0 : index.length + 1;
      index.insert(position, keyOf(side, levels[position]!.price), start);
      index.length = start + text.length;
    }
  }

  #resize(side: Side, position: number, source: Uint8Array, sizeAt: number, sizeLength: number): boolean {
    const index = this.#sides[side];
    const start = this.#listAt(side) + index.start(position);
    let at = start + PRICE_OPEN.length;
    while (this.#bytes[at] !== QUOTE) at += 1;
    at += SIZE_OPEN.length;
    const oldLength = start + index.lengthAt(position) - LEVEL_CLOSE.length - at;
    if (sizeLength === oldLength && this.#equals(source, sizeAt, sizeLength, at)) return false;
    if (sizeLength !== oldLength) {
      this.#splice(at, oldLength, sizeLength);
      index.shift(position + 1, sizeLength - oldLength);
    }
    this.#copy(source, sizeAt, sizeLength, at);
    return true;
  }

  /** Makes room for a level of `length` bytes and writes the comma between it and its neighbour, if there is one. */
  #insert(side: Side, position: number, key: number, length: number): void {
    const index = this.#sides[side];
    const listAt = this.#listAt(side);
    const isLast = position === index.count;
    const isAlone = index.count === 0;
    const from = isLast ? index.length : index.start(position);
    this.#splice(listAt + from, 0, isAlone ? length : length + 1);
    index.insert(position, key, isLast && !isAlone ? from + 1 : from);
    index.shift(position + 1, isAlone ? length : length + 1);
    if (!isAlone) this.#bytes[listAt + (isLast ? from : from + length)] = COMMA;
  }

  #remove(side: Side, position: number): void {
    const index = this.#sides[side];
    const isAlone = index.count === 1;
    const isLast = position === index.count - 1;
    const length = index.lengthAt(position) + (isAlone ? 0 : 1);
    const from = index.start(position) - (isLast && !isAlone ? 1 : 0);
    this.#splice(this.#listAt(side) + from, length, 0);
    index.remove(position);
    index.shift(position, -length);
  }

  /**
   * Replaces `oldLength` bytes at `at` by room for `newLength` bytes. The caller updates the lengths and offsets that are kept elsewhere.
   */
  #splice(at: number, oldLength: number, newLength: number): void {
    const end = this.#tailAt() + this.#tailLength;
    this.#reserve(end + newLength - oldLength);
    this.#bytes.copyWithin(at + newLength, at + oldLength, end);
  }

  #copy(source: Uint8Array, from: number, length: number, to: number): void {
    const bytes = this.#bytes;
    for (let index = 0; index < length; index += 1) bytes[to + index] = source[from + index]!;
  }

  #equals(source: Uint8Array, from: number, length: number, at: number): boolean {
    const bytes = this.#bytes;
    for (let index = 0; index < length; index += 1) if (bytes[at + index] !== source[from + index]) return false;
    return true;
  }

  #listAt(side: Side): number {
    return side === BID ? this.#bidsAt : this.#bidsAt + this.#sides[BID].length + BETWEEN.length;
  }

  #tailAt(): number {
    return this.#listAt(ASK) + this.#sides[ASK].length;
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(length + SPARE_BYTES);
    this.#bytes.copy(grown);
    this.#bytes = grown;
    this.#hashed = grown;
  }
}

function keyOf(side: Side, price: Ticks): number {
  return side === BID ? price : complementTicks(price);
}

function priceOf(side: Side, key: number): Ticks {
  return side === BID ? (key as Ticks) : complementTicks(key as Ticks);
}
