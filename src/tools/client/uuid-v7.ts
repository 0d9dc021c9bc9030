// Idempotency keys: UUIDs of version 7 (RFC 9562 §5.7). The gateway uses their time (contract §4.6). The ids of one source ascend, even
// within a millisecond and when the clock goes back a little. Portable.

/** The largest value of the counter within a millisecond, which has 12 bits. It starts in the lower half, to leave room. */
const COUNTER_MAX = 0xfff;
const COUNTER_START_MASK = 0x7ff;
/**
 * The largest step back of the clock at which ids go on ascending. After a larger step the clock was corrected. Ids then follow the clock,
 * because their time must be close to the gateway's.
 */
const STEP_BACK_MS = 10_000;

const RANDOM_BYTES = 10;
const BYTES = 16;

export class UuidV7Source {
  readonly #now: () => number;
  readonly #random = new Uint8Array(RANDOM_BYTES);
  readonly #view = new DataView(new ArrayBuffer(BYTES));
  #lastMs = 0;
  #counter = 0;

  /** `now` returns Unix milliseconds. Fractions are cut off. */
  constructor(now: () => number) {
    this.#now = now;
  }

  next(): string {
    crypto.getRandomValues(this.#random);
    const [first, second, ...rest] = this.#random as unknown as [number, number, ...number[]];
    this.#step(Math.floor(this.#now()), ((first << 8) | second) & COUNTER_START_MASK);
    const view = this.#view;
    view.setUint32(0, Math.floor(this.#lastMs / 0x10000));
    view.setUint16(4, this.#lastMs % 0x10000);
    view.setUint16(6, 0x7000 | this.#counter);
    for (const [index, byte] of rest.entries()) view.setUint8(8 + index, byte);
    view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
    return textOf(view);
  }

  #step(nowMs: number, counterStart: number): void {
    const isNewTime = nowMs > this.#lastMs || nowMs < this.#lastMs - STEP_BACK_MS;
    if (!isNewTime && this.#counter < COUNTER_MAX) {
      this.#counter += 1;
      return;
    }
    this.#lastMs = isNewTime ? nowMs : this.#lastMs + 1;
    this.#counter = counterStart;
  }
}

function textOf(view: DataView): string {
  const hex = Array.from({ length: BYTES }, (_, at) => view.getUint8(at).toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
