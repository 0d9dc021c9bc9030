// Lists of the catalog: GET /v1/sports/events, the markets of an event, and GET /v1/markets (contract §6, §4.10). They are read from shared
// memory in the task that has checked the signature. Check workers and main thread.

import { isoMillisOf } from '../core/domain/iso-time.ts';
import { VENUES, venueNamed } from '../core/domain/market.ts';
import type { CatalogOperation, EventMarketsOperation, OperationReply } from '../core/domain/operation.ts';
import { fail, ok, type Result } from '../core/domain/result.ts';
import { type Page, type PageScope, pageToken, readPage } from '../core/wire/page-token.ts';
import { errorReply, textReply, unavailableReply } from '../core/wire/replies.ts';
import { limits } from '../limits.ts';
import { COMPETITIONS, SPORTS } from './leagues/competitions.ts';
import {
  EVENT_STATUSES,
  type EventPlace,
  type EventQuery,
  type MarketQuery,
  readSnapshot,
  SnapshotReader,
} from './snapshot-reader.ts';
import { type SearchTerm, termsOf } from './vocabulary.ts';

const EVENT_FILTERS = ['sport', 'competition', 'status', 'startsAfter', 'startsBefore'];

export function listEvents(scope: PageScope, { query, catalog }: CatalogOperation, now: number): OperationReply {
  const page = readPage(scope, query, EVENT_FILTERS);
  if (!page.ok) return errorReply('invalid', page.error);
  const wanted = readEventFilters(page.value);
  if (!wanted.ok) return errorReply('invalid', wanted.error);
  if (catalog === null) return textReply(200, '{"events":[],"nextPageToken":null}');
  const { rows } = page.value;
  const reply = readSnapshot(catalog, ({ events }) => {
    // The list reads one row more than the page shows: this row says whether another page follows.
    const found = events.find({ ...wanted.value, rowsMax: rows + 1, now });
    const shown = found.slice(0, rows);
    const texts = shown.map(place => events.textAt(place, now));
    const last = found.length > rows ? shown.at(-1) : undefined;
    const after = last === undefined ? null : cursorOf(events.placeOf(last));
    const next = after === null ? null : pageToken(scope, { ...page.value, after });
    return textReply(200, `{"events":[${texts.join(',')}],"nextPageToken":${JSON.stringify(next)}}`);
  });
  return reply ?? replacedReply();
}

/** Lists all markets of an event without pages: no event has more markets than one answer can hold. */
export function listEventMarkets(operation: EventMarketsOperation, now: number): OperationReply {
  const { eventId, catalog, tradable } = operation;
  if (catalog === null) return noSuchEvent();
  const reply = readSnapshot(catalog, reader => {
    const event = reader.events.named(eventId);
    if (event === null) return noSuchEvent();
    const found = reader.find({ ...ALL, event, tradable, now });
    const texts = found.map(place => `${reader.textAt(place, { tradable, now })}}`);
    return textReply(200, `{"markets":[${texts.join(',')}]}`);
  });
  return reply ?? replacedReply();
}

function noSuchEvent(): OperationReply {
  return errorReply('notFound', 'eventId: no such event');
}

/** The words of an answer to a reader so slow that its snapshot was overwritten. */
export const REPLACED = 'the catalog was replaced twice meanwhile: ask again';

function replacedReply(): OperationReply {
  return unavailableReply(REPLACED);
}

const ALL = {
  terms: [],
  venue: null,
  competitions: null,
  executable: null,
  after: null,
  rowsMax: Number.POSITIVE_INFINITY,
} as const;

type EventFilters = Omit<EventQuery, 'rowsMax' | 'now'>;

function readEventFilters({ filters, after }: Page): Result<EventFilters, string> {
  const { status, startsAfter, startsBefore } = filters;
  const competitions = readCompetitions(filters);
  if (!competitions.ok) return competitions;
  const wanted = status === undefined ? null : EVENT_STATUSES.find(it => it === status);
  if (wanted === undefined) return fail(`status: must be one of ${EVENT_STATUSES.join(', ')}`);
  const from = startsAfter === undefined ? ok(Number.NEGATIVE_INFINITY) : readTime('startsAfter', startsAfter);
  if (!from.ok) return from;
  const to = startsBefore === undefined ? ok(Number.POSITIVE_INFINITY) : readTime('startsBefore', startsBefore);
  if (!to.ok) return to;
  const place = after === null ? null : readCursor(after);
  if (place === undefined) return fail('pageToken: was not issued for this list and this caller');
  return ok({
    competitions: competitions.value,
    status: wanted,
    startsAfter: from.value,
    startsBefore: to.value,
    after: place,
  });
}

function cursorOf({ startsAt, id }: EventPlace): string {
  return `${startsAt} ${id}`;
}

/** Returns undefined if the text is no cursor. */
function readCursor(text: string): EventPlace | undefined {
  const [, startsAt = '', id = ''] = /^(-?\d{1,16}) (.+)$/.exec(text) ?? [];
  return id === '' ? undefined : { startsAt: Number(startsAt), id };
}

/** Returns the indices in COMPETITIONS that the caller wants. Null means all competitions. */
function readCompetitions({ sport, competition }: Page['filters']): Result<ReadonlySet<number> | null, string> {
  if (sport !== undefined && !SPORTS.some(({ id }) => id === sport)) return fail('sport: no such sport');
  if (competition !== undefined && !COMPETITIONS.some(({ id }) => id === competition)) {
    return fail('competition: no such competition');
  }
  if (sport === undefined && competition === undefined) return ok(null);
  const wanted = COMPETITIONS.flatMap(({ id, sport: own }, index) =>
    (sport === undefined || own.id === sport) && (competition === undefined || id === competition) ? [index] : [],
  );
  return ok(new Set(wanted));
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

/** Reads a time of RFC 3339 with its zone as Unix milliseconds. */
export function readTime(name: string, text: string): Result<number, string> {
  const at = RFC_3339.test(text) ? isoMillisOf(text) : null;
  return at === null ? fail(`${name}: must be a time like 2026-11-20T18:30:00Z`) : ok(at);
}

const MARKET_FILTERS = ['q', 'venue', 'sport', 'competition', 'eventId', 'executable'];
const NOTHING = JSON.stringify({ markets: [], nextPageToken: null });

export function listMarkets(
  scope: PageScope,
  { query, catalog, tradable }: CatalogOperation,
  now: number,
): OperationReply {
  const page = readPage(scope, query, MARKET_FILTERS);
  if (!page.ok) return errorReply('invalid', page.error);
  const wanted = readMarketFilters(page.value.filters);
  if (!wanted.ok) return errorReply('invalid', wanted.error);
  const { eventId } = page.value.filters;
  if (catalog === null) return eventId === undefined ? textReply(200, NOTHING) : noSuchEvent();
  const { rows, after } = page.value;
  const reply = readSnapshot(catalog, reader => {
    const event = eventId === undefined ? null : reader.events.named(eventId);
    if (eventId !== undefined && event === null) return noSuchEvent();
    // The list reads one row more than the page shows: this row says whether another page follows.
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

/** Reads the filters of a list of markets. An error names the parameter and the rule that it breaks. */
function readMarketFilters(filters: Page['filters']): Result<MarketFilters, string> {
  const { q, venue, executable } = filters;
  const place = venue === undefined ? null : venueNamed(venue, VENUES);
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

/** Splits a search into terms. Only blanks separate terms, so an id with hyphens is one term. */
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

// Quick lists take about as long as a signature check, so the main thread may read them (ADR 0020). Checking one market takes some 10
// nanoseconds, writing it takes half a microsecond.

/** The parameters that leave nothing to scan. A page token is not among them, because it may stand for any parameters. */
const CHEAP = ['pageSize', 'eventId'];

/** Whether the list is quick. `marketsMax` is the size up to which a catalog is small enough to scan. */
export function isQuickList(operation: CatalogOperation | EventMarketsOperation, marketsMax: number): boolean {
  const { catalog } = operation;
  const reader = catalog === null ? null : SnapshotReader.open(catalog);
  if (reader === null) return true;
  if (operation.name === 'event-markets') return reader.countOfEvent(operation.eventId) <= limits.pageRowsMax;
  return reader.count <= marketsMax || [...operation.query.keys()].every(name => CHEAP.includes(name));
}
