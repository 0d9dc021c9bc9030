// Venue C's market data (venues-c-d-e.md §1): its events in one answer, then their markets, for some events at a time. Nothing here can
// be traded. Catalog thread.

import { isObject, objectsOf } from '../../domain/json.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { HttpGet } from '../../net/http.ts';
import { type ListedEvent, NO_EVENTS, type PageAnswer, type VenueDiscovery, type VenueEvent } from '../discovery.ts';
import { eventsOf, readEach, wordOf } from '../discovery-fields.ts';
import { getJson } from '../venue-json.ts';
import { readVenueCEvent, readVenueCMarket } from './listed-event.ts';

export interface VenueCDiscoveryParts {
  readonly url: string;
  readonly apiKey: string;
  readonly get: HttpGet;
}

export class VenueCDiscovery implements VenueDiscovery {
  readonly venue = 'venue_c';
  readonly rowsMax = limits.catalogVenueCRowsPerPageMax;
  readonly pagePauseMs = limits.catalogVenueCPagePauseMs;
  readonly #parts: VenueCDiscoveryParts;
  /** The last list of events, without their markets. */
  #events: readonly VenueEvent[] = [];

  constructor(parts: VenueCDiscoveryParts) {
    this.#parts = parts;
  }

  /** One request per page. The first page has no events and says how many follow. */
  listed(cursor: string | null, rows: number): Promise<PageAnswer> {
    return cursor === null ? this.#readEvents() : this.#readMarkets(Number(cursor), rows);
  }

  /** The venue lists no changes: they come with the next full read. */
  async news(): Promise<PageAnswer> {
    return ok(NO_EVENTS);
  }

  /** The venue's list is complete. */
  async unlisted(): Promise<PageAnswer> {
    return ok(NO_EVENTS);
  }

  async #readEvents(): Promise<PageAnswer> {
    const data = await this.#data('/affiliate/get_sport_events');
    if (!data.ok) return data;
    const events = isObject(data.value) ? data.value.sport_events : null;
    if (!Array.isArray(events)) return fail('no events in the answer');
    const { read, malformed } = readEach(events, readVenueCEvent);
    this.#events = read;
    return ok({ events: [], malformed, next: read.length === 0 ? null : '0' });
  }

  async #readMarkets(first: number, rows: number): Promise<PageAnswer> {
    const asked = this.#events.slice(first, first + rows);
    const query = asked.map(({ eventId }) => `event_ids=${eventId}`).join('&');
    const data = await this.#data(`/v4/affiliate/get_multiple_markets?${query}`);
    if (!data.ok) return data;
    const marketsOf = byEvent(data.value);
    if (marketsOf === null) return fail('no markets in the answer');
    const listed = asked.map(event => withMarkets(event, marketsOf(event.eventId)));
    const next = first + asked.length;
    return ok({ ...eventsOf(listed, 0), next: next < this.#events.length ? String(next) : null });
  }

  async #data(path: string): Promise<Result<unknown, string>> {
    const { url, apiKey, get } = this.#parts;
    const answer = await getJson(get, url + path, { accept: 'application/json', authorization: apiKey });
    if (!answer.ok) return fail(answer.error.message);
    return isObject(answer.value) ? ok(answer.value.data) : fail('an answer that is no JSON object');
  }
}

/** Markets arrive in one list per event, or in one list that names the events. Null: in neither. */
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
