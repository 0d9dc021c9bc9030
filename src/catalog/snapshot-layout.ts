// THE layout of a catalog in shared memory. Written whole by the catalog thread, read by order workers; a market is its place in the
// order of ids, a text is the bytes between its start and the next one's. Any thread.
//
//   ┌──────────────┬──────────────────────────────────────────────────────────────────────────────┐
//   │ header       │ generation, then the counts below: Int32 × 8                                 │
//   ├──────────────┼──────────────────────────────────────────────────────────────────────────────┤
//   │ opensAt      │ Float64 × listings    Unix milliseconds, Infinity: not now                   │
//   │ closesAt     │ Float64 × listings                                                           │
//   │ firstListing │ Uint32 × markets + 1  listings of a market follow each other                 │
//   │ idStart      │ Uint32 × markets + 1                                                         │
//   │ textStart    │ Uint32 × markets + 1                                                         │
//   │ wordStart    │ Uint32 × words + 1    words are in order: those with one beginning are a run │
//   │ firstPosting │ Uint32 × words + 1                                                           │
//   │ postings     │ Uint32 × postings     markets that have the word                             │
//   │ venues       │ Uint8 × listings      index in VENUES                                        │
//   │ ids          │ ASCII                                                                        │
//   │ texts        │ UTF-8: JSON, but for HOLE where a listing says whether it is executable      │
//   │ words        │ UTF-8                                                                        │
//   └──────────────┴──────────────────────────────────────────────────────────────────────────────┘

/** No JSON text has this byte. One for each listing, in their order. */
export const HOLE = '\0';

/** Of a catalog that is being written, or was never. */
export const NO_GENERATION = 0;

export interface SnapshotCounts {
  readonly markets: number;
  readonly listings: number;
  readonly words: number;
  readonly postings: number;
  readonly idBytes: number;
  readonly textBytes: number;
  readonly wordBytes: number;
}

export interface SnapshotSections extends SnapshotCounts {
  readonly opensAt: Float64Array;
  readonly closesAt: Float64Array;
  readonly firstListing: Uint32Array;
  readonly idStart: Uint32Array;
  readonly textStart: Uint32Array;
  readonly wordStart: Uint32Array;
  readonly firstPosting: Uint32Array;
  readonly postingList: Uint32Array;
  readonly venues: Uint8Array;
  readonly ids: Buffer;
  readonly texts: Buffer;
  readonly wordTexts: Buffer;
}

const COUNTS = ['markets', 'listings', 'words', 'postings', 'idBytes', 'textBytes', 'wordBytes'] as const;
const HEADER_BYTES = (1 + COUNTS.length) * Int32Array.BYTES_PER_ELEMENT;

/** How large a memory must be at least. */
export function snapshotBytes({
  markets,
  listings,
  words,
  postings,
  idBytes,
  textBytes,
  wordBytes,
}: SnapshotCounts): number {
  const numbers = 3 * (markets + 1) + 2 * (words + 1) + postings;
  return HEADER_BYTES + 17 * listings + 4 * numbers + idBytes + textBytes + wordBytes;
}

/** Whose content is whole: the generation of what is there. */
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

/** Views of the parts of a memory whose counts have been set. */
export function sectionsOf(memory: SharedArrayBuffer): SnapshotSections {
  const header = new Int32Array(memory, 0, 1 + COUNTS.length);
  const [markets, listings, words, postings, idBytes, textBytes, wordBytes] = header.subarray(1) as unknown as Counted;
  let end = HEADER_BYTES;
  const next = (bytes: number): number => {
    end += bytes;
    return end - bytes;
  };
  const numbers = (count: number): Uint32Array => new Uint32Array(memory, next(4 * count), count);
  const times = (count: number): Float64Array => new Float64Array(memory, next(8 * count), count);
  const text = (bytes: number): Buffer => Buffer.from(memory, next(bytes), bytes);
  return {
    markets,
    listings,
    words,
    postings,
    idBytes,
    textBytes,
    wordBytes,
    opensAt: times(listings),
    closesAt: times(listings),
    firstListing: numbers(markets + 1),
    idStart: numbers(markets + 1),
    textStart: numbers(markets + 1),
    wordStart: numbers(words + 1),
    firstPosting: numbers(words + 1),
    postingList: numbers(postings),
    venues: text(listings),
    ids: text(idBytes),
    texts: text(textBytes),
    wordTexts: text(wordBytes),
  };
}

type Counted = readonly [number, number, number, number, number, number, number];
