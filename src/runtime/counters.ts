// Event counters in shared memory: a feed thread adds, the main thread reads them for /metrics without asking anybody.
// One block per venue, one writer per block.

export const FEED_COUNTER_NAMES = [
  'frames',
  'snapshots',
  'deltas',
  'trades',
  'acknowledgements',
  'unknownTypes',
  'legacyRefused',
  'unreadable',
  'unknownMarkets',
  'sequenceGaps',
  'crossed',
  'resyncs',
  'connects',
  'disconnects',
  'silences',
  'hashesVerified',
  'hashMismatches',
  'hashesAdoptedLastTrade',
  'hashesHealed',
  'bookRereads',
  'hashMismatchesAfterReread',
  'venueErrors',
  'quietProbes',
  'freezes',
] as const;
export type FeedCounterName = (typeof FEED_COUNTER_NAMES)[number];

/** Place of a counter in its block: resolved where the code is read, not where it is counted. */
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

  /** Adds to one of `COUNTER`. Only the block's one writer may call it. */
  count(counter: number, by = 1): void {
    this.#values[counter] = this.#values[counter]! + by;
  }

  read(name: FeedCounterName): number {
    return this.#values[COUNTER[name]]!;
  }
}
