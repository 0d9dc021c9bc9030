// The text of a market for the API, without the parts that depend on caller and time. Pure.

import { unreachable } from '../domain/result.ts';
import type { CatalogListing, CatalogMarket } from './catalog-market.ts';
import { HOLE } from './snapshot-layout.ts';

/** JSON up to the event, with a HOLE for each listing that can take orders. */
export function marketText({ id, title, outcomes, line, notes }: CatalogMarket): string {
  const outcomeTexts = outcomes.map(
    it => `{"name":${JSON.stringify(it.name)},"listings":[${it.listings.map(listingText).join(',')}]}`,
  );
  const head = `{"id":${JSON.stringify(id)},"title":${JSON.stringify(title)}`;
  const lineText = line === null ? '' : `,"line":${JSON.stringify(line)}`;
  const notesText = notes.length === 0 ? '' : `,"notes":${JSON.stringify(notes)}`;
  return `${head},"outcomes":[${outcomeTexts.join(',')}]${lineText}${notesText}`;
}

function listingText({ route }: CatalogListing): string {
  switch (route.venue) {
    case 'venue_a':
      return `{"venue":"VENUE_A","tokenId":"${route.tokenId}","executable":${HOLE}}`;
    case 'venue_b':
      return `{"venue":"VENUE_B","ticker":"${route.ticker}","side":"${route.side}","executable":${HOLE}}`;
    case 'venue_c':
      return `{"venue":"VENUE_C","strikeId":"${route.strikeId}","executable":false}`;
    default:
      return unreachable(route);
  }
}
