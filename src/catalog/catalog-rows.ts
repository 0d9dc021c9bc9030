// Events and markets of the catalog as rows ready to be written: words, times, texts of events. A row is made once and reused while its
// event or market does not change. Catalog thread.

import { assert, unreachable } from '../core/domain/result.ts';
import type { OutcomeRoute } from '../venues/discovery.ts';
import { type Catalog, type CatalogEvent, type CatalogMarket, isTraded } from './catalog.ts';
import { COMPETITIONS } from './leagues/competitions.ts';
import { HOLE } from './snapshot-layout.ts';
import { Vocabulary, type WordIndex } from './vocabulary.ts';

/** Returns a function that calls `make` once for each object. The result is kept as long as the object. */
export function memoized<Part extends object, Made extends string | object | null>(
  make: (part: Part) => Made,
): (part: Part) => Made {
  const known = new WeakMap<Part, Made>();
  return part => {
    const last = known.get(part);
    if (last !== undefined) return last;
    const made = make(part);
    known.set(part, made);
    return made;
  };
}

interface Entry<Made> {
  readonly parts: readonly unknown[];
  readonly made: Made;
}

/** Caches results. A cached result is valid while its name and all of its parts are the same. */
export class Memo<Made> {
  #last: ReadonlyMap<string, Entry<Made>> = new Map();
  #round = new Map<string, Entry<Made>>();

  /** Starts a round. Results that the last round did not use are dropped. */
  begin(): void {
    this.#last = this.#round;
    this.#round = new Map();
  }

  /** Returns the cached result, or makes it. Call this once in a round for each name. */
  of(name: string, parts: readonly unknown[], make: () => Made): Made {
    const known = this.#last.get(name);
    const entry = known !== undefined && isSame(known.parts, parts) ? known : { parts, made: make() };
    this.#round.set(name, entry);
    return entry.made;
  }
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((part, index) => part === others[index]);
}

/** Sorts items repeatedly. Items that the last call had, too, are sorted in linear time. */
export class IncrementalSort<Item> {
  readonly #compare: (a: Item, b: Item) => number;
  #last: readonly Item[] = [];

  /** `compare` must never call two different items equal. */
  constructor(compare: (a: Item, b: Item) => number) {
    this.#compare = compare;
  }

  /** Returns each item once, in order. */
  of(items: Iterable<Item>): readonly Item[] {
    const fresh = new Set(items);
    const stayed = this.#last.filter(item => fresh.delete(item));
    // The outer sort finds two sorted runs and merges them.
    this.#last = [...stayed, ...[...fresh].sort(this.#compare)].sort(this.#compare);
    return this.#last;
  }
}

export interface MarketRow {
  readonly market: CatalogMarket;
  /** The handle of the market's list of words in the vocabulary. */
  readonly words: number;
  /** The number of listings that can take orders. The text has one hole for each of them. */
  readonly listingCount: number;
}

export interface EventRow {
  readonly id: string;
  /** The event as JSON, with a HOLE for its status. */
  readonly text: string;
  readonly textBytes: number;
  /** The start in Unix milliseconds. */
  readonly startsAt: number;
  readonly isOver: boolean;
  /** The competition, as an index in COMPETITIONS. */
  readonly competition: number;
}

/** The content of a catalog, ready to be written. */
export interface CatalogRows {
  /** The events, ordered by (startsAt, id). */
  readonly events: readonly EventRow[];
  /** The markets by id, compared as plain text. Ids never change, so pages of the list use this order. */
  readonly markets: readonly MarketRow[];
  /** The index of the markets' words. It names a market by its place in `markets`. */
  readonly words: WordIndex;
  /** The former ids of the catalog's events, each with the present id. */
  readonly lostIds: readonly (readonly [lost: string, current: string])[];
}

export class RowBuilder {
  readonly #eventRow = memoized(eventRow);
  #marketRows: MarketRows | null = null;

  of({ events, markets }: Catalog, lostIds: CatalogRows['lostIds'] = []): CatalogRows {
    this.#marketRows ??= marketRows(markets.length);
    const { vocabulary, rowOf } = this.#marketRows;
    const rows = markets.map(rowOf);
    const words = vocabulary.index(rows.map(row => row.words));
    const used = words.firstPosting.length + rows.length + words.postings.length;
    // Most of the vocabulary's words belong to markets that are gone, so the next call starts a new vocabulary.
    if (vocabulary.size > VOCABULARY_PER_USED_MAX * used) this.#marketRows = null;
    return { events: events.map(this.#eventRow), markets: rows, words, lostIds };
  }
}

const VOCABULARY_PER_USED_MAX = 2;

/** The function that makes rows, and the vocabulary that their word lists belong to. */
interface MarketRows {
  readonly vocabulary: Vocabulary;
  readonly rowOf: (market: CatalogMarket) => MarketRow;
}

function marketRows(marketsExpected: number): MarketRows {
  const vocabulary = new Vocabulary(marketsExpected);
  return { vocabulary, rowOf: memoized(market => marketRow(market, vocabulary)) };
}

function eventRow({ id, name, sport, competition, startsAt, isOver, participants }: CatalogEvent): EventRow {
  const head = JSON.stringify({ id, name, sport, competition, startsAt: new Date(startsAt).toISOString() });
  const text = `${head.slice(0, -1)},"status":${HOLE},"participants":${JSON.stringify(participants)}}`;
  const index = COMPETITIONS.findIndex(it => it.id === competition);
  assert(index >= 0, 'an event is of a competition that is known');
  return { id, text, textBytes: Buffer.byteLength(text), startsAt, isOver, competition: index };
}

function marketRow(market: CatalogMarket, vocabulary: Vocabulary): MarketRow {
  const { id, title, outcomes, otherWords } = market;
  // Ids count as words, whole and in parts, so that the name of a game finds a ticker.
  const ids = [id];
  let listingCount = 0;
  for (const { listings } of outcomes) {
    for (const listing of listings) {
      for (const address of addressesOf(listing.route)) if (!ids.includes(address)) ids.push(address);
      if (isTraded(listing)) listingCount += 1;
    }
  }
  const words = vocabulary.listOf([title, ...otherWords, ...outcomes.map(({ name }) => name)], ids);
  return { market, words, listingCount };
}

/** The venue's names of the outcome, and of its contrary if the route has one. */
function addressesOf(route: OutcomeRoute): readonly string[] {
  switch (route.venue) {
    case 'venue_a':
      return route.noTokenId === undefined ? [route.tokenId] : [route.tokenId, route.noTokenId];
    case 'venue_b':
      return [route.ticker];
    case 'venue_c':
      return [route.strikeId];
    default:
      return unreachable(route);
  }
}
