// THE layout of a catalog in shared memory. The catalog thread writes the whole catalog; check workers and the main thread read it. A
// market is known by its place in the order of ids, an event by its place in the order of (startsAt, id). A text is the bytes from its
// start to the start of the next text. Any thread.
//
//   header     Int32: the generation, then the counts below
//   sections   in the order of `layOut`, one behind the other

/**
 * The byte that readers replace by a value that depends on the caller or the time. No JSON text has this byte. A market's text has one for
 * each listing that can take orders, in their order, and none for other listings.
 */
export const HOLE = '\0';

/** The generation of a catalog that is being written, or was never written. */
export const NO_GENERATION = 0;

/** The value of `eventOf` for a market without an event. */
export const NO_EVENT = 0xffff_ffff;

/** The counts of the header. Counts and generation are together an even number of Int32, because Float64 follow. */
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

export type SnapshotSections = Readonly<ReturnType<typeof sectionsOf>>;

const HEADER_BYTES = (1 + COUNTS.length) * Int32Array.BYTES_PER_ELEMENT;

/** THE sections, in their order. Each function makes the next section with this number of elements. */
function layOut<Times, Numbers, Bytes>(
  counts: SnapshotCounts,
  times: (count: number) => Times,
  numbers: (count: number) => Numbers,
  bytes: (count: number) => Bytes,
) {
  const { markets, listings, words, postings, events, eventMarkets, names } = counts;
  return {
    counts,
    // The Unix milliseconds from which a listing takes orders; Infinity if it takes none now. Only traded listings have times. The listings
    // of one market follow each other.
    opensAt: times(listings),
    closesAt: times(listings),
    startsAt: times(events),
    firstListing: numbers(markets + 1),
    /** The event of each market, or NO_EVENT. */
    eventOf: numbers(markets),
    idStart: numbers(markets + 1),
    textStart: numbers(markets + 1),
    // Words are in byte order, so that all words with one beginning follow each other.
    wordStart: numbers(words + 1),
    firstPosting: numbers(words + 1),
    /** The markets that have each word. */
    postingList: numbers(postings),
    eventIdStart: numbers(events + 1),
    eventStart: numbers(events + 1),
    firstMarket: numbers(events + 1),
    /** The markets of each event, in order. */
    marketList: numbers(eventMarkets),
    // The ids that events have or had, in order, and the event of each id.
    nameStart: numbers(names + 1),
    named: numbers(names),
    /** Each listing's venue, as an index in VENUES. */
    venues: bytes(listings),
    /** Each event's competition, as an index in COMPETITIONS. */
    competitions: bytes(events),
    /** 1 for an event that is over, else 0. */
    isOver: bytes(events),
    /** ASCII text. */
    ids: bytes(counts.idBytes),
    /** UTF-8: each market's JSON up to its event, with a HOLE where a listing says whether it is executable. */
    texts: bytes(counts.textBytes),
    /** UTF-8 text. */
    wordTexts: bytes(counts.wordBytes),
    /** ASCII text. */
    eventIds: bytes(counts.eventIdBytes),
    /** UTF-8: each event's JSON, with a HOLE for the status. */
    eventTexts: bytes(counts.eventTextBytes),
    /** ASCII text. */
    names: bytes(counts.nameBytes),
  };
}

/** Returns the smallest size of a memory for these counts, in bytes. */
export function snapshotBytes(counts: SnapshotCounts): number {
  let end = HEADER_BYTES;
  const add = (bytes: number) => (count: number) => {
    end += bytes * count;
  };
  layOut(counts, add(8), add(4), add(1));
  return end;
}

/** Returns the generation of the catalog in the memory. NO_GENERATION means that the catalog is not complete. */
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

/** Returns views of the sections of a memory. Its counts must be set. */
export function sectionsOf(memory: SharedArrayBuffer) {
  const header = new Int32Array(memory, 0, 1 + COUNTS.length);
  const counts = Object.fromEntries(COUNTS.map((name, index) => [name, header[1 + index]!])) as SnapshotCounts;
  let end = HEADER_BYTES;
  const next = (bytes: number): number => {
    end += bytes;
    return end - bytes;
  };
  return layOut(
    counts,
    count => new Float64Array(memory, next(8 * count), count),
    count => new Uint32Array(memory, next(4 * count), count),
    count => Buffer.from(memory, next(count), count),
  );
}
