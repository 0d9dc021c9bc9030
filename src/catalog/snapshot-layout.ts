// THE layout of a catalog in shared memory. The catalog thread writes it whole; check workers and the main thread read it. A market is
// its place in the order of ids, an event its place in the order of (startsAt, id). A text is the bytes between its start and the next
// one's. Any thread.
//
//   header     Int32: the generation, then the counts below
//   sections   as `layOut` has them, one behind the other

/** No JSON text has this byte. Each listing that can take orders has one, in their order. Other listings are written without one. */
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

export type SnapshotSections = Readonly<ReturnType<typeof sectionsOf>>;

const HEADER_BYTES = (1 + COUNTS.length) * Int32Array.BYTES_PER_ELEMENT;

/** THE sections, in their order. Each function makes the next section with a number of elements. */
function layOut<Times, Numbers, Bytes>(
  counts: SnapshotCounts,
  times: (count: number) => Times,
  numbers: (count: number) => Numbers,
  bytes: (count: number) => Bytes,
) {
  const { markets, listings, words, postings, events, eventMarkets, names } = counts;
  return {
    counts,
    // Unix milliseconds; Infinity if not now. Only traded listings have a time; those of a market follow each other.
    opensAt: times(listings),
    closesAt: times(listings),
    startsAt: times(events),
    firstListing: numbers(markets + 1),
    /** The event, or NO_EVENT. */
    eventOf: numbers(markets),
    idStart: numbers(markets + 1),
    textStart: numbers(markets + 1),
    // Words are in the order of bytes: those with one beginning are a run.
    wordStart: numbers(words + 1),
    firstPosting: numbers(words + 1),
    /** Markets that have the word. */
    postingList: numbers(postings),
    eventIdStart: numbers(events + 1),
    eventStart: numbers(events + 1),
    firstMarket: numbers(events + 1),
    /** Markets of an event, in order. */
    marketList: numbers(eventMarkets),
    // Ids that events have or had, in order, and the event of each.
    nameStart: numbers(names + 1),
    named: numbers(names),
    /** The index in VENUES. */
    venues: bytes(listings),
    /** The index in COMPETITIONS. */
    competitions: bytes(events),
    /** 0 or 1. */
    isOver: bytes(events),
    /** ASCII text. */
    ids: bytes(counts.idBytes),
    /** UTF-8: JSON up to the market's event, with a HOLE where a listing says whether it is executable. */
    texts: bytes(counts.textBytes),
    /** UTF-8 text. */
    wordTexts: bytes(counts.wordBytes),
    /** ASCII text. */
    eventIds: bytes(counts.eventIdBytes),
    /** UTF-8: JSON, with a HOLE for the status. */
    eventTexts: bytes(counts.eventTextBytes),
    /** ASCII text. */
    names: bytes(counts.nameBytes),
  };
}

/** Minimum size of a memory, in bytes. */
export function snapshotBytes(counts: SnapshotCounts): number {
  let end = HEADER_BYTES;
  const add = (bytes: number) => (count: number) => {
    end += bytes * count;
  };
  layOut(counts, add(8), add(4), add(1));
  return end;
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
