// Counters of a feed in shared memory: its thread adds, and the main thread reads them for /metrics without a message. One block a venue,
// with one writer: it needs no atomic instruction.

import { FEED_COUNTERS } from './metric-table.ts';

type FeedCounterName = keyof typeof FEED_COUNTERS;
const FEED_COUNTER_NAMES = Object.keys(FEED_COUNTERS) as readonly FeedCounterName[];

/** Index of a counter in its block: code resolves it once, not at every count. */
export const COUNTER = Object.fromEntries(FEED_COUNTER_NAMES.map((name, index) => [name, index])) as Record<
  FeedCounterName,
  number
>;

export class FeedCounters {
  readonly memory: SharedArrayBuffer;
  readonly #values: Float64Array;

  constructor(memory = new SharedArrayBuffer(FEED_COUNTER_NAMES.length * 8)) {
    this.memory = memory;
    this.#values = new Float64Array(memory);
  }

  /** Adds to one of `COUNTER`. Only the block's writer may call it. */
  count(counter: number, by = 1): void {
    this.#values[counter] = this.#values[counter]! + by;
  }

  read(name: FeedCounterName): number {
    return this.#values[COUNTER[name]]!;
  }
}
