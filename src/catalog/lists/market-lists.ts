// GET /v1/markets: a page of the catalog (contract §6, §4.10). Reads shared memory in the task that has checked the signature.
// Check workers and main thread.

import { VENUES } from '../../core/domain/market.ts';
import type { CatalogOperation, OperationReply } from '../../core/domain/operation.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import { type Page, type PageScope, pageToken, readPage } from '../../core/wire/page-token.ts';
import { errorReply, textReply } from '../../core/wire/replies.ts';
import { limits } from '../../limits.ts';
import { type MarketQuery, readSnapshot } from '../snapshot-reader.ts';
import { type SearchTerm, termsOf } from '../words.ts';
import { noSuchEvent, readCompetitions, replacedReply } from './event-lists.ts';

const FILTERS = ['q', 'venue', 'sport', 'competition', 'eventId', 'executable'];
const NOTHING = JSON.stringify({ markets: [], nextPageToken: null });

export function listMarkets(
  scope: PageScope,
  { query, catalog, tradable }: CatalogOperation,
  now: number,
): OperationReply {
  const page = readPage(scope, query, FILTERS);
  if (!page.ok) return errorReply('invalid', page.error);
  const wanted = readFilters(page.value.filters);
  if (!wanted.ok) return errorReply('invalid', wanted.error);
  const { eventId } = page.value.filters;
  if (catalog === null) return eventId === undefined ? textReply(200, NOTHING) : noSuchEvent();
  const { rows, after } = page.value;
  const reply = readSnapshot(catalog, reader => {
    const event = eventId === undefined ? null : reader.events.named(eventId);
    if (eventId !== undefined && event === null) return noSuchEvent();
    // One row more than the page shows says whether another page follows.
    const found = reader.find({ ...wanted.value, event, tradable, now, after, rowsMax: rows + 1 });
    const shown = found.slice(0, rows);
    const texts = shown.map(
      place => `${reader.textAt(place, { tradable, now })},"eventId":${JSON.stringify(reader.eventIdAt(place))}}`,
    );
    const last = found.length > rows ? shown.at(-1) : undefined;
    const next = last === undefined ? null : pageToken(scope, { ...page.value, after: reader.idAt(last) });
    return textReply(200, `{"markets":[${texts.join(',')}],"nextPageToken":${JSON.stringify(next)}}`);
  });
  return reply ?? replacedReply();
}

type MarketFilters = Pick<MarketQuery, 'terms' | 'venue' | 'competitions' | 'executable'>;

/** An error names the parameter and the rule. */
function readFilters(filters: Page['filters']): Result<MarketFilters, string> {
  const { q, venue, executable } = filters;
  const place = venue === undefined ? null : VENUES.find(it => it === venue);
  if (place === undefined) return fail(`venue: must be one of ${VENUES.join(', ')}`);
  if (executable !== undefined && executable !== 'true' && executable !== 'false') {
    return fail('executable: must be true or false');
  }
  const competitions = readCompetitions(filters);
  if (!competitions.ok) return competitions;
  const terms = q === undefined ? ok([]) : searchTerms(q);
  if (!terms.ok) return terms;
  return ok({
    terms: terms.value,
    venue: place,
    competitions: competitions.value,
    executable: executable === undefined ? null : executable === 'true',
  });
}

/** Only blanks separate terms: an id with hyphens is one. */
function searchTerms(text: string): Result<readonly SearchTerm[], string> {
  const { searchCharactersMax, searchWordsMax } = limits;
  if (text.length > searchCharactersMax) {
    return fail(`q: must be at most ${searchCharactersMax} characters (searchCharactersMax)`);
  }
  const terms = termsOf(text);
  if (terms.length === 0) return fail('q: must hold a letter or a digit: nothing else can be searched for');
  const isFew = terms.length <= searchWordsMax;
  return isFew ? ok(terms) : fail(`q: must be at most ${searchWordsMax} words between blanks (searchWordsMax)`);
}
