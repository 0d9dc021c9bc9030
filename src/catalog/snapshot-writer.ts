// Writes catalogs into shared memory, in two memories by turns: whoever reads the last one is left in peace while the next one is
// written, and finds out if it took longer than that (`generation`). New memory only when a catalog has outgrown the old: memory that
// was handed to other threads is freed when their garbage collectors happen to come by. Catalog thread.

import { VENUES } from '../domain/market.ts';
import type { MarketRow } from './catalog-rows.ts';
import {
  NO_GENERATION,
  type SnapshotCounts,
  type SnapshotSections,
  sectionsOf,
  setCounts,
  setGeneration,
  snapshotBytes,
} from './snapshot-layout.ts';
import { indexWords } from './word-index.ts';

/** A catalog that can be read for as long as the memory is of that generation. */
export interface Snapshot {
  readonly memory: SharedArrayBuffer;
  readonly generation: number;
}

/** Room to grow, so that a longer list does not need new memory every time. */
const SPARE = 1.5;

export class SnapshotWriter {
  #memories: readonly [SharedArrayBuffer, SharedArrayBuffer] = [new SharedArrayBuffer(0), new SharedArrayBuffer(0)];
  #generation = NO_GENERATION;

  /** Rows in the order of their ids, each id once. */
  write(rows: readonly MarketRow[]): Snapshot {
    const { words, firstPosting, postings } = indexWords(rows.map(row => row.words));
    const counts: SnapshotCounts = {
      markets: rows.length,
      listings: sum(rows, ({ listings }) => listings.length),
      words: words.length,
      postings: postings.length,
      idBytes: sum(rows, ({ id }) => id.length),
      textBytes: sum(rows, ({ textBytes }) => textBytes),
      wordBytes: sum(words, word => Buffer.byteLength(word)),
    };
    const memory = this.#takeMemory(snapshotBytes(counts));
    setCounts(memory, counts);
    const sections = sectionsOf(memory);
    writeTexts(
      rows.map(({ id }) => id),
      sections.idStart,
      sections.ids,
    );
    writeTexts(
      rows.map(({ text }) => text),
      sections.textStart,
      sections.texts,
    );
    writeTexts(words, sections.wordStart, sections.wordTexts);
    sections.firstPosting.set(firstPosting);
    sections.postingList.set(postings);
    writeListings(rows, sections);
    this.#generation += 1;
    setGeneration(memory, this.#generation);
    return { memory, generation: this.#generation };
  }

  /** The memory that was not written last, marked as being written. */
  #takeMemory(bytes: number): SharedArrayBuffer {
    const [last, other] = this.#memories;
    const memory = other.byteLength >= bytes ? other : new SharedArrayBuffer(Math.ceil(bytes * SPARE));
    this.#memories = [memory, last];
    setGeneration(memory, NO_GENERATION);
    return memory;
  }
}

function writeListings(
  rows: readonly MarketRow[],
  { firstListing, opensAt, closesAt, venues }: SnapshotSections,
): void {
  let at = 0;
  for (const [place, { listings }] of rows.entries()) {
    firstListing[place] = at;
    for (const listing of listings) {
      opensAt[at] = listing.opensAt;
      closesAt[at] = listing.closesAt;
      venues[at] = VENUES.indexOf(listing.route.venue);
      at += 1;
    }
  }
  firstListing[rows.length] = at;
}

function writeTexts(texts: readonly string[], starts: Uint32Array, to: Buffer): void {
  let end = 0;
  for (const [place, text] of texts.entries()) {
    starts[place] = end;
    end += to.write(text, end);
  }
  starts[texts.length] = end;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
