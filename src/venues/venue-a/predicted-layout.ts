// The fast path of the frame scanner. The venue writes every price_change with the same keys, sequence and white space. So the text between
// the values is learned from one frame and compared with the next, eight bytes at a time. If a frame differs, the general scanner reads it,
// and its layout is learned. Venue A's feed thread.

import { isSameText } from '../probing-table.ts';
import { CLOSE_BRACE, NONE, OPEN_BRACE, QUOTE, skipColon, skipString } from './json-bytes.ts';
import type { PriceChanges } from './price-changes.ts';

/** The kinds of value after a piece of literal text. */
const NOTHING = 0;
const TOKEN = 1;
const PRICE = 2;
const SIZE = 3;
const SIDE = 4;
const HASH = 5;
const TIMESTAMP = 6;
/** A string whose content is not used. */
const TEXT = 7;
type Value = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

const ENTRY_KEYS: Readonly<Record<string, Value>> = {
  asset_id: TOKEN,
  price: PRICE,
  size: SIZE,
  side: SIDE,
  hash: HASH,
};
const EVENT_KEYS: Readonly<Record<string, Value>> = { timestamp: TIMESTAMP };

const STRIDE_BYTES = 8;
/** A string of this length or more counts as long: a bytewise search for its end would cost more than the rest of the string. */
const LONG_TEXT_BYTES = 32;
const LITERAL_BYTES_MAX = 2_048;
const STEPS_MAX = 64;
/** A step is four numbers: start and length of its literal, the kind of value after it, and that value's entry or length. */
const STEP_INTS = 4;
/** A layout is learned at only one miss in this many, so that alternating layouts are not learned each time. */
const MISSES_PER_LESSON = 32;

export class PredictedLayout {
  readonly #changes: PriceChanges;
  readonly #literals = new DataView(new ArrayBuffer(LITERAL_BYTES_MAX));
  readonly #steps = new Int32Array(STEPS_MAX * STEP_INTS);
  #stepsLength = 0;
  #entryCount = 0;
  #misses = 0;

  constructor(changes: PriceChanges) {
    this.#changes = changes;
  }

  /** Reads the price_change at `start` of a frame of `end` bytes. Returns the position after it, or NONE if its layout differs. */
  match(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const steps = this.#steps;
    const changes = this.#changes;
    const literals = this.#literals;
    let at = start;
    for (let step = 0; step < this.#stepsLength; step += STEP_INTS) {
      const length = steps[step + 1]!;
      if (!isSameText(view, at, literals, steps[step]!, length)) return NONE;
      at += length;
      const detail = steps[step + 3]!;
      switch (steps[step + 2]) {
        case TOKEN:
          at = changes.readToken(bytes, view, at, detail);
          break;
        case PRICE:
          at = changes.readPrice(bytes, at, detail);
          break;
        case SIZE:
          at = changes.readSize(bytes, at, detail);
          break;
        case SIDE:
          at = changes.readSide(bytes, view, at, detail);
          break;
        case HASH:
          at = changes.readHash(bytes, at, end, detail);
          break;
        case TIMESTAMP:
          at = changes.readTimestamp(bytes, at);
          break;
        case TEXT:
          at = textEnd(bytes, at, end, detail);
          break;
        default:
          changes.count = this.#entryCount;
          return at;
      }
      if (at === NONE) return NONE;
    }
    return NONE;
  }

  /** Learns from the price_change in [start, end), which the general scanner has just read because its layout differed. */
  learnFrom(bytes: Uint8Array, start: number, end: number): void {
    if (this.#misses++ % MISSES_PER_LESSON === 0) this.#learn(bytes, start, end);
  }

  #learn(bytes: Uint8Array, start: number, end: number): void {
    this.#stepsLength = 0;
    let key = '';
    let depth = 0;
    let entry = NONE;
    let from = start;
    for (let at = start; at < end; at += 1) {
      if (bytes[at] === OPEN_BRACE && ++depth === 2) entry += 1;
      else if (bytes[at] === CLOSE_BRACE) depth -= 1;
      if (bytes[at] !== QUOTE) continue;
      const after = skipString(bytes, at);
      const text = Buffer.from(bytes.subarray(at + 1, after - 1)).toString('latin1');
      if (skipColon(bytes, after) !== NONE) key = text;
      else if (key !== 'event_type') {
        const value = depth === 2 ? ENTRY_KEYS[key] : depth === 1 ? EVENT_KEYS[key] : undefined;
        if (!this.#addStep(bytes, from, at + 1, value ?? TEXT, value === undefined ? text.length : entry)) return;
        from = after - 1;
      }
      at = after - 1;
    }
    const isFlat = entry + 1 === this.#changes.count;
    if (!isFlat || !this.#addStep(bytes, from, end, NOTHING, 0)) this.#stepsLength = 0;
    this.#entryCount = entry + 1;
  }

  /** Adds a step. Returns false, and drops the prediction, if the layout does not fit or is not plain ASCII. */
  #addStep(bytes: Uint8Array, from: number, to: number, value: Value, detail: number): boolean {
    const step = this.#stepsLength;
    const literalAt = step === 0 ? 0 : this.#steps[step - STEP_INTS]! + this.#steps[step - STEP_INTS + 1]!;
    const length = to - from;
    const isFit = length >= STRIDE_BYTES && literalAt + length <= LITERAL_BYTES_MAX && step < this.#steps.length;
    if (!isFit || bytes.subarray(from, to).some(byte => byte > 0x7e)) {
      this.#stepsLength = 0;
      return false;
    }
    for (let index = 0; index < length; index += 1) this.#literals.setUint8(literalAt + index, bytes[from + index]!);
    this.#steps.set([literalAt, length, value, detail], step);
    this.#stepsLength = step + STEP_INTS;
    return true;
  }
}

/**
 * Returns the position of the closing quote of the string at `at`. A quote at the learned length is taken for the end of a long string. A
 * shorter string there would hide text. Then either the rest of the layout repeats that text, or the frame is not JSON. The hash protects
 * the book in any case.
 */
function textEnd(bytes: Uint8Array, at: number, end: number, length: number): number {
  if (length >= LONG_TEXT_BYTES && at + length < end && bytes[at + length] === QUOTE) return at + length;
  const after = skipString(bytes, at - 1);
  return after === NONE ? NONE : after - 1;
}
