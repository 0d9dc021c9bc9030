// Finds in the catalog which markets of both venues are about one event, for limits that count by events. Events that were found are kept,
// and read again when a new catalog comes. So only the first order of an event reads a catalog. Engine thread.

import { aloneEvent, type Leg, type LinkedEvent, type Question } from '../core/domain/event-links.ts';
import type { Venue } from '../core/domain/market.ts';
import type { CatalogSnapshot } from '../core/domain/operation.ts';
import { inTurns } from '../core/runtime/timers.ts';
import { type LinkedMarket, legsIn, marketAt, placeOf } from './linked-market.ts';
import { readSnapshot, type SnapshotReader } from './snapshot-reader.ts';

export class EventLinks {
  /** The present catalog. Undefined until the first catalog is known; null means that there is none. */
  #snapshot: CatalogSnapshot | null | undefined = undefined;
  /** The events by the addresses of their markets. An address of one venue is never an address of the other. */
  readonly #events = new Map<string, LinkedEvent>();
  /** The addresses that `of` was called with since the last catalog. */
  readonly #requestedAddresses = new Set<string>();

  /** Returns the event of the market. Null means that the catalog is not known yet or is being replaced: ask again. */
  of(venue: Venue, address: string): LinkedEvent | null {
    this.#requestedAddresses.add(address);
    return this.#events.get(address) ?? this.#read(venue, address);
  }

  /**
   * Replaces the catalog. Null means that there is no catalog; then every market is an event of its own. Resolves when all kept events are
   * of this catalog.
   */
  async update(snapshot: CatalogSnapshot | null): Promise<void> {
    this.#snapshot = snapshot;
    const kept = [...this.#events];
    const asked = new Set(this.#requestedAddresses);
    this.#requestedAddresses.clear();
    const fresh = new Set<LinkedEvent>();
    for await (const [address, before] of inTurns(kept, 1)) {
      const event = this.#events.get(address);
      if (event === undefined || fresh.has(event)) continue;
      if (event === before) this.#events.delete(address);
      const leg = legsOf(before).find(it => it.address === address)!;
      const after = asked.has(address) ? this.#read(leg.venue, address) : null;
      if (after !== null) fresh.add(after);
    }
  }

  #read(venue: Venue, address: string): LinkedEvent | null {
    if (this.#snapshot === undefined) return null;
    const snapshot = this.#snapshot;
    const found =
      snapshot === null ? { event: null } : readSnapshot(snapshot, it => ({ event: eventOf(it, venue, address) }));
    if (found === null) return null;
    const event = found.event ?? aloneEvent(venue, address);
    for (const leg of legsOf(event)) this.#events.set(leg.address, event);
    return event;
  }
}

function legsOf({ questions }: LinkedEvent): readonly Leg[] {
  return questions.flatMap(({ legs }) => legs);
}

/** Returns null if no market of the catalog has the address. */
function eventOf(reader: SnapshotReader, venue: Venue, address: string): LinkedEvent | null {
  const place = placeOf(reader, venue, address);
  if (place === null) return null;
  const eventId = reader.eventIdAt(place);
  if (eventId === null) return { id: reader.idAt(place), questions: [questionOf(marketAt(reader, place))] };
  const markets = reader.placesOf(reader.events.named(eventId)!).map(it => marketAt(reader, it));
  const isOneOfMany = (it: LinkedMarket): boolean => it.id.startsWith(`${eventId}:`) && it.outcomes[0]?.name === 'Yes';
  const ones = markets.filter(isOneOfMany);
  const others = markets.filter(it => !isOneOfMany(it)).map(questionOf);
  return { id: eventId, questions: ones.length === 0 ? others : [...others, questionOfMany(ones)] };
}

function questionOf(market: LinkedMarket): Question {
  return { outcomes: market.outcomes.map(({ name }) => `${market.title}: ${name}`), legs: legsIn(market) };
}

/** Joins markets that ask for the one winner of a contest. At most one of them pays its Yes. */
function questionOfMany(markets: readonly LinkedMarket[]): Question {
  const legs = markets.flatMap((market, outcome) =>
    legsIn(market).map(leg => ({ ...leg, outcome, isNot: leg.isNot !== (leg.outcome === 1) })),
  );
  return { outcomes: [...markets.map(({ title }) => title), 'none of the listed'], legs };
}
