// Assigns a market that is listed with two events to the first of them. This is rare: it counts listings as events come and go, and looks
// through all markets only while one is listed twice. Pure.

import type { VenueEvent } from '../venues/discovery.ts';
import { Memo } from './memo.ts';

export class MarketDeduplicator {
  readonly #counts = new Map<string, number>();
  readonly #repeated = new Set<string>();
  readonly #trimmed = new Memo<VenueEvent>();
  #counted: ReadonlySet<VenueEvent> = new Set();

  /** Events in their order; each market once. */
  of(listed: readonly VenueEvent[]): readonly VenueEvent[] {
    this.#count(new Set(listed));
    return this.#repeated.size === 0 ? listed : this.#trim(listed);
  }

  #count(listed: ReadonlySet<VenueEvent>): void {
    for (const event of this.#counted) if (!listed.has(event)) this.#add(event, -1);
    for (const event of listed) if (!this.#counted.has(event)) this.#add(event, 1);
    this.#counted = listed;
  }

  #add({ markets }: VenueEvent, times: 1 | -1): void {
    for (const { marketId } of markets) {
      const count = (this.#counts.get(marketId) ?? 0) + times;
      if (count === 0) this.#counts.delete(marketId);
      else this.#counts.set(marketId, count);
      if (count > 1) this.#repeated.add(marketId);
      else this.#repeated.delete(marketId);
    }
  }

  #trim(listed: readonly VenueEvent[]): readonly VenueEvent[] {
    this.#trimmed.begin();
    const seen = new Set<string>();
    return listed.map(event => {
      const markets = event.markets.filter(({ marketId }) => {
        const isFirst = !seen.has(marketId);
        seen.add(marketId);
        return isFirst;
      });
      if (markets.length === event.markets.length) return event;
      const name = `${event.venue}/${event.eventId}`;
      return this.#trimmed.of(name, [event, ...markets], () => ({ ...event, markets }));
    });
  }
}
