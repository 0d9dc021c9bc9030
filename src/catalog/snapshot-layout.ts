// THE layout of a catalog in shared memory. Written whole by the catalog thread, read by check workers and the main thread; a market is
// its place in the order of ids, an event its place in the order of (startsAt, id), a text is the bytes between its start and the next
// one's. Any thread.
//
//   ┌──────────────┬───────────────────────────────────────────────────────────────────────────────────────┐
//   │ header       │ generation, then the counts below: Int32 × 14                                         │
//   ├──────────────┼───────────────────────────────────────────────────────────────────────────────────────┤
//   │ opensAt      │ Float64 × listings         Unix milliseconds, Infinity: not now                       │
//   │ closesAt     │ Float64 × listings                                                                    │
//   │ startsAt     │ Float64 × events           Unix milliseconds                                          │
//   │ firstListing │ Uint32 × markets + 1       listings of a market follow each other; traded ones only   │
//   │ eventOf      │ Uint32 × markets           its event, or NO_EVENT                                     │
//   │ idStart      │ Uint32 × markets + 1                                                                  │
//   │ textStart    │ Uint32 × markets + 1                                                                  │
//   │ wordStart    │ Uint32 × words + 1         in the order of bytes: those with one beginning are a run   │
//   │ firstPosting │ Uint32 × words + 1                                                                    │
//   │ postingList  │ Uint32 × postings          markets that have the word                                 │
//   │ eventIdStart │ Uint32 × events + 1                                                                   │
//   │ eventStart   │ Uint32 × events + 1        of its text                                                │
//   │ firstMarket  │ Uint32 × events + 1                                                                   │
//   │ marketList   │ Uint32 × eventMarkets      markets of an event, in order                              │
//   │ nameStart    │ Uint32 × names + 1         ids that events have or had, in order                      │
//   │ named        │ Uint32 × names             the event                                                  │
//   │ venues       │ Uint8 × listings           index in VENUES                                            │
//   │ competitions │ Uint8 × events             index in COMPETITIONS                                      │
//   │ isOver       │ Uint8 × events             0 or 1                                                     │
//   │ ids          │ ASCII                                                                                 │
//   │ texts        │ UTF-8: JSON, but for HOLE where a listing says whether it is executable, up to the    │
//   │              │ market's event                                                                        │
//   │ wordTexts    │ UTF-8                                                                                 │
//   │ eventIds     │ ASCII                                                                                 │
//   │ eventTexts   │ UTF-8: JSON, but for HOLE where it says the status                                    │
//   │ names        │ ASCII                                                                                 │
//   └──────────────┴───────────────────────────────────────────────────────────────────────────────────────┘

/** No JSON text has this byte. One for each listing that can take orders, in their order. Listings that cannot are written without one. */
export const HOLE = '\0';

/** Generation of a catalog that is being written, or was never written. */
export const NO_GENERATION = 0;

/** The event of a market without one. */
export const NO_EVENT = 0xffff_ffff;

/** An even number of Int32 with the generation, because Float64 follow. */
const COUNTS = [
  'markets',
  'listings',
  'words',
  'postings',
  'events',
  'eventMarkets',
  'names',
  'idBytes',
  'textBytes',
  'wordBytes',
  'eventIdBytes',
  'eventTextBytes',
  'nameBytes',
] as const;

export type SnapshotCounts = Readonly<Record<(typeof COUNTS)[number], number>>;

export interface SnapshotSections {
  readonly counts: SnapshotCounts;
  readonly opensAt: Float64Array;
  readonly closesAt: Float64Array;
  readonly startsAt: Float64Array;
  readonly firstListing: Uint32Array;
  readonly eventOf: Uint32Array;
  readonly idStart: Uint32Array;
  readonly textStart: Uint32Array;
  readonly wordStart: Uint32Array;
  readonly firstPosting: Uint32Array;
  readonly postingList: Uint32Array;
  readonly eventIdStart: Uint32Array;
  readonly eventStart: Uint32Array;
  readonly firstMarket: Uint32Array;
  readonly marketList: Uint32Array;
  readonly nameStart: Uint32Array;
  readonly named: Uint32Array;
  readonly venues: Uint8Array;
  readonly competitions: Uint8Array;
  readonly isOver: Uint8Array;
  readonly ids: Buffer;
  readonly texts: Buffer;
  readonly wordTexts: Buffer;
  readonly eventIds: Buffer;
  readonly eventTexts: Buffer;
  readonly names: Buffer;
}

const HEADER_BYTES = (1 + COUNTS.length) * Int32Array.BYTES_PER_ELEMENT;

/** Minimum size of a memory, in bytes. */
export function snapshotBytes(counts: SnapshotCounts): number {
  const { markets, listings, words, postings, events, eventMarkets, names } = counts;
  const times = 2 * listings + events;
  const numbers = 4 * markets + 3 + 2 * (words + 1) + postings + 3 * (events + 1) + eventMarkets + 2 * names + 1;
  const bytes = listings + 2 * events;
  const { idBytes, textBytes, wordBytes, eventIdBytes, eventTextBytes, nameBytes } = counts;
  const texts = idBytes + textBytes + wordBytes + eventIdBytes + eventTextBytes + nameBytes;
  return HEADER_BYTES + 8 * times + 4 * numbers + bytes + texts;
}

/** Generation of the complete catalog in the memory. */
export function generationOf(memory: SharedArrayBuffer): number {
  return Atomics.load(new Int32Array(memory, 0, 1), 0);
}

export function setGeneration(memory: SharedArrayBuffer, generation: number): void {
  Atomics.store(new Int32Array(memory, 0, 1), 0, generation);
}

export function setCounts(memory: SharedArrayBuffer, counts: SnapshotCounts): void {
  new Int32Array(memory, 0, 1 + COUNTS.length).set(
    COUNTS.map(name => counts[name]),
    1,
  );
}

/** Views of the sections of a memory whose counts are set. */
export function sectionsOf(memory: SharedArrayBuffer): SnapshotSections {
  const header = new Int32Array(memory, 0, 1 + COUNTS.length);
  const counts = Object.fromEntries(COUNTS.map((name, index) => [name, header[1 + index]!])) as SnapshotCounts;
  const { markets, listings, words, postings, events, eventMarkets, names } = counts;
  let end = HEADER_BYTES;
  const next = (bytes: number): number => {
    end += bytes;
    return end - bytes;
  };
  const times = (count: number): Float64Array => new Float64Array(memory, next(8 * count), count);
  const numbers = (count: number): Uint32Array => new Uint32Array(memory, next(4 * count), count);
  const text = (bytes: number): Buffer => Buffer.from(memory, next(bytes), bytes);
  return {
    counts,
    opensAt: times(listings),
    closesAt: times(listings),
    startsAt: times(events),
    firstListing: numbers(markets + 1),
    eventOf: numbers(markets),
    idStart: numbers(markets + 1),
    textStart: numbers(markets + 1),
    wordStart: numbers(words + 1),
    firstPosting: numbers(words + 1),
    postingList: numbers(postings),
    eventIdStart: numbers(events + 1),
    eventStart: numbers(events + 1),
    firstMarket: numbers(events + 1),
    marketList: numbers(eventMarkets),
    nameStart: numbers(names + 1),
    named: numbers(names),
    venues: text(listings),
    competitions: text(events),
    isOver: text(events),
    ids: text(counts.idBytes),
    texts: text(counts.textBytes),
    wordTexts: text(counts.wordBytes),
    eventIds: text(counts.eventIdBytes),
    eventTexts: text(counts.eventTextBytes),
    names: text(counts.nameBytes),
  };
}
