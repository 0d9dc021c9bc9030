// The counters of a feed in shared memory: the feed's thread adds, and the main thread reads them for /metrics without a message. Each
// venue has a block with one writer, which needs no atomic instruction. The block also says whether the venue is connected.

import { FEED_COUNTERS } from './metric-table.ts';

type FeedCounterName = keyof typeof FEED_COUNTERS;
const FEED_COUNTER_NAMES = Object.keys(FEED_COUNTERS) as readonly FeedCounterName[];

/** The index of each counter in its block. Code resolves an index once, not at every count. */
export const COUNTER = Object.fromEntries(FEED_COUNTER_NAMES.map((name, index) => [name, index])) as Record<
  FeedCounterName,
  number
>;

/** The states of a connection. `idle` means that no connection is wanted. */
const LINKS = ['idle', 'up', 'down'] as const;
type Link = (typeof LINKS)[number];
const LINK = FEED_COUNTER_NAMES.length;

export class FeedCounters {
  readonly memory: SharedArrayBuffer;
  readonly #values: Float64Array;

  constructor(memory = new SharedArrayBuffer((FEED_COUNTER_NAMES.length + 1) * 8)) {
    this.memory = memory;
    this.#values = new Float64Array(memory);
  }

  /** Adds to the counter with an index of `COUNTER`. Only the block's writer may call this. */
  count(counter: number, by = 1): void {
    this.#values[counter] = this.#values[counter]! + by;
  }

  read(name: FeedCounterName): number {
    return this.#values[COUNTER[name]]!;
  }

  /** The latest state of the feed's connection. */
  get link(): Link {
    return LINKS[this.#values[LINK]!]!;
  }

  /** The block's writer sets this; the main thread sets it once that writer's thread has died. */
  set link(link: Link) {
    this.#values[LINK] = LINKS.indexOf(link);
  }
}
