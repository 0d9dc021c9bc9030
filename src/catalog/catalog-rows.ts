// Events and markets of the catalog as rows ready to be written: words, times, texts of events. A row is made once of what is the same
// from one catalog to the next. Catalog thread.

import { assert, unreachable } from '../domain/result.ts';
import type { OutcomeRoute } from '../venues/discovery.ts';
import type { Catalog, CatalogEvent } from './catalog.ts';
import { type CatalogMarket, isTraded } from './catalog-market.ts';
import { COMPETITIONS } from './leagues/competitions.ts';
import { ofEach } from './reuse.ts';
import { HOLE } from './snapshot-layout.ts';
import { Vocabulary, type WordIndex } from './vocabulary.ts';

export interface MarketRow {
  readonly market: CatalogMarket;
  /** A list of the vocabulary. */
  readonly words: number;
  /** That can take orders: as many as its text has holes. */
  readonly listingCount: number;
}

export interface EventRow {
  readonly id: string;
  /** JSON with a HOLE for its status. */
  readonly text: string;
  readonly textBytes: number;
  /** Unix milliseconds. */
  readonly startsAt: number;
  readonly isOver: boolean;
  /** Index in COMPETITIONS. */
  readonly competition: number;
}

/** A catalog as it is written. */
export interface CatalogRows {
  /** In the order of (startsAt, id). */
  readonly events: readonly EventRow[];
  /** In the order of their ids: plain text, which never changes. It is the one of the list's pages. */
  readonly markets: readonly MarketRow[];
  /** Of the markets, by their places. */
  readonly words: WordIndex;
  /** Ids that events of the catalog had once. */
  readonly lostIds: readonly (readonly [lost: string, current: string])[];
}

export class RowMaker {
  readonly #eventRow = ofEach(eventRow);
  #marketRows: MarketRows | null = null;

  of({ events, markets }: Catalog, lostIds: CatalogRows['lostIds'] = []): CatalogRows {
    this.#marketRows ??= marketRows(markets.length);
    const { vocabulary, rowOf } = this.#marketRows;
    const rows = markets.map(rowOf);
    const words = vocabulary.index(rows.map(row => row.words));
    const used = words.firstPosting.length + rows.length + words.postings.length;
    // Mostly of markets that are gone: the next rows have lists of their own.
    if (vocabulary.size > VOCABULARY_PER_USED_MAX * used) this.#marketRows = null;
    return { events: events.map(this.#eventRow), markets: rows, words, lostIds };
  }
}

const VOCABULARY_PER_USED_MAX = 2;

/** Rows with lists of one vocabulary. */
interface MarketRows {
  readonly vocabulary: Vocabulary;
  readonly rowOf: (market: CatalogMarket) => MarketRow;
}

function marketRows(marketsExpected: number): MarketRows {
  const vocabulary = new Vocabulary(marketsExpected);
  return { vocabulary, rowOf: ofEach(market => marketRow(market, vocabulary)) };
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
  // Ids are words too, whole and in parts: a ticker is found by its game.
  const ids = [id];
  let listingCount = 0;
  for (const { listings } of outcomes) {
    for (const listing of listings) {
      const address = addressOf(listing.route);
      if (!ids.includes(address)) ids.push(address);
      if (isTraded(listing)) listingCount += 1;
    }
  }
  const words = vocabulary.listOf([title, ...otherWords, ...outcomes.map(({ name }) => name)], ids);
  return { market, words, listingCount };
}

/** What it is called there. */
function addressOf(route: OutcomeRoute): string {
  switch (route.venue) {
    case 'venue_a':
      return route.tokenId;
    case 'venue_b':
      return route.ticker;
    case 'venue_c':
      return route.strikeId;
    default:
      return unreachable(route);
  }
}
