// GET /v1/markets: a page of the catalog (contract §6, §4.10), read from shared memory in the task that has checked the signature.
// Order workers.

import { SnapshotReader } from '../catalog/snapshot-reader.ts';
import { type SearchTerm, termsOf } from '../catalog/words.ts';
import { VENUES, type Venue } from '../domain/market.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { limits } from '../limits.ts';
import { type Page, type PageScope, pageToken, readPage } from '../wire/page-token.ts';
import { errorReply, textReply, unavailableReply } from './operation-replies.ts';
import type { MarketsOperation, OperationReply } from './order-tasks.ts';

const FILTERS = ['q', 'venue', 'sport', 'competition', 'eventId', 'executable'];
const NOTHING = JSON.stringify({ markets: [], nextPageToken: null });

export function listMarkets(
  scope: PageScope,
  { query, catalog, tradable }: MarketsOperation,
  now: number,
): OperationReply {
  const page = readPage(scope, query, FILTERS);
  if (!page.ok) return errorReply('invalid', page.error);
  const wanted = readFilters(page.value.filters);
  if (!wanted.ok) return errorReply('invalid', wanted.error);
  if (page.value.filters.eventId !== undefined) return errorReply('notFound', 'eventId: no such event');
  if (catalog === null) return textReply(200, NOTHING);
  const reader = SnapshotReader.open(catalog);
  const { rows, after } = page.value;
  // One more than is shown: whether there is another page.
  const found = reader?.find({ ...wanted.value, tradable, now, after, rowsMax: rows + 1 }) ?? [];
  const shown = found.slice(0, rows);
  const texts = shown.map(place => reader?.textAt(place, { tradable, now }));
  const last = shown.at(-1);
  const isMore = found.length > rows && reader !== null && last !== undefined;
  const next = isMore ? pageToken(scope, { ...page.value, after: reader.idAt(last) }) : null;
  if (reader?.isWhole !== true) return unavailableReply('the catalog was replaced twice meanwhile: ask again');
  return textReply(200, `{"markets":[${texts.join(',')}],"nextPageToken":${JSON.stringify(next)}}`);
}

interface MarketFilters {
  readonly terms: readonly SearchTerm[];
  readonly venue: Venue | null;
  readonly executable: boolean | null;
}

/** What is wrong names the parameter and the rule. */
function readFilters({ q, venue, sport, competition, executable }: Page['filters']): Result<MarketFilters, string> {
  const place = venue === undefined ? null : VENUES.find(it => it === venue);
  if (place === undefined) return fail(`venue: must be one of ${VENUES.join(', ')}`);
  if (executable !== undefined && executable !== 'true' && executable !== 'false') {
    return fail('executable: must be true or false');
  }
  // Markets are of no sport yet.
  if (sport !== undefined) return fail('sport: no such sport');
  if (competition !== undefined) return fail('competition: no such competition');
  const terms = q === undefined ? [] : searchTerms(q);
  if (terms === null)
    return fail(`q: must be 1 to ${limits.searchWordsMax} words in ${limits.searchCharactersMax} characters`);
  return ok({ terms, venue: place, executable: executable === undefined ? null : executable === 'true' });
}

/** Null if there are no words, or too many. */
function searchTerms(text: string): readonly SearchTerm[] | null {
  const terms = text.length > limits.searchCharactersMax ? [] : termsOf(text);
  const count = terms.reduce((sum, { words }) => sum + words.length, 0);
  return count > 0 && count <= limits.searchWordsMax ? terms : null;
}
