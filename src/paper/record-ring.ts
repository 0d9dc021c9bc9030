// The last records of one kind, bounded for an exchange that runs for months. A fixed number of records stays. With `young`, all younger
// records stay, too. Memory grows only as needed. Records can also be listed by market, under one bound for all markets. Pure: time comes
// from a port.

import { assert } from '../core/domain/result.ts';
import type { Timers } from '../core/runtime/timers.ts';

export interface Young {
  readonly ms: number;
  /** A monotonic clock, so that a skew of the venue's clock does not age records. */
  readonly timers: Pick<Timers, 'elapsed'>;
}

/** The most records that are dropped with each new record after a burst. To drop all at once would block the thread for half a second. */
const FORGOTTEN_AT_ONCE_MAX = 1_000;
const NONE: readonly never[] = [];

export class RecordRing<T> {
  readonly #max: number;
  readonly #young: Young | null;
  /** The records, oldest first. They begin at `#first`; earlier entries are dropped. */
  readonly #records: (T | undefined)[] = [];
  /** The times at which the records came. Empty without `young`. */
  readonly #times: number[] = [];
  #first = 0;

  constructor(max: number, young: Young | null = null) {
    this.#max = max;
    this.#young = young;
  }

  /** Adds a record. Returns the records that were dropped, oldest first. */
  push(record: T): readonly T[] {
    this.#records.push(record);
    const oldUntil = this.#noteRecord();
    if (!this.#isOver(oldUntil)) return NONE;
    const gone: T[] = [];
    while (gone.length < FORGOTTEN_AT_ONCE_MAX && this.#isOver(oldUntil)) gone.push(this.#shift());
    return gone;
  }

  /** Drops the record if it is the oldest. The record has left the common ring then. */
  forgetOldest(record: T): void {
    if (this.#records[this.#first] === record) this.#shift();
  }

  *newestFirst(): Generator<T> {
    const [first, records] = [this.#first, this.#records];
    for (let place = records.length - 1; place >= first; place -= 1) yield records[place]!;
  }

  /** Notes the time of a record that comes now. Returns the time up to which records are old. */
  #noteRecord(): number {
    if (this.#young === null) return Number.POSITIVE_INFINITY;
    const now = this.#young.timers.elapsed();
    this.#times.push(now);
    return now - this.#young.ms;
  }

  #isOver(oldUntil: number): boolean {
    if (this.#records.length - this.#first <= this.#max) return false;
    return this.#young === null || this.#times[this.#first]! <= oldUntil;
  }

  #shift(): T {
    const gone = this.#records[this.#first]!;
    this.#records[this.#first] = undefined;
    this.#first += 1;
    // Dropped entries are cut off in one piece: to move all other entries for each record would cost O(n).
    if (2 * this.#first >= this.#records.length) {
      this.#records.splice(0, this.#first);
      this.#times.splice(0, this.#first);
      this.#first = 0;
    }
    return gone;
  }
}

interface MarketRecordsOptions<T, Market> {
  /** The most records of all markets together. */
  readonly max: number;
  /** Records of this age or younger stay, beyond any number. */
  readonly young: Young;
  readonly marketOf: (record: T) => Market;
}

/**
 * The last records of all markets, also by market. A record that leaves the common list leaves the list of its market, too. Otherwise each
 * of a thousand markets would keep a past of its own.
 */
export class MarketRecords<T, Market> {
  readonly #marketOf: (record: T) => Market;
  readonly #all: RecordRing<T>;
  readonly #byMarket = new Map<Market, RecordRing<T>>();

  constructor({ max, young, marketOf }: MarketRecordsOptions<T, Market>) {
    this.#marketOf = marketOf;
    this.#all = new RecordRing(max, young);
  }

  push(record: T): void {
    const market = this.#marketOf(record);
    let ofMarket = this.#byMarket.get(market);
    if (ofMarket === undefined) {
      ofMarket = new RecordRing(Number.POSITIVE_INFINITY);
      this.#byMarket.set(market, ofMarket);
    }
    ofMarket.push(record);
    for (const gone of this.#all.push(record)) this.#byMarket.get(this.#marketOf(gone))?.forgetOldest(gone);
  }

  /** Returns the records of all markets, newest first. */
  all(): Iterable<T> {
    return this.#all.newestFirst();
  }

  /** Returns the records of one market, newest first. */
  of(market: Market): Iterable<T> {
    return this.#byMarket.get(market)?.newestFirst() ?? [];
  }

  /** Forgets the market's own list. The common list keeps the market's records. */
  forget(market: Market): void {
    this.#byMarket.delete(market);
  }
}

const FIRST_SLOTS = 16;

/** The largest load of the table. Above it a search takes too many steps. */
const FULL = 0.75;

const [PRIME_A, PRIME_B, MIX_A, MIX_B] = [0x9e3779b1, 0x5f356495, 0x85ebca6b, 0xc2b2ae35];

export class KnownIds {
  readonly #perGeneration: number;
  #young = new Fingerprints();
  #old = new Fingerprints();

  /** At any time it remembers at least the last half of `max` ids. */
  constructor(max: number) {
    assert(max >= 2, 'the id that came last is always known');
    this.#perGeneration = Math.floor(max / 2);
  }

  has(id: string): boolean {
    const [high, low] = fingerprintOf(id);
    return this.#young.has(high, low) || this.#old.has(high, low);
  }

  add(id: string): void {
    this.#young.add(...fingerprintOf(id));
    if (this.#young.count < this.#perGeneration) return;
    this.#old = this.#young;
    this.#young = new Fingerprints();
  }
}

/** A hash table with open addressing: a fingerprint is in the slot that it names, or in the next free one. */
class Fingerprints {
  /** The fingerprints, two words for each. Both words are 0 in a free slot. */
  #words = new Uint32Array(2 * FIRST_SLOTS);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  has(high: number, low: number): boolean {
    return this.#words[this.#placeOf(high, low)] !== 0;
  }

  add(high: number, low: number): void {
    const place = this.#placeOf(high, low);
    if (this.#words[place] !== 0) return;
    this.#words[place] = high;
    this.#words[place + 1] = low;
    this.#count += 1;
    if (this.#count > (FULL * this.#words.length) / 2) this.#double();
  }

  /** Returns the slot of the fingerprint, or the free slot where it would go. */
  #placeOf(high: number, low: number): number {
    const words = this.#words;
    const mask = words.length - 1;
    let place = (2 * low) & mask;
    while (words[place] !== 0 && (words[place] !== high || words[place + 1] !== low)) place = (place + 2) & mask;
    return place;
  }

  #double(): void {
    const before = this.#words;
    this.#words = new Uint32Array(2 * before.length);
    this.#count = 0;
    for (let place = 0; place < before.length; place += 2) {
      if (before[place] !== 0) this.add(before[place]!, before[place + 1]!);
    }
  }
}

/** Returns the fingerprint of an id: two words of 32 bits, the first of which is never 0. */
function fingerprintOf(id: string): [high: number, low: number] {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < id.length; at += 1) {
    const unit = id.charCodeAt(at);
    high = Math.imul(high ^ unit, PRIME_A);
    low = Math.imul(low ^ unit, PRIME_B);
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  return [mixed(high) >>> 0 || 1, mixed(low) >>> 0];
}

function mixed(word: number): number {
  let mix = Math.imul(word ^ (word >>> 16), MIX_A);
  mix = Math.imul(mix ^ (mix >>> 13), MIX_B);
  return mix ^ (mix >>> 16);
}
