// Gamma, venue A's public catalog (venue-a.md §7): open events with their markets by cursor, and the newest ones in between.
// Catalog thread.

import { isObject } from '../../domain/json.ts';
import type { UnixMillis } from '../../domain/numbers.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { HttpGet } from '../../net/http.ts';
import { NO_EVENTS, type PageAnswer, type VenueDiscovery } from '../discovery.ts';
import { eventsOf, readEach } from '../discovery-fields.ts';
import { getJson } from '../venue-json.ts';
import { venueCursorOf } from '../venue-names.ts';
import { readVenueAEvent } from './listed-event.ts';

export interface VenueADiscoveryParts {
  readonly gammaUrl: string;
  readonly get: HttpGet;
}

export class VenueADiscovery implements VenueDiscovery {
  readonly venue = 'venue_a';
  readonly rowsMax = limits.catalogVenueARowsPerPageMax;
  readonly pagePauseMs = limits.catalogPagePauseMs;
  readonly #parts: VenueADiscoveryParts;
  /** Event ids are numbers that grow: the greatest one read, and the greatest before the current news. */
  #newestId = 0;
  #newsAfterId = 0;

  constructor(parts: VenueADiscoveryParts) {
    this.#parts = parts;
  }

  async listed(cursor: string | null, rows: number): Promise<PageAnswer> {
    const after = cursor === null ? '' : `&after_cursor=${encodeURIComponent(cursor)}`;
    const answer = await this.#json(`/events/keyset?closed=false&limit=${rows}${after}`);
    if (!answer.ok) return answer;
    if (!isObject(answer.value)) return fail('no object in the answer');
    const next = venueCursorOf(answer.value.next_cursor);
    return next === null ? fail('a cursor that cannot be read') : this.#page(answer.value.events, () => next || null);
  }

  /** Gamma lists no changes, only new events. Newest first, until one is known. */
  async news(_since: UnixMillis, cursor: string | null, rows: number): Promise<PageAnswer> {
    if (cursor === null) this.#newsAfterId = this.#newestId;
    const offset = Number(cursor ?? 0);
    const answer = await this.#json(`/events?closed=false&order=id&ascending=false&limit=${rows}&offset=${offset}`);
    if (!answer.ok) return answer;
    return this.#page(answer.value, (ids, count) =>
      count < rows || ids.some(id => id <= this.#newsAfterId) ? null : String(offset + count),
    );
  }

  /** Closed events are over; Gamma's list omits no others. */
  async unlisted(): Promise<PageAnswer> {
    return ok(NO_EVENTS);
  }

  #page(events: unknown, nextOf: (ids: readonly number[], count: number) => string | null): PageAnswer {
    if (!Array.isArray(events)) return fail('no events in the answer');
    const { read, malformed } = readEach(events, readVenueAEvent);
    const ids = read.map(({ event }) => Number(event.eventId));
    for (const id of ids) this.#newestId = Math.max(this.#newestId, id);
    return ok({ ...eventsOf(read, malformed), next: nextOf(ids, events.length) });
  }

  async #json(path: string): Promise<Result<unknown, string>> {
    const { gammaUrl, get } = this.#parts;
    const answer = await getJson(get, gammaUrl + path);
    return answer.ok ? answer : fail(answer.error.message);
  }
}
