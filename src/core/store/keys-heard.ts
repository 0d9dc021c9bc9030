// The time at which the stream of keys was last read to its end, in memory that all threads share. The doors of main and of the engine
// admit nobody by keys that may be out of date. Any thread.

import { monotonicMs } from '../runtime/clock.ts';

/**
 * For this long after a look, the keys count as those of the stream. A gateway that was paused, or lost its stream, finds them out of date.
 */
const STALE_MS = 3_000;
const WORDS = `the stream of keys has not been read for ${STALE_MS} ms: only cancels are admitted, and nothing was done`;

export class KeysHeard {
  readonly memory: SharedArrayBuffer;
  readonly #untilMs: BigInt64Array;

  constructor(memory = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#untilMs = new BigInt64Array(memory);
  }

  /** `askedMs`: of the monotonic clock, before the stream was asked for its end. */
  hear(askedMs: number): void {
    Atomics.store(this.#untilMs, 0, BigInt(Math.floor(askedMs) + STALE_MS));
  }

  /** The problem in words; null if the keys are those of the stream. */
  get problem(): string | null {
    return BigInt(Math.floor(monotonicMs())) < Atomics.load(this.#untilMs, 0) ? null : WORDS;
  }
}
