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
] as const;
export type FeedCounterName = (typeof FEED_COUNTER_NAMES)[number];

const indexByName = Object.fromEntries(FEED_COUNTER_NAMES.map((name, index) => [name, index])) as Record<
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

  /** Adds to a counter. Only the block's one writer may call it. */
  count(name: FeedCounterName, by = 1): void {
    const index = indexByName[name];
    this.#values[index] = this.#values[index]! + by;
  }

  read(name: FeedCounterName): number {
    return this.#values[indexByName[name]]!;
  }
}
