// Known events of one venue, with their markets that can still be traded, or could be after an upgrade. A reading adds them page by page; events that a complete reading
// does not list are removed. Catalog thread.

import { isDeepStrictEqual } from 'node:util';
import { limits } from '../limits.ts';
import type { VenueEvent } from '../venues/discovery.ts';

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

  /** Adds the events of before a restart, until a reading ends without them. */
  restore(events: readonly VenueEvent[]): void {
    for (const event of events) {
      if (this.#markets + marketsIn(event) > this.#marketsMax) return;
      this.#events.set(event.eventId, { event, reading: this.#reading });
      this.#markets += marketsIn(event);
    }
  }

  /** Starts a reading: every listed event is put in until `endReading`. */
  beginReading(): void {
    this.#reading += 1;
  }

  /** Ids of known events that this reading has not put in yet. */
  unlisted(): readonly string[] {
    return [...this.#events].filter(([, { reading }]) => reading !== this.#reading).map(([eventId]) => eventId);
  }

  endReading(): void {
    for (const [eventId, { reading }] of this.#events) if (reading !== this.#reading) this.#remove(eventId);
  }

  /**
   * Replaces the event. False if its markets do not fit; then the event is left out. An unchanged event keeps its object, so that nothing
   * is computed again.
   */
  put(listed: VenueEvent): boolean {
    const known = this.#events.get(listed.eventId)?.event;
    this.#remove(listed.eventId);
    const markets = listed.markets.filter(({ phase }) => phase !== 'OVER');
    const event: VenueEvent = { ...listed, markets };
    if (marketsIn(event) === 0) return true;
    if (this.#markets + marketsIn(event) > this.#marketsMax) return false;
    const isAsKnown = isDeepStrictEqual(event, known);
    this.#events.set(event.eventId, { event: isAsKnown ? known! : event, reading: this.#reading });
    this.#markets += marketsIn(event);
    return true;
  }

  #remove(eventId: string): void {
    const known = this.#events.get(eventId);
    if (known !== undefined) this.#markets -= marketsIn(known.event);
    this.#events.delete(eventId);
  }
}

/** Whether the catalog shows the event. Another is known for its untraded markets only. */
export function isShown({ markets, untraded }: VenueEvent): boolean {
  return markets.length > 0 || untraded === undefined;
}

function marketsIn({ markets, untraded = [] }: VenueEvent): number {
  return markets.length + untraded.length;
}
