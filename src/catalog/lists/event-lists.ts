// GET /v1/sports/events and the markets of an event (contract §6, §4.10). Reads shared memory in the task that has checked the
// signature. Check workers and main thread.

import type { CatalogOperation, EventMarketsOperation, OperationReply } from '../../domain/operation.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { type Page, type PageScope, pageToken, readPage } from '../../wire/page-token.ts';
import { errorReply, textReply, unavailableReply } from '../../wire/replies.ts';
import { EVENT_STATUSES, type EventPlace, type EventQuery } from '../snapshot-events.ts';
import { readSnapshot } from '../snapshot-reader.ts';
import { readCompetitions, readTime } from './catalog-filters.ts';

const FILTERS = ['sport', 'competition', 'status', 'startsAfter', 'startsBefore'];

export function listEvents(scope: PageScope, { query, catalog }: CatalogOperation, now: number): OperationReply {
  const page = readPage(scope, query, FILTERS);
  if (!page.ok) return errorReply('invalid', page.error);
  const wanted = readFilters(page.value);
  if (!wanted.ok) return errorReply('invalid', wanted.error);
  if (catalog === null) return textReply(200, '{"events":[],"nextPageToken":null}');
  const { rows } = page.value;
  const reply = readSnapshot(catalog, ({ events }) => {
    // One more than the page shows: it says whether another page follows.
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

/** All markets: an event has no more than fit one answer. */
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
