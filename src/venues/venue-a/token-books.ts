// The two books of a market as images, one per token, and whether they match the venue's hashes. The images are never visible to other
// threads: market-book.ts publishes what is proven. Venue A's feed thread.

import { ASK, BID, COMPLEMENT, PRIMARY, type View } from '../../core/domain/market.ts';
import { complementTicks, formatTicks, type Ticks } from '../../core/domain/numbers.ts';
import { type BookDocument, type HashTerms, mirrorLevels } from './book-document.ts';
import { BookImage } from './book-image.ts';
import type { PendingChange } from './doubt.ts';
import type { MarketFacts } from './market-facts.ts';
import { HASH_HEX_LENGTH, type PriceChanges } from './price-changes.ts';
import { viewOfSlot } from './token-table.ts';

const NONE = -1;
/** A stand-in for the timestamp of an image: each digest sets its own timestamp. */
const UNSTAMPED = '0';

/** A book document as an image, and whether its own hash matches. */
export interface Reading {
  readonly view: View;
  readonly image: BookImage;
  readonly timestamp: string;
  readonly terms: HashTerms;
  readonly isProven: boolean;
}

export class TokenBooks {
  readonly #market: string;
  readonly #tokens: readonly [string, string];
  #terms: HashTerms;
  #images: [BookImage, BookImage];
  /** The price of the last announced trade, which the next hash may contain. */
  #announcedTrade: Ticks | null = null;

  #hasChanged = false;

  constructor(facts: MarketFacts) {
    this.#market = facts.conditionId;
    this.#tokens = [facts.primaryToken, facts.complementToken];
    const { minOrderSize, tickSize, negRisk } = facts;
    this.#terms = { minOrderSize, tickSize, negRisk, lastTradePrice: '' };
    this.#images = [this.#emptyImage(PRIMARY), this.#emptyImage(COMPLEMENT)];
  }

  get terms(): HashTerms {
    return this.#terms;
  }

  /** The image of the first token, whose frame is the frame of the published book. */
  get primary(): BookImage {
    return this.#images[PRIMARY];
  }

  /** Whether the last `stage` changed anything: a repeated frame does not. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  setTerms(terms: HashTerms): void {
    this.#terms = terms;
    for (const image of this.#images) image.setTerms(terms);
  }

  /** Notes an announced trade. The text in the hash changes only when a hash proves the new text. */
  announceTrade(price: Ticks): void {
    this.#announcedTrade = price;
  }

  viewOf(tokenId: string): View | null {
    const view = this.#tokens.indexOf(tokenId);
    return view < 0 ? null : (view as View);
  }

  /** Builds the image of a document. The present images stay. */
  read(view: View, document: BookDocument): Reading {
    const image = this.#emptyImage(view);
    let terms = { ...this.#terms, ...document.terms };
    image.load(document.timestamp, document.bids, document.asks, terms);
    let isProven = image.digest() === document.hash;
    if (!isProven && document.terms.lastTradePrice === undefined && this.#announcedTrade !== null) {
      for (const lastTradePrice of this.#tradeTexts([this.#announcedTrade])) {
        image.setTerms({ ...terms, lastTradePrice });
        isProven = image.digest() === document.hash;
        if (!isProven) continue;
        terms = { ...terms, lastTradePrice };
        break;
      }
    }
    return { view, image, timestamp: document.timestamp, terms, isProven };
  }

  /** Whether a reading shows the current levels. */
  hasLevelsOf({ view, image }: Reading): boolean {
    return this.#images[view].hasSameLevels(image);
  }

  /** Returns the present state, to be restored if the next `stage` is wrong. */
  savedState(): Reading {
    const image = this.#emptyImage(PRIMARY);
    image.load(UNSTAMPED, this.primary.levels(BID), this.primary.levels(ASK), this.#terms);
    return { view: PRIMARY, image, timestamp: UNSTAMPED, terms: this.#terms, isProven: true };
  }

  /** Adopts a reading for its token, and its mirror for the other token. */
  take({ view, image, timestamp, terms }: Reading): void {
    const other = view === PRIMARY ? COMPLEMENT : PRIMARY;
    const mirror = this.#emptyImage(other);
    mirror.load(timestamp, mirrorLevels(image.levels(ASK)), mirrorLevels(image.levels(BID)), terms);
    this.#images = view === PRIMARY ? [image, mirror] : [mirror, image];
    this.setTerms(terms);
  }

  /** Splices entries [from, to) into the images. False if the two tokens' entries contradict each other. */
  stage(bytes: Uint8Array, changes: PriceChanges, from: number, to: number): boolean {
    this.#hasChanged = false;
    for (let entry = from; entry < to; entry += 1) {
      const isNew = this.#images[viewOfSlot(changes.slot(entry))].change(
        changes.side(entry),
        changes.price(entry),
        changes.size(entry) === 0,
        bytes,
        changes.priceAt(entry),
        changes.priceLength(entry),
        changes.sizeAt(entry),
        changes.sizeLength(entry),
      );
      if (isNew) this.#hasChanged = true;
    }
    if (to - from === 2 && changes.isMirrorLevel(from, from + 1)) return changes.size(from) === changes.size(from + 1);
    return this.#mirrorUnpaired(bytes, changes, from, to);
  }

  /**
   * Returns how many hashes prove the images. Only the last hash of each token in [from, to) counts, because it covers the whole book.
   * Returns 0 if one of these hashes does not match.
   */
  proofs(bytes: Uint8Array, changes: PriceChanges, from: number, to: number): number {
    let count = 0;
    for (const view of [PRIMARY, COMPLEMENT] as const) {
      const entry = lastEntry(changes, from, to, view);
      if (entry === NONE) continue;
      if (!this.#matchesEntry(bytes, changes, view, entry)) return 0;
      count += 1;
    }
    return count;
  }

  /**
   * Like `proofs`, but tries each last trade price that the change may have brought (venue-a.md §5.3). These are the price of the changed
   * level, its complement, and the price of the last announced trade. Adopts the price that proves the images.
   */
  proofsAfterTrade(bytes: Uint8Array, changes: PriceChanges, from: number, to: number): number {
    const prices = this.#announcedTrade === null ? [] : [this.#announcedTrade];
    for (let entry = from; entry < to; entry += 1) prices.unshift(changes.price(entry));
    const terms = this.#terms;
    for (const lastTradePrice of this.#tradeTexts(prices)) {
      this.setTerms({ ...terms, lastTradePrice });
      const count = this.proofs(bytes, changes, from, to);
      if (count > 0) return count;
    }
    this.setTerms(terms);
    return 0;
  }

  /** Applies held-back changes and returns whether their last hashes prove the images. */
  replay(changes: readonly PendingChange[]): boolean {
    for (const { view, side, price, size, priceText, sizeText } of changes) {
      const text = Buffer.from(priceText + sizeText);
      this.#images[view].change(side, price, size === 0, text, 0, priceText.length, priceText.length, sizeText.length);
    }
    const last = [PRIMARY, COMPLEMENT].map(view => changes.findLast(change => change.view === view));
    const prices = last.flatMap(change => (change === undefined ? [] : [change.price]));
    const terms = this.#terms;
    for (const lastTradePrice of [terms.lastTradePrice, ...this.#tradeTexts(prices)]) {
      this.setTerms({ ...terms, lastTradePrice });
      if (last.every(change => change === undefined || this.#isProvenBy(change))) return true;
    }
    return false;
  }

  #isProvenBy({ view, timestamp, hash }: PendingChange): boolean {
    const image = this.#images[view];
    image.setTimestamp(Buffer.from(timestamp), 0, timestamp.length);
    return image.digest() === hash;
  }

  #tradeTexts(prices: readonly Ticks[]): Set<string> {
    const { tickSize, lastTradePrice } = this.#terms;
    const texts = prices
      .flatMap(price => [price, complementTicks(price)])
      .flatMap(price => lastTradeTexts(price, tickSize));
    const candidates = new Set(texts);
    candidates.delete(lastTradePrice);
    return candidates;
  }

  #matchesEntry(bytes: Uint8Array, changes: PriceChanges, view: View, entry: number): boolean {
    const image = this.#images[view];
    image.setTimestamp(bytes, changes.timestampAt, changes.timestampLength);
    return isText(image.digest(), bytes, changes.hashAt(entry));
  }

  /**
   * Handles unusual entries: a change without its mirror is mirrored here, any other is compared with its mirror. Returns whether they
   * agree.
   */
  #mirrorUnpaired(bytes: Uint8Array, changes: PriceChanges, from: number, to: number): boolean {
    let agrees = true;
    for (let entry = from; entry < to; entry += 1) {
      let partner = NONE;
      for (let other = from; other < to; other += 1) if (changes.isMirrorLevel(entry, other)) partner = other;
      if (partner === NONE) this.#mirror(bytes, changes, entry);
      else if (isLastOfLevel(changes, entry, to) && changes.size(entry) !== changes.size(partner)) agrees = false;
    }
    return agrees;
  }

  #mirror(bytes: Uint8Array, changes: PriceChanges, entry: number): void {
    const price = complementTicks(changes.price(entry));
    const priceText = formatTicks(price);
    const sizeAt = changes.sizeAt(entry);
    const texts = Buffer.concat([Buffer.from(priceText), bytes.subarray(sizeAt, sizeAt + changes.sizeLength(entry))]);
    const side = changes.side(entry) === BID ? ASK : BID;
    const other = viewOfSlot(changes.slot(entry)) === PRIMARY ? COMPLEMENT : PRIMARY;
    const isRemoval = changes.size(entry) === 0;
    const sizeLength = changes.sizeLength(entry);
    this.#images[other].change(side, price, isRemoval, texts, 0, priceText.length, priceText.length, sizeLength);
  }

  #emptyImage(view: View): BookImage {
    return new BookImage(this.#market, this.#tokens[view]);
  }
}

function lastEntry(changes: PriceChanges, from: number, to: number, view: View): number {
  let entry = to - 1;
  while (entry >= from && viewOfSlot(changes.slot(entry)) !== view) entry -= 1;
  return entry < from ? NONE : entry;
}

function isLastOfLevel(changes: PriceChanges, entry: number, to: number): boolean {
  for (let later = entry + 1; later < to; later += 1) {
    const isSame =
      changes.slot(later) === changes.slot(entry) &&
      changes.price(later) === changes.price(entry) &&
      changes.side(later) === changes.side(entry);
    if (isSame) return false;
  }
  return true;
}

function isText(text: string, bytes: Uint8Array, at: number): boolean {
  for (let index = 0; index < HASH_HEX_LENGTH; index += 1) {
    if (text.charCodeAt(index) !== bytes[at + index]) return false;
  }
  return true;
}

const DECIMALS_SEEN = 3;
const DECIMALS_FINEST = 4;

/**
 * Returns the possible texts of the last trade in a hash, the likeliest first. The venue sends that text only now and then. In between, a
 * change that belongs to a trade is hashed with a new text, which must be guessed (venue-a.md §5.3, §5.4). Every recording shows three
 * decimals, at ticks of 0.01 and of 0.001 alike. No recording has a tick of 0.0001, at which four decimals are as likely. One decimal more
 * than the tick has is the rule at 0.01, and may be the rule at every tick.
 */
export function lastTradeTexts(price: Ticks, tickSize: string): string[] {
  const text = formatTicks(price);
  const [whole = '0', fraction = ''] = text.split('.');
  const isFine = tickSize.length > '0.001'.length;
  const seen = fraction.length > DECIMALS_SEEN || isFine ? [DECIMALS_FINEST, DECIMALS_SEEN] : [DECIMALS_SEEN];
  const oneMore = tickSize.length - '0.'.length + 1;
  const decimals = [...new Set([...seen, oneMore])].filter(it => it >= fraction.length);
  return decimals.map(it => `${whole}.${fraction.padEnd(it, '0')}`);
}
