// Venue C's market data (venues-c-d-e.md §1): its events in one answer, then their markets, for some events at a time. Its offers are
// American odds, which are not read, because they are not prices here. Nothing here can be traded. Catalog thread.

import { isObject, type JsonObject, objectsOf } from '../../core/domain/json.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { HttpGet } from '../../core/net/http.ts';
import { limits } from '../../limits.ts';
import {
  type ListedEvent,
  NO_EVENTS,
  type OutcomeRoute,
  type PageAnswer,
  type VenueDiscovery,
  type VenueEvent,
  type VenueMarket,
  type VenueOutcome,
} from '../discovery.ts';
import { decimalOf, eventsOf, nameOf, readEach, timeOf, wordOf } from '../discovery-fields.ts';
import { getListed } from '../venue-json.ts';

interface VenueCDiscoveryParts {
  readonly url: string;
  readonly apiKey: string;
  readonly get: HttpGet;
}

export function venueCDiscovery({ url, apiKey, get }: VenueCDiscoveryParts): VenueDiscovery {
  /** The last list of events, without their markets. */
  let known: readonly VenueEvent[] = [];
  const dataOf = async (path: string): Promise<Result<unknown, string>> => {
    const answer = await getListed(get, url + path, { accept: 'application/json', authorization: apiKey });
    if (!answer.ok) return answer;
    return isObject(answer.value) ? ok(answer.value.data) : fail('an answer that is not a JSON object');
  };
  const readEvents = async (): Promise<PageAnswer> => {
    const data = await dataOf('/affiliate/get_sport_events');
    if (!data.ok) return data;
    const events = isObject(data.value) ? data.value.sport_events : null;
    if (!Array.isArray(events)) return fail('no events in the answer');
    const { read, malformed } = readEach(events, readVenueCEvent);
    known = read;
    return ok({ events: [], malformed, next: read.length === 0 ? null : '0' });
  };
  const readMarkets = async (first: number, rows: number): Promise<PageAnswer> => {
    const asked = known.slice(first, first + rows);
    const query = asked.map(({ eventId }) => `event_ids=${eventId}`).join('&');
    const data = await dataOf(`/v4/affiliate/get_multiple_markets?${query}`);
    if (!data.ok) return data;
    const marketsOf = byEvent(data.value);
    if (marketsOf === null) return fail('no markets in the answer');
    const listed = asked.map(event => withMarkets(event, marketsOf(event.eventId)));
    const next = first + asked.length;
    return ok({ ...eventsOf(listed, 0), next: next < known.length ? String(next) : null });
  };
  return {
    venue: 'venue_c',
    rowsMax: limits.catalogVenueCRowsPerPageMax,
    pagePauseMs: limits.catalogVenueCPagePauseMs,
    /** Each page is one request. The first page has no events, and says whether another page follows. */
    listed: (cursor, rows) => (cursor === null ? readEvents() : readMarkets(Number(cursor), rows)),
    /** Returns no changes, because the venue does not list them. They come with the next full read. */
    news: async () => ok(NO_EVENTS),
    /** Returns no events, because the venue's list is complete. */
    unlisted: async () => ok(NO_EVENTS),
  };
}

/**
 * Returns a function that finds the markets of an event. The answer has one list per event, or one list whose entries name the events.
 * Returns null if the answer has neither form.
 */
function byEvent(data: unknown): ((eventId: string) => unknown) | null {
  if (isObject(data)) return eventId => data[eventId];
  if (!Array.isArray(data)) return null;
  const lists = Map.groupBy(objectsOf(data), market => wordOf(market.event_id));
  return eventId => lists.get(eventId);
}

function withMarkets(event: VenueEvent, markets: unknown): ListedEvent {
  if (markets === undefined || markets === null) return { event, malformed: 0 };
  if (!Array.isArray(markets)) return { event, malformed: 1 };
  const { read, malformed } = readEach(markets, market => readVenueCMarket(market, event));
  return { event: { ...event, markets: read }, malformed };
}

interface StrikeOutcome extends VenueOutcome {
  readonly route: Extract<OutcomeRoute, { readonly venue: 'venue_c' }>;
}

const EVENT_ID = /^\d{1,15}$/;
/** The form of a strike's id, which answers contain unchanged. */
const STRIKE_ID = /^[\w-]{1,64}$/;
/** The states of an event whose markets are worth reading. */
const LISTED: readonly string[] = ['not_started', 'scheduled', 'live'];

/** Reads an event without its markets, which are read by its id. Returns null if the event is over, or its state is undocumented. */
export function readVenueCEvent(value: JsonObject): VenueEvent | null | 'malformed' {
  const [eventId, title, startsAt] = [wordOf(value.event_id), nameOf(value.name), timeOf(value.scheduled)];
  if (!EVENT_ID.test(eventId) || title === null || startsAt === null) return 'malformed';
  if (!LISTED.includes(wordOf(value.status))) return null;
  return {
    venue: 'venue_c',
    eventId,
    title,
    subTitle: '',
    seriesId: '',
    competition: wordOf(value.tournament_name),
    scope: '',
    startsAt,
    gameId: '',
    teams: [],
    markets: [],
  };
}

/** Reads a market. Returns null if the market has nothing to trade. The older field `line` means the same as `strike`. */
export function readVenueCMarket(
  value: JsonObject,
  { eventId, startsAt }: VenueEvent,
): VenueMarket | null | 'malformed' {
  const [id, title] = [wordOf(value.id), nameOf(value.name) ?? nameOf(value.display_name)];
  if (id === '' || title === null) return 'malformed';
  // A market without a state counts as open, because documented markets have no state.
  const isListed = value.status === undefined || value.status === 'active';
  if (!isListed || value.selections === null || value.selections === undefined) return null;
  const outcomes = outcomesOf(value.selections);
  if (outcomes === null) return 'malformed';
  const [first] = outcomes;
  if (first === undefined) return null;
  return {
    // The market's number identifies only a kind of question, which an event may ask several times. So the id includes the first strike.
    marketId: `${eventId}/${id}/${first.route.strikeId}`,
    title,
    outcomes,
    phase: 'OPEN',
    opensAt: null,
    closesAt: null,
    label: wordOf(value.display_name),
    kind: wordOf(value.type),
    line: decimalOf(value.strike ?? value.line),
    occursAt: startsAt,
  };
}

/**
 * Returns the outcomes from selections, which are in one list or in one list per side. A repeated selection is only another price. Returns
 * null if malformed.
 */
function outcomesOf(selections: unknown): readonly StrikeOutcome[] | null {
  if (!Array.isArray(selections)) return null;
  const names = new Map<string, string>();
  for (const selection of selections.flat()) {
    // Null means that this side has no offer.
    if (selection === null) continue;
    if (!isObject(selection)) return null;
    const strikeId = selection.strike_id ?? selection.line_id ?? '';
    if (strikeId === '') continue;
    const name = nameOf(selection.name) ?? nameOf(selection.display_name);
    if (typeof strikeId !== 'string' || !STRIKE_ID.test(strikeId) || name === null) return null;
    if ((names.get(strikeId) ?? name) !== name) return null;
    names.set(strikeId, name);
  }
  return [...names].map(([strikeId, name]) => ({ name, route: { venue: 'venue_c', strikeId } }));
}
