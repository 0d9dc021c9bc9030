// Event counters in shared memory: a feed thread adds, and the main thread reads them for /metrics without a message.
// One block per venue, one writer per block.

/** Counters of each feed, with their help text at /metrics. */
export const FEED_COUNTERS = {
  frames: 'Messages from the venue.',
  snapshots: 'Whole books of the venue that were taken.',
  deltas: 'Messages that change books.',
  trades: 'Trades in markets that are subscribed.',
  acknowledgements: 'Answers to our subscriptions; venue A sends none.',
  unknownTypes: 'Messages of a type that is not known here: they are passed over.',
  legacyRefused: 'Messages in a form that the venue has given up: they are refused.',
  unreadable: 'Messages, or parts of them, that cannot be read.',
  unknownMarkets: 'Messages about markets that are not subscribed.',
  sequenceGaps: 'Messages whose number does not follow the one before.',
  crossed: 'Books whose best bid came to reach their best ask.',
  resyncs: 'Books that could no longer be trusted and were asked for anew.',
  connects: 'Connections to the venue that were opened.',
  disconnects: 'Connections to the venue that were lost, or could not be opened.',
  silences: 'Connections to the venue that said nothing for too long.',
  hashesVerified: 'Hashes of the venue that our books agree with.',
  hashMismatches: 'Hashes of the venue that our books do not agree with.',
  hashesAdoptedLastTrade:
    'Of those that agree, hashes that do once the last trade is what the venue must have in mind.',
  hashesHealed: 'Books in doubt that agreed again before they had been read.',
  messagesInBook: 'Messages from before a whole book that was taken, which has them: they are passed over.',
  bookRereads: 'Books in doubt, which are read by REST.',
  hashMismatchesAfterReread: 'Books that disagreed with the venue right after they had been read by REST.',
  venueErrors: 'Errors that the venue answered on its stream.',
  quietProbes: 'Quiet books that REST had no news of.',
  freezes: 'Quiet connections whose books stood still while REST moved on.',
  stalls: 'Books that stood still while REST, and others on their connection, moved on.',
} as const;
type FeedCounterName = keyof typeof FEED_COUNTERS;
export const FEED_COUNTER_NAMES = Object.keys(FEED_COUNTERS) as readonly FeedCounterName[];

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
