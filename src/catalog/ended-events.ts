// Events that no venue lists any more. They are shown as ended for a while, for actors who traded them. Catalog thread.

import type { UnixMillis } from '../core/domain/numbers.ts';
import { limits } from '../limits.ts';
import { type Catalog, type CatalogEvent, inTime } from './catalog.ts';
import { COMPETITIONS } from './leagues/competitions.ts';

export interface EndedEvent {
  readonly event: CatalogEvent;
  readonly endedAt: UnixMillis;
}

export class EndedEvents {
  readonly #isLost: (id: string) => boolean;
  /** Ended events by time of end. */
  readonly #ended: Map<string, EndedEvent>;
  #listed: readonly CatalogEvent[] = [];

  /** `isLost`: the id leads to another event now. `known`: an earlier result of `all`, of this release or another. */
  constructor(isLost: (id: string) => boolean, known: readonly EndedEvent[] = []) {
    this.#isLost = isLost;
    // Another release may have stored events of other competitions.
    const shown = known.filter(({ event }) => COMPETITIONS.some(({ id }) => id === event.competition));
    this.#ended = new Map(shown.map(it => [it.event.id, it]));
  }

  all(): readonly EndedEvent[] {
    return [...this.#ended.values()];
  }

  /** Adds events of earlier catalogs that have ended. Call with every catalog, in order. */
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
