// Events that no venue lists any more: shown as ended for a while, since whoever traded one looks for it. Catalog thread.

import type { UnixMillis } from '../domain/numbers.ts';
import { limits } from '../limits.ts';
import { type Catalog, type CatalogEvent, inTime } from './catalog.ts';

export interface EndedEvent {
  readonly event: CatalogEvent;
  readonly endedAt: UnixMillis;
}

export class EndedEvents {
  readonly #isLost: (id: string) => boolean;
  /** In the order of their ends. */
  readonly #ended: Map<string, EndedEvent>;
  #listed: readonly CatalogEvent[] = [];

  /** `isLost`: an id leads to another event now. `known`: as `all` told them. */
  constructor(isLost: (id: string) => boolean, known: readonly EndedEvent[] = []) {
    this.#isLost = isLost;
    this.#ended = new Map(known.map(it => [it.event.id, it]));
  }

  all(): readonly EndedEvent[] {
    return [...this.#ended.values()];
  }

  /** A catalog with those of the ones before that have ended. Of every catalog, in turn. */
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
