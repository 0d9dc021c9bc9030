// Reads a catalog from shared memory: which markets a query means, and their texts. A look at one market takes nanoseconds; nothing is
// decoded but what is shown. Check workers and main thread.

import { VENUES, type Venue } from '../domain/market.ts';
import { firstOf } from './first-of.ts';
import { SnapshotEvents } from './snapshot-events.ts';
import { generationOf, HOLE, NO_EVENT, type SnapshotSections, sectionsOf } from './snapshot-layout.ts';
import type { Snapshot } from './snapshot-writer.ts';
import type { SearchTerm } from './words.ts';

/** What is executable for whom: the venues where orders can be placed now. */
export interface Standing {
  readonly tradable: readonly Venue[];
  /** Unix milliseconds. */
  readonly now: number;
}

export interface MarketQuery extends Standing {
  /** Each begins an id of the market, or its words each begin a word, or are one if they are a single character. */
  readonly terms: readonly SearchTerm[];
  /** Null: any. */
  readonly venue: Venue | null;
  /** The place of its event; null: of any, or of none. */
  readonly event: number | null;
  /** Of its event, indices in COMPETITIONS; null: any, or of no event. */
  readonly competitions: ReadonlySet<number> | null;
  /** Whether one of its listings takes orders now; null: either. */
  readonly executable: boolean | null;
  /** An id: only markets after it. Null: from the first. */
  readonly after: string | null;
  readonly rowsMax: number;
}

/**
 * What `read` makes of a catalog, of which it may keep nothing. Null if that was overwritten before or meanwhile, whatever has come of it then:
 * there is a newer one.
 */
export function readSnapshot<T>(snapshot: Snapshot, read: (reader: SnapshotReader) => T): T | null {
  const isThere = (): boolean => generationOf(snapshot.memory) === snapshot.generation;
  try {
    const reader = SnapshotReader.open(snapshot);
    const value = reader === null ? null : read(reader);
    return isThere() ? value : null;
  } catch (error) {
    if (isThere()) throw error;
    return null;
  }
}

/** Of a catalog that is overwritten it may read anything, but no further than there is of it: nobody is kept waiting by what means nothing. */
export class SnapshotReader {
  readonly events: SnapshotEvents;
  readonly #snapshot: Snapshot;
  readonly #sections: SnapshotSections;

  /** Null if the catalog has been overwritten: there is a newer one. */
  static open(snapshot: Snapshot): SnapshotReader | null {
    return generationOf(snapshot.memory) === snapshot.generation ? new SnapshotReader(snapshot) : null;
  }

  private constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.#sections = sectionsOf(snapshot.memory);
    this.events = new SnapshotEvents(this.#sections);
  }

  /** Whether everything that was read until now was of one catalog. */
  get isWhole(): boolean {
    return generationOf(this.#snapshot.memory) === this.#snapshot.generation;
  }

  /** Of all markets. */
  get count(): number {
    return this.#sections.counts.markets;
  }

  /** Of the markets of an event; 0 if it is unknown. */
  countOfEvent(eventId: string): number {
    const event = this.events.named(eventId);
    return event === null ? 0 : this.#marketsOf(event).count;
  }

  /** Places, in the order of ids; none of what has been overwritten, of which a text may be as long as all of them. */
  find(query: MarketQuery): readonly number[] {
    const { terms, venue, event, competitions, executable, after, rowsMax } = query;
    const words = wordsAsked(terms.flatMap(term => this.#wordsFor(term)));
    const hits = words.length === 0 ? null : this.#hits(words);
    const open = openVenues(query);
    const found: number[] = [];
    const { count, placeAt } = this.#marketsOf(event);
    for (let at = after === null ? 0 : firstOf(count, it => this.idAt(placeAt(it)) > after); at < count; at++) {
      if (found.length === rowsMax) break;
      const place = placeAt(at);
      if (hits !== null && hits[place] !== words.length) continue;
      if (venue !== null && !this.#isListedAt(place, venue)) continue;
      if (competitions !== null && !this.#isOf(place, competitions)) continue;
      if (executable !== null && this.#isExecutable(place, open, query.now) !== executable) continue;
      found.push(place);
    }
    return this.isWhole ? found : [];
  }

  idAt(place: number): string {
    const { ids, idStart } = this.#sections;
    return ids.toString('latin1', idStart[place]!, idStart[place + 1]!);
  }

  /** Null: it is of none. */
  eventIdAt(place: number): string | null {
    const event = this.#sections.eventOf[place]!;
    return event === NO_EVENT ? null : this.events.placeOf(event).id;
  }

  /** JSON but for its end: its event may follow. */
  textAt(place: number, standing: Standing): string {
    const { texts, textStart, firstListing } = this.#sections;
    const open = openVenues(standing);
    const [first = '', ...rest] = texts.toString('utf8', textStart[place]!, textStart[place + 1]!).split(HOLE);
    const listing = firstListing[place]!;
    return rest.reduce(
      (text, part, index) => text + this.#takesOrders(listing + index, open, standing.now) + part,
      first,
    );
  }

  #marketsOf(event: number | null): { readonly count: number; readonly placeAt: (at: number) => number } {
    const { counts, firstMarket, marketList } = this.#sections;
    if (event === null) return { count: counts.markets, placeAt: at => at };
    const first = firstMarket[event]!;
    const end = Math.min(firstMarket[event + 1]!, counts.eventMarkets);
    return { count: end - first, placeAt: at => marketList[first + at]! };
  }

  #isOf(place: number, competitions: ReadonlySet<number>): boolean {
    const event = this.#sections.eventOf[place]!;
    return event !== NO_EVENT && competitions.has(this.events.competitionAt(event));
  }

  /** Of every market, how many of the words it has, counted until one is missing. */
  #hits(words: readonly string[]): Uint8Array {
    const { counts, firstPosting, postingList } = this.#sections;
    const hits = new Uint8Array(counts.markets);
    for (const [count, word] of words.entries()) {
      const [first, end] = this.#run(word);
      const postingsEnd = Math.min(firstPosting[end]!, counts.postings);
      for (let at = firstPosting[first]!; at < postingsEnd; at++) {
        const place = postingList[at]!;
        if (hits[place] === count) hits[place] = count + 1;
      }
    }
    return hits;
  }

  #wordsFor({ whole, words }: SearchTerm): readonly string[] {
    const [first, end] = this.#run(whole);
    return first < end ? [whole] : words;
  }

  /** The words that are meant: those that begin so; of a single character, with which too many begin, the one that it is. */
  #run(word: string): readonly [first: number, end: number] {
    const { counts, wordStart, wordTexts } = this.#sections;
    const wanted = Buffer.from(word);
    /** Less than 0 of a word before the wanted one, by so many bytes of it at most. */
    const order = (at: number, bytesMax: number): number =>
      wordTexts.compare(
        wanted,
        0,
        wanted.length,
        wordStart[at]!,
        Math.min(wordStart[at]! + bytesMax, wordStart[at + 1]!),
      );
    const beginning = word.length === 1 ? Number.POSITIVE_INFINITY : wanted.length;
    return [
      firstOf(counts.words, at => order(at, Number.POSITIVE_INFINITY) >= 0),
      firstOf(counts.words, at => order(at, beginning) > 0),
    ];
  }

  #isListedAt(place: number, venue: Venue): boolean {
    const { firstListing, venues } = this.#sections;
    const wanted = VENUES.indexOf(venue);
    const end = this.#listingsEnd(place);
    for (let at = firstListing[place]!; at < end; at++) if (venues[at] === wanted) return true;
    return false;
  }

  #isExecutable(place: number, open: OpenVenues, now: number): boolean {
    const { firstListing } = this.#sections;
    const end = this.#listingsEnd(place);
    for (let at = firstListing[place]!; at < end; at++) {
      if (this.#takesOrders(at, open, now)) return true;
    }
    return false;
  }

  #listingsEnd(place: number): number {
    const { counts, firstListing } = this.#sections;
    return Math.min(firstListing[place + 1]!, counts.listings);
  }

  #takesOrders(listing: number, open: OpenVenues, now: number): boolean {
    const { venues, opensAt, closesAt } = this.#sections;
    return open[venues[listing]!] === true && opensAt[listing]! <= now && now < closesAt[listing]!;
  }
}

/** Without those that another one begins with: what has that has them too. So no posting is looked at twice, however many words there are. */
function wordsAsked(words: readonly string[]): readonly string[] {
  const sorted = [...new Set(words)].sort();
  return sorted.filter((word, at) => word.length === 1 || sorted[at + 1]?.startsWith(word) !== true);
}

/** By index in VENUES. */
type OpenVenues = readonly boolean[];

function openVenues({ tradable }: Standing): OpenVenues {
  return VENUES.map(venue => tradable.includes(venue));
}
