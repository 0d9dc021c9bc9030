// The listings of a venue: events with their markets, by the engine's id and by the venue's own keys. Events come and go while the exchange
// runs, so the collections also change for their readers. Thread of the paper exchanges.

import { limits } from '../limits.ts';
import type { MarketId } from './engine/engine-types.ts';

export class ListedEvents<
  Event extends { readonly markets: readonly unknown[] },
  Market extends { readonly id: MarketId },
> {
  /** The events in the order in which they were listed. */
  readonly events: Event[] = [];
  /** The markets by the venue's key. */
  readonly byKey = new Map<string, Market>();
  /** The markets by the engine's id. Ids are never reused: a removed market leaves an empty place. */
  readonly byId: (Market | undefined)[] = [];
  readonly #keysOf: (event: Event) => readonly string[];

  constructor(keysOf: (event: Event) => readonly string[]) {
    this.#keysOf = keysOf;
  }

  /** Whether there is room for all the events and none of them is listed yet. */
  canTake(events: readonly Event[]): boolean {
    const keys = events.flatMap(this.#keysOf);
    return (
      this.byKey.size + keys.length <= limits.paperMarketsMax &&
      new Set(keys).size === keys.length &&
      !keys.some(key => this.byKey.has(key))
    );
  }

  /** Adds an event. `markets` are the markets of the event, in its order. */
  add(event: Event, markets: readonly Market[]): void {
    this.events.push(event);
    const keys = this.#keysOf(event);
    for (const [index, market] of markets.entries()) {
      this.byKey.set(keys[index]!, market);
      this.byId[market.id] = market;
    }
  }

  /** Removes the events whose markets are all over. Returns their markets. */
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
