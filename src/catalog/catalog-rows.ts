// The catalog's markets as rows ready to be written: text, words, times. A row is made once and kept for as long as its event is the
// same, since most are from one catalog to the next. Catalog thread.

import type { VenueEvent } from '../venues/discovery.ts';
import { type CatalogListing, type CatalogMarket, catalogMarkets } from './catalog-market.ts';
import { HOLE } from './snapshot-layout.ts';
import { wordsOf } from './words.ts';

export interface MarketRow {
  readonly id: string;
  /** JSON with a HOLE for each listing. */
  readonly text: string;
  readonly textBytes: number;
  /** Each once. */
  readonly words: readonly string[];
  /** In the order of their holes. */
  readonly listings: readonly CatalogListing[];
}

export class CatalogRows {
  #rows: ReadonlyMap<VenueEvent, readonly MarketRow[]> = new Map();

  /** In the order of their ids, each id once. That order is the one of the list's pages: plain text, which never changes. */
  of(events: readonly VenueEvent[]): readonly MarketRow[] {
    this.#rows = new Map(events.map(event => [event, this.#rows.get(event) ?? catalogMarkets(event).map(marketRow)]));
    const rows = [...this.#rows.values()].flat().sort(byId);
    return rows.filter((row, index) => row.id !== rows[index - 1]?.id);
  }
}

export function marketRow(market: CatalogMarket): MarketRow {
  const { id, title, outcomes, eventId, otherWords } = market;
  const listings = outcomes.flatMap(it => it.listings);
  const outcomeTexts = outcomes.map(
    it => `{"name":${JSON.stringify(it.name)},"listings":[${it.listings.map(listingText).join(',')}]}`,
  );
  const head = `{"id":${JSON.stringify(id)},"title":${JSON.stringify(title)}`;
  const text = `${head},"outcomes":[${outcomeTexts.join(',')}],"eventId":${JSON.stringify(eventId)}}`;
  // Ids are words too, whole and in parts: a ticker is found by its game.
  const ids = [id, ...listings.map(({ route }) => (route.venue === 'venue_a' ? route.tokenId : route.ticker))];
  const said = [title, otherWords, ...outcomes.map(({ name }) => name), ...ids].join(' ');
  const words = new Set([...wordsOf(said), ...ids.map(it => it.toLowerCase())]);
  return { id, text, textBytes: Buffer.byteLength(text), words: [...words], listings };
}

function listingText({ route }: CatalogListing): string {
  if (route.venue === 'venue_a') return `{"venue":"VENUE_A","tokenId":"${route.tokenId}","executable":${HOLE}}`;
  return `{"venue":"VENUE_B","ticker":"${route.ticker}","side":"${route.side}","executable":${HOLE}}`;
}

function byId(a: MarketRow, b: MarketRow): number {
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}
