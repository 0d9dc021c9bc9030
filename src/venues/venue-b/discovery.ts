// Venue B's public list (venue-b.md §4.5): events with their markets, and their games. Signed like every read, so that it counts
// against the account's own budget. Catalog thread.

import { isObject, type JsonObject, objectsOf, stringsOf } from '../../domain/json.ts';
import type { UnixMillis } from '../../domain/numbers.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { HttpGet } from '../../net/http.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { PageAnswer, VenueDiscovery } from '../discovery.ts';
import { eventsOf, readEach } from '../discovery-fields.ts';
import { getJson } from '../venue-json.ts';
import { venueCursorOf } from '../venue-names.ts';
import type { VenueBSign } from './auth.ts';
import { type Milestone, type MilestoneOf, readMilestone, readVenueBEvent } from './listed-event.ts';

export interface VenueBDiscoveryParts {
  readonly restUrl: string;
  readonly sign: VenueBSign;
  readonly get: HttpGet;
  readonly timers: Timers;
}

export class VenueBDiscovery implements VenueDiscovery {
  readonly venue = 'venue_b';
  readonly rowsMax = limits.catalogVenueBRowsPerPageMax;
  readonly pagePauseMs = limits.catalogPagePauseMs;
  readonly #parts: VenueBDiscoveryParts;

  constructor(parts: VenueBDiscoveryParts) {
    this.#parts = parts;
  }

  listed(cursor: string | null, rows: number): Promise<PageAnswer> {
    return this.#page('&status=open', cursor, rows);
  }

  /** No `status`: a filter would hide ended markets. */
  news(since: UnixMillis, cursor: string | null, rows: number): Promise<PageAnswer> {
    return this.#page(`&min_updated_ts=${Math.floor(since / 1_000)}`, cursor, rows);
  }

  /** `status=open` omits events that are paused as a whole or not open yet (venue-b.md §4.2). */
  async unlisted(eventIds: readonly string[], cursor: string | null, rows: number): Promise<PageAnswer> {
    const first = Number(cursor ?? 0);
    const asked = eventIds.slice(first, first + Math.min(rows, TICKERS_MAX));
    const page = await this.#page(`&tickers=${asked.join(',')}`, null, asked.length);
    if (!page.ok) return page;
    const next = first + asked.length;
    return ok({ ...page.value, next: next < eventIds.length ? String(next) : null });
  }

  async #page(filter: string, cursor: string | null, rows: number): Promise<PageAnswer> {
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await this.#object(
      `/events?with_nested_markets=true&with_milestones=true&limit=${rows}${filter}${after}`,
    );
    if (!answer.ok) return answer;
    const { events, milestones } = answer.value;
    // Empty, null or missing on the last page.
    const next = venueCursorOf(answer.value.cursor);
    if (!Array.isArray(events)) return fail('no events in the answer');
    if (next === null) return fail('a cursor that cannot be read');
    const milestoneOf = milestonesByEvent(milestones);
    const { read, malformed } = readEach(events, event => readVenueBEvent(event, milestoneOf));
    return ok({ ...eventsOf(read, malformed), next: next || null });
  }

  async #object(path: string): Promise<Result<JsonObject, string>> {
    const { restUrl, sign, get, timers } = this.#parts;
    const url = restUrl + path;
    const answer = await getJson(get, url, sign('GET', url, timers.now()));
    if (!answer.ok) return fail(answer.error.message);
    return isObject(answer.value) ? ok(answer.value) : fail('an answer that is no JSON object');
  }
}

/** Tickers that fit into one request at any length. */
const TICKERS_MAX = Math.floor(limits.venueBTickerListBytes / (limits.venueBTickerBytesMax + 1));

/** An event may have several games: its own comes first. */
function milestonesByEvent(milestones: unknown): MilestoneOf {
  const byEvent = new Map<string, Milestone>();
  for (const value of objectsOf(milestones)) {
    const milestone = readMilestone(value);
    if (milestone === null) continue;
    for (const ticker of stringsOf(value.related_event_tickers))
      if (!byEvent.has(ticker)) byEvent.set(ticker, milestone);
    for (const ticker of stringsOf(value.primary_event_tickers)) byEvent.set(ticker, milestone);
  }
  return ticker => byEvent.get(ticker) ?? null;
}
