// What is known of one venue's list: every event with what can still be traded of it. Put in page by page; what a whole reading
// has not shown is gone. Catalog thread.

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

  /** What was known before a restart, until a reading has ended without it. */
  restore(events: readonly VenueEvent[]): void {
    for (const event of events) {
      if (this.#markets + event.markets.length > this.#marketsMax) return;
      this.#events.set(event.eventId, { event, reading: this.#reading });
      this.#markets += event.markets.length;
    }
  }

  /** From here on everything that is listed is put in, until `endReading`. */
  beginReading(): void {
    this.#reading += 1;
  }

  /** Ids of what was known before this reading, and has not been put in by it. */
  unlisted(): readonly string[] {
    return [...this.#events].filter(([, { reading }]) => reading !== this.#reading).map(([eventId]) => eventId);
  }

  endReading(): void {
    for (const [eventId, { reading }] of this.#events) if (reading !== this.#reading) this.#remove(eventId);
  }

  /**
   * In place of what was known of the event; false if there is no room for its markets, and it is left out. One that is listed as it was
   * stays the same object: nothing is made of it anew.
   */
  put(listed: VenueEvent): boolean {
    const known = this.#events.get(listed.eventId)?.event;
    this.#remove(listed.eventId);
    const markets = listed.markets.filter(({ phase }) => phase !== 'OVER');
    if (markets.length === 0) return true;
    if (this.#markets + markets.length > this.#marketsMax) return false;
    const event: VenueEvent = { ...listed, markets };
    const isAsKnown = isDeepStrictEqual(event, known);
    this.#events.set(event.eventId, { event: isAsKnown ? known! : event, reading: this.#reading });
    this.#markets += markets.length;
    return true;
  }

  #remove(eventId: string): void {
    this.#markets -= this.#events.get(eventId)?.event.markets.length ?? 0;
    this.#events.delete(eventId);
  }
}
