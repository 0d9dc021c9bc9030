// Ids that callers have used: a repeated id is refused, even after its order has ended. It keeps a fingerprint of 64 bits for each, in 8
// to 22 bytes. A new id collides with one of a million with a chance of 1 in 10^13. Two generations, so that the older half can be
// dropped at once. Pure.

import { assert } from '../core/domain/result.ts';

const FIRST_SLOTS = 16;
/** Maximum load of the table; above it a search takes too many steps. */
const FULL = 0.75;
const [PRIME_A, PRIME_B, MIX_A, MIX_B] = [0x9e3779b1, 0x5f356495, 0x85ebca6b, 0xc2b2ae35];

export class KnownIds {
  readonly #perGeneration: number;
  #young = new Fingerprints();
  #old = new Fingerprints();

  /** Remembers at least half of `max` ids at any time. */
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

/** A table with open addressing: a fingerprint is at the slot that it names, or at the next free one. */
class Fingerprints {
  /** Two words each; both 0 mean free. */
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

  /** The slot of the fingerprint, or the free slot where it would go. */
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

/** Two words of 32 bits; the first is never 0. */
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
