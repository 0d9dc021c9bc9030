// GET /v1/sports/events and the markets of an event (contract §6, §4.10). Reads shared memory in the task that has checked the
// signature. Check workers and main thread.

import { isoMillisOf } from '../../core/domain/iso-time.ts';
import type { CatalogOperation, EventMarketsOperation, OperationReply } from '../../core/domain/operation.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import { type Page, type PageScope, pageToken, readPage } from '../../core/wire/page-token.ts';
import { errorReply, textReply, unavailableReply } from '../../core/wire/replies.ts';
import { COMPETITIONS, SPORTS } from '../leagues/competitions.ts';
import { EVENT_STATUSES, type EventPlace, type EventQuery } from '../snapshot-events.ts';
import { readSnapshot } from '../snapshot-reader.ts';

const FILTERS = ['sport', 'competition', 'status', 'startsAfter', 'startsBefore'];

export function listEvents(scope: PageScope, { query, catalog }: CatalogOperation, now: number): OperationReply {
  const page = readPage(scope, query, FILTERS);
  if (!page.ok) return errorReply('invalid', page.error);
  const wanted = readFilters(page.value);
  if (!wanted.ok) return errorReply('invalid', wanted.error);
  if (catalog === null) return textReply(200, '{"events":[],"nextPageToken":null}');
  const { rows } = page.value;
  const reply = readSnapshot(catalog, ({ events }) => {
    // One row more than the page shows says whether another page follows.
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

/** Lists all markets: an event has no more than fit one answer. */
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

export function noSuchEvent(): OperationReply {
  return errorReply('notFound', 'eventId: no such event');
}

/** Answer of a reader so slow that its snapshot was overwritten. */
export function replacedReply(): OperationReply {
  return unavailableReply('the catalog was replaced twice meanwhile: ask again');
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

function readFilters({ filters, after }: Page): Result<EventFilters, string> {
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
  if (place === undefined) return fail('pageToken: is not one of this list and caller');
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

/** Undefined if the text is no cursor. */
function readCursor(text: string): EventPlace | undefined {
  const [, startsAt = '', id = ''] = /^(-?\d{1,16}) (.+)$/.exec(text) ?? [];
  return id === '' ? undefined : { startsAt: Number(startsAt), id };
}

/** Indices in COMPETITIONS that the caller wants; null: all. */
export function readCompetitions({ sport, competition }: Page['filters']): Result<ReadonlySet<number> | null, string> {
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

/** Reads RFC 3339 with its zone as Unix milliseconds. */
export function readTime(name: string, text: string): Result<number, string> {
  const at = RFC_3339.test(text) ? isoMillisOf(text) : null;
  return at === null ? fail(`${name}: must be a time like 2026-11-20T18:30:00Z`) : ok(at);
}
