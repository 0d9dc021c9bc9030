// Events and markets of the catalog as rows ready to be written: texts, words, times. A row is made once of what is the same from one
// catalog to the next. Catalog thread.

import { assert } from '../domain/result.ts';
import type { Catalog, CatalogEvent } from './catalog.ts';
import type { CatalogListing, CatalogMarket } from './catalog-market.ts';
import { COMPETITIONS } from './leagues/competitions.ts';
import { ofEach } from './reuse.ts';
import { HOLE } from './snapshot-layout.ts';
import { wordsOf } from './words.ts';

export interface MarketRow {
  readonly id: string;
  /** JSON with a HOLE for each listing, up to its event. */
  readonly text: string;
  readonly textBytes: number;
  /** Each once. */
  readonly words: readonly string[];
  /** In the order of their holes. */
  readonly listings: readonly CatalogListing[];
  /** Null: of none. */
  readonly eventId: string | null;
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
  /** Ids that events of the catalog had once. */
  readonly lostIds: readonly (readonly [lost: string, current: string])[];
}

export class RowMaker {
  readonly #marketRow = ofEach(marketRow);
  readonly #eventRow = ofEach(eventRow);

  of({ events, markets }: Catalog, lostIds: CatalogRows['lostIds'] = []): CatalogRows {
    return { events: events.map(this.#eventRow), markets: markets.map(this.#marketRow), lostIds };
  }
}

function eventRow({ id, name, sport, competition, startsAt, isOver, participants }: CatalogEvent): EventRow {
  const head = JSON.stringify({ id, name, sport, competition, startsAt: new Date(startsAt).toISOString() });
  const text = `${head.slice(0, -1)},"status":${HOLE},"participants":${JSON.stringify(participants)}}`;
  const index = COMPETITIONS.findIndex(it => it.id === competition);
  assert(index >= 0, 'an event is of a competition that is known');
  return { id, text, textBytes: Buffer.byteLength(text), startsAt, isOver, competition: index };
}

function marketRow({ id, title, outcomes, eventId, line, notes, otherWords }: CatalogMarket): MarketRow {
  const listings = outcomes.flatMap(it => it.listings);
  const outcomeTexts = outcomes.map(
    it => `{"name":${JSON.stringify(it.name)},"listings":[${it.listings.map(listingText).join(',')}]}`,
  );
  const head = `{"id":${JSON.stringify(id)},"title":${JSON.stringify(title)}`;
  const lineText = line === null ? '' : `,"line":${JSON.stringify(line)}`;
  const notesText = notes.length === 0 ? '' : `,"notes":${JSON.stringify(notes)}`;
  const text = `${head},"outcomes":[${outcomeTexts.join(',')}]${lineText}${notesText}`;
  // Ids are words too, whole and in parts: a ticker is found by its game.
  const ids = [id, ...listings.map(({ route }) => (route.venue === 'venue_a' ? route.tokenId : route.ticker))];
  const said = [title, otherWords, ...outcomes.map(({ name }) => name), ...ids].join(' ');
  const words = new Set([...wordsOf(said), ...ids.map(it => it.toLowerCase())]);
  return { id, text, textBytes: Buffer.byteLength(text), words: [...words], listings, eventId };
}

function listingText({ route }: CatalogListing): string {
  if (route.venue === 'venue_a') return `{"venue":"VENUE_A","tokenId":"${route.tokenId}","executable":${HOLE}}`;
  return `{"venue":"VENUE_B","ticker":"${route.ticker}","side":"${route.side}","executable":${HOLE}}`;
}
