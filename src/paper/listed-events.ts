// The listings of a venue: events with their markets, by engine id and by the venue's own keys. Events come and go while the exchange runs;
// the collections change for their readers too. Thread of the paper exchanges.

import { limits } from '../limits.ts';
import type { MarketId } from './engine/engine-types.ts';

export class ListedEvents<
  Event extends { readonly markets: readonly unknown[] },
  Market extends { readonly id: MarketId },
> {
  /** Events by time of listing. */
  readonly events: Event[] = [];
  /** Markets by the key that events use for them. */
  readonly byKey = new Map<string, Market>();
  /** Engine ids are never reused: a removed market leaves an empty place. */
  readonly byId: (Market | undefined)[] = [];
  readonly #keysOf: (event: Event) => readonly string[];

  constructor(keysOf: (event: Event) => readonly string[]) {
    this.#keysOf = keysOf;
  }

  /** Whether there is room for all of them, and none is listed. */
  canTake(events: readonly Event[]): boolean {
    const keys = events.flatMap(this.#keysOf);
    return (
      this.byKey.size + keys.length <= limits.paperMarketsMax &&
      new Set(keys).size === keys.length &&
      !keys.some(key => this.byKey.has(key))
    );
  }

  /** `markets` are those of the event, in its order. */
  add(event: Event, markets: readonly Market[]): void {
    this.events.push(event);
    const keys = this.#keysOf(event);
    for (const [index, market] of markets.entries()) {
      this.byKey.set(keys[index]!, market);
      this.byId[market.id] = market;
    }
  }

  /** Removes events whose markets are all over; returns their markets. */
  remove(isOver: (market: Market) => boolean): Market[] {
    const removed: Market[] = [];
    const remaining = this.events.filter(event => {
      const keys = this.#keysOf(event);
      const markets = keys.map(key => this.byKey.get(key)!);
      if (!markets.every(isOver)) return true;
      removed.push(...markets);
      for (const key of keys) this.byKey.delete(key);
      return false;
    });
    this.events.splice(0, this.events.length, ...remaining);
    for (const market of removed) this.byId[market.id] = undefined;
    return removed;
  }
}
