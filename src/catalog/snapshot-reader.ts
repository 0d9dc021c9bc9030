// Reads a catalog from shared memory: finds the markets of a query, and their texts. Checking one market takes nanoseconds; only shown
// texts are decoded. Check workers and main thread.

import { VENUES, type Venue } from '../core/domain/market.ts';
import type { CatalogSnapshot } from '../core/domain/operation.ts';
import { generationOf, HOLE, NO_EVENT, type SnapshotSections, sectionsOf } from './snapshot-layout.ts';
import type { SearchTerm } from './vocabulary.ts';

/** The time, and the venues where the caller can place orders now. */
export interface Standing {
  readonly tradable: readonly Venue[];
  /** The time in Unix milliseconds. */
  readonly now: number;
}

export interface MarketQuery extends Standing {
  /** Each term must begin an id of the market, or its words must begin words of the market. A single character must equal a word. */
  readonly terms: readonly SearchTerm[];
  /** The venue that must list the market. Null means any venue. */
  readonly venue: Venue | null;
  /** The place of the event. Null means any event or none. */
  readonly event: number | null;
  /** The wanted competitions of the event, as indices in COMPETITIONS. Null means any event or none. */
  readonly competitions: ReadonlySet<number> | null;
  /** Whether a listing must take orders now. Null means that it may or may not. */
  readonly executable: boolean | null;
  /** The id after which markets are wanted. Null means from the first market on. */
  readonly after: string | null;
  readonly rowsMax: number;
}

/**
 * Calls `read` on a catalog; `read` must keep nothing of the catalog. Returns null if the catalog is overwritten before or meanwhile. The
 * result or error of `read` is void then, and a newer catalog exists.
 */
export function readSnapshot<T>(snapshot: CatalogSnapshot, read: (reader: SnapshotReader) => T): T | null {
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

/**
 * Reads a catalog in shared memory. While the catalog is being overwritten, values may be anything. Still no read leaves the memory, and
 * each read takes bounded time.
 */
export class SnapshotReader {
  readonly events: SnapshotEvents;
  readonly #snapshot: CatalogSnapshot;
  readonly #sections: SnapshotSections;

  /** Returns null if the catalog has been overwritten. A newer catalog exists then. */
  static open(snapshot: CatalogSnapshot): SnapshotReader | null {
    return generationOf(snapshot.memory) === snapshot.generation ? new SnapshotReader(snapshot) : null;
  }

  private constructor(snapshot: CatalogSnapshot) {
    this.#snapshot = snapshot;
    this.#sections = sectionsOf(snapshot.memory);
    this.events = new SnapshotEvents(this.#sections);
  }

  /** Whether everything that was read so far belongs to one catalog. */
  get isWhole(): boolean {
    return generationOf(this.#snapshot.memory) === this.#snapshot.generation;
  }

  /** The number of all markets. */
  get count(): number {
    return this.#sections.counts.markets;
  }

  /** The number of an event's markets. 0 if the event is unknown. */
  countOfEvent(eventId: string): number {
    const event = this.events.named(eventId);
    return event === null ? 0 : this.#marketsOf(event).count;
  }

  /**
   * Returns the places of the wanted markets, ordered by id. Returns none once the catalog is overwritten: a text could then seem as long
   * as all texts together.
   */
  find(query: MarketQuery): readonly number[] {
    const { terms, venue, event, competitions, executable, after, rowsMax } = query;
    const words = wordsAsked(terms.flatMap(term => this.#wordsFor(term)));
    const hits = words.length === 0 ? null : this.#hits(words);
    const open = openVenues(query);
    const found: number[] = [];
    const { count, placeAt } = this.#marketsOf(event);
    for (let at = after === null ? 0 : lowerBound(count, it => this.idAt(placeAt(it)) > after); at < count; at++) {
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

  /** Returns the place of the market with this id. Null means that no market has it. */
  named(id: string): number | null {
    const place = lowerBound(this.count, at => this.idAt(at) >= id);
    return place < this.count && this.idAt(place) === id ? place : null;
  }

  /** Returns the places of the markets that have exactly this word. */
  havingWord(word: string): readonly number[] {
    const { counts, wordStart, firstPosting, postingList } = this.#sections;
    const [first] = this.#run(word);
    const bytes = first < counts.words ? wordStart[first + 1]! - wordStart[first]! : 0;
    const [from, to] = [firstPosting[first]!, Math.min(firstPosting[first + 1]!, counts.postings)];
    return bytes === Buffer.byteLength(word) ? [...postingList.subarray(from, to)] : [];
  }

  /** Returns the places of an event's markets. */
  placesOf(event: number): readonly number[] {
    const { count, placeAt } = this.#marketsOf(event);
    return Array.from({ length: count }, (_, at) => placeAt(at));
  }

  idAt(place: number): string {
    const { ids, idStart } = this.#sections;
    return ids.toString('latin1', idStart[place]!, idStart[place + 1]!);
  }

  /** Returns null if the market has no event. */
  eventIdAt(place: number): string | null {
    const event = this.#sections.eventOf[place]!;
    return event === NO_EVENT ? null : this.events.placeOf(event).id;
  }

  /** Returns the market as JSON without the closing brace, because the event may follow. */
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

  /** Counts, for each market, how many of the words it has. The count of a market stops at the first word that it lacks. */
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

  /**
   * Returns the range of the words that begin with this one. For a single character, with which too many words begin, the range has only
   * that word.
   */
  #run(word: string): readonly [first: number, end: number] {
    const { counts, wordStart, wordTexts } = this.#sections;
    const wanted = Buffer.from(word);
    /** Compares at most `bytesMax` bytes of a word. The result is below 0 for a word before the wanted one. */
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
      lowerBound(counts.words, at => order(at, Number.POSITIVE_INFINITY) >= 0),
      lowerBound(counts.words, at => order(at, beginning) > 0),
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

/**
 * Removes words with which another wanted word begins, because a match of the longer word implies them. So no posting is read twice, even
 * in a query of many words.
 */
function wordsAsked(words: readonly string[]): readonly string[] {
  const sorted = [...new Set(words)].sort();
  return sorted.filter((word, at) => word.length === 1 || sorted[at + 1]?.startsWith(word) !== true);
}

/** Whether each venue takes the caller's orders, by index in VENUES. */
type OpenVenues = readonly boolean[];

function openVenues({ tradable }: Standing): OpenVenues {
  return VENUES.map(venue => tradable.includes(venue));
}

export const EVENT_STATUSES = ['SCHEDULED', 'LIVE', 'ENDED'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** The position of an event in lists, which are ordered by (startsAt, id). */
export interface EventPlace {
  /** The start in Unix milliseconds. */
  readonly startsAt: number;
  readonly id: string;
}

export interface EventQuery {
  /** The wanted competitions, as indices in COMPETITIONS. Null means any competition. */
  readonly competitions: ReadonlySet<number> | null;
  readonly status: EventStatus | null;
  /** The range of starts in Unix milliseconds: from `startsAfter` inclusive to `startsBefore` exclusive. */
  readonly startsAfter: number;
  readonly startsBefore: number;
  /** The place after which events are wanted. Null means from the first event on. */
  readonly after: EventPlace | null;
  readonly rowsMax: number;
  /** The time in Unix milliseconds. */
  readonly now: number;
}

class SnapshotEvents {
  readonly #sections: SnapshotSections;

  constructor(sections: SnapshotSections) {
    this.#sections = sections;
  }

  /** Returns the place of the event that has or had this id. Null means that no event has. */
  named(name: string): number | null {
    const { counts, names, nameStart, named } = this.#sections;
    const nameAt = (at: number): string => names.toString('latin1', nameStart[at]!, nameStart[at + 1]!);
    const at = lowerBound(counts.names, it => nameAt(it) >= name);
    return at < counts.names && nameAt(at) === name ? named[at]! : null;
  }

  /** Returns the places of the wanted events, ordered by (startsAt, id). */
  find({ competitions, status, startsAfter, startsBefore, after, rowsMax, now }: EventQuery): readonly number[] {
    const { counts, startsAt } = this.#sections;
    const first = lowerBound(
      counts.events,
      at => startsAt[at]! >= startsAfter && (after === null || this.#isBeyond(at, after)),
    );
    const found: number[] = [];
    for (let place = first; place < counts.events && startsAt[place]! < startsBefore; place++) {
      if (found.length === rowsMax) return found;
      if (competitions !== null && !competitions.has(this.competitionAt(place))) continue;
      if (status !== null && this.#statusAt(place, now) !== status) continue;
      found.push(place);
    }
    return found;
  }

  /** Returns the event's competition as an index in COMPETITIONS. */
  competitionAt(place: number): number {
    return this.#sections.competitions[place]!;
  }

  placeOf(place: number): EventPlace {
    const { startsAt, eventIds, eventIdStart } = this.#sections;
    return {
      startsAt: startsAt[place]!,
      id: eventIds.toString('latin1', eventIdStart[place]!, eventIdStart[place + 1]!),
    };
  }

  /** The event as JSON text. */
  textAt(place: number, now: number): string {
    const { eventTexts, eventStart } = this.#sections;
    const text = eventTexts.toString('utf8', eventStart[place]!, eventStart[place + 1]!);
    return text.replace(HOLE, `"${this.#statusAt(place, now)}"`);
  }

  #isBeyond(place: number, after: EventPlace): boolean {
    const { startsAt, id } = this.placeOf(place);
    return startsAt > after.startsAt || (startsAt === after.startsAt && id > after.id);
  }

  #statusAt(place: number, now: number): EventStatus {
    const { isOver, startsAt } = this.#sections;
    if (isOver[place] === 1) return 'ENDED';
    return startsAt[place]! <= now ? 'LIVE' : 'SCHEDULED';
  }
}

/**
 * Returns the first index below `count` for which the condition holds, and `count` if it never holds. The condition must hold for all
 * indices after the first such one.
 */
function lowerBound(count: number, isSo: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
