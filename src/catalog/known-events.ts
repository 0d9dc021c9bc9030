// The known events of one venue, with the markets that can be traded now, or could be after an upgrade. A reading adds events page by page.
// Events that a complete reading does not list are removed. Catalog thread.

import { isDeepStrictEqual } from 'node:util';
import type { UnixMillis } from '../core/domain/numbers.ts';
import { limits } from '../limits.ts';
import type { VenueEvent } from '../venues/discovery.ts';
import { type Catalog, type CatalogEvent, inTime } from './catalog.ts';
import { COMPETITIONS } from './leagues/competitions.ts';

interface Kept {
  readonly event: VenueEvent;
  readonly reading: number;
}

export class KnownEvents {
  readonly #events = new Map<string, Kept>();
  readonly #marketsMax: number;
  #reading = 0;
  #markets = 0;

  constructor(marketsMax: number = limits.catalogMarketsPerVenueMax) {
    this.#marketsMax = marketsMax;
  }

  get markets(): number {
    return this.#markets;
  }

  all(): readonly VenueEvent[] {
    return [...this.#events.values()].map(({ event }) => event);
  }

  /** Adds the events that were stored before a restart. They stay until a reading ends without them. */
  restore(events: readonly VenueEvent[]): void {
    for (const event of events) {
      if (this.#markets + marketsIn(event) > this.#marketsMax) return;
      this.#events.set(event.eventId, { event, reading: this.#reading });
      this.#markets += marketsIn(event);
    }
  }

  /** Starts a reading. Every listed event must be put in before `endReading`, which removes all others. */
  beginReading(): void {
    this.#reading += 1;
  }

  /** Returns the ids of known events that this reading has not put in yet. */
  unlisted(): readonly string[] {
    return [...this.#events].filter(([, { reading }]) => reading !== this.#reading).map(([eventId]) => eventId);
  }

  endReading(): void {
    for (const [eventId, { reading }] of this.#events) if (reading !== this.#reading) this.#remove(eventId);
  }

  /**
   * Adds the event, or replaces it. If its markets do not fit, leaves the event out and returns their number; otherwise returns 0. An event
   * that has not changed keeps its object, so that nothing is computed again.
   */
  put(listed: VenueEvent): number {
    const known = this.#events.get(listed.eventId)?.event;
    this.#remove(listed.eventId);
    const markets = listed.markets.filter(({ phase }) => phase !== 'OVER');
    const event: VenueEvent = { ...listed, markets };
    const count = marketsIn(event);
    if (count === 0) return 0;
    if (this.#markets + count > this.#marketsMax) return count;
    const isAsKnown = isDeepStrictEqual(event, known);
    this.#events.set(event.eventId, { event: isAsKnown ? known! : event, reading: this.#reading });
    this.#markets += count;
    return 0;
  }

  #remove(eventId: string): void {
    const known = this.#events.get(eventId);
    if (known !== undefined) this.#markets -= marketsIn(known.event);
    this.#events.delete(eventId);
  }
}

/** Whether the catalog shows the event. An event that it does not show is kept for its untraded markets only. */
export function isShown({ markets, untraded }: VenueEvent): boolean {
  return markets.length > 0 || untraded === undefined;
}

function marketsIn({ markets, untraded = [] }: VenueEvent): number {
  return markets.length + untraded.length;
}

export interface EndedEvent {
  readonly event: CatalogEvent;
  readonly endedAt: UnixMillis;
}

export class EndedEvents {
  readonly #isLost: (id: string) => boolean;
  /** The ended events by id, in the order in which they ended. */
  readonly #ended: Map<string, EndedEvent>;
  #listed: readonly CatalogEvent[] = [];

  /** `isLost` says whether an id leads to another event now. `known` is an earlier result of `all`, of this release or another. */
  constructor(isLost: (id: string) => boolean, known: readonly EndedEvent[] = []) {
    this.#isLost = isLost;
    // Another release may have stored events of competitions that this release does not know.
    const shown = known.filter(({ event }) => COMPETITIONS.some(({ id }) => id === event.competition));
    this.#ended = new Map(shown.map(it => [it.event.id, it]));
  }

  all(): readonly EndedEvent[] {
    return [...this.#ended.values()];
  }

  /** Returns the catalog with events of earlier catalogs that have ended. Call this with every catalog, in order. */
  addTo(catalog: Catalog, now: UnixMillis): Catalog {
    const listed = new Set(catalog.events.map(({ id }) => id));
    for (const event of this.#listed) {
      if (listed.has(event.id) || this.#isLost(event.id)) continue;
      this.#ended.set(event.id, { event: { ...event, isOver: true }, endedAt: now });
    }
    this.#listed = catalog.events;
    for (const [id, { endedAt }] of this.#ended) {
      const isOld = endedAt <= now - limits.catalogEndedEventMs || this.#ended.size > limits.catalogEndedEventsMax;
      if (isOld || listed.has(id) || this.#isLost(id)) this.#ended.delete(id);
    }
    const ended = this.all().map(({ event }) => event);
    return ended.length === 0 ? catalog : { ...catalog, events: [...catalog.events, ...ended].sort(inTime) };
  }
}
