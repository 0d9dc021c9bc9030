// Ids of events: minted once for the names that the venues have for it, never changed, never given again (contract §6), and with each the
// opponent that lines and outcomes begin with: what an id means does not change either. Pure; whoever keeps the catalog keeps its entries.

import { VENUES, type Venue } from '../../domain/market.ts';

/** Begins the key of an id that leads to another one. No venue's name begins so. */
const LOST = 'id/';
/** Begins the key of the first opponent of the event with that id. */
const FIRST = 'first/';

export class EventIds {
  readonly #byKey: Map<string, string>;
  /** By ids of events, ids of opponents. */
  readonly #firsts: Map<string, string>;
  readonly #taken: Set<string>;
  /** How many of a venue's names have each id. */
  readonly #names: Readonly<Record<Venue, Map<string, number>>> = { venue_a: new Map(), venue_b: new Map() };
  readonly #news: [string, string][] = [];

  /** Entries as `takeNews` told them, oldest first. */
  constructor(entries: Iterable<readonly [string, string]> = []) {
    const { first = [], key: keys = [] } = Object.groupBy(entries, ([key]) =>
      key.startsWith(FIRST) ? 'first' : 'key',
    );
    this.#firsts = new Map(first.map(([key, opponent]) => [key.slice(FIRST.length), opponent]));
    this.#byKey = new Map(keys);
    this.#taken = new Set(this.#byKey.values());
    for (const [key, id] of this.#byKey) this.#count(key, id, 1);
  }

  /** The event's id for a venue's name of it; null if it was never seen. */
  known(key: string): string | null {
    return this.#byKey.get(key) ?? null;
  }

  /** Whether the id is that of one of the venue's names, be it listed now or not. */
  isOf(id: string, venue: Venue): boolean {
    return this.#names[venue].has(id);
  }

  /**
   * The id of what all these keys are names of; if none of them has one, `wanted`, or that with a number where it is another's. Of two
   * that were taken for two events until now, the id of the first stays; the other leads to it. Of one that turns out to be two,
   * whoever asks first keeps the id: from then on `isTaken` says so.
   */
  idOf(keys: readonly string[], wanted: string, isTaken: (id: string) => boolean = () => false): string {
    const known = keys.map(key => this.known(key)).filter(id => id !== null && !isTaken(id));
    const ids = [...new Set(known as readonly string[])];
    const id = ids[0] ?? this.#free(wanted);
    for (const key of keys) if (this.known(key) !== id) this.#enter(key, id);
    for (const lost of ids.slice(1)) this.#enter(LOST + lost, id);
    return id;
  }

  /** Null of an id from before they were kept. */
  firstOf(id: string): string | null {
    return this.#firsts.get(id) ?? null;
  }

  keepFirst(id: string, opponent: string): void {
    this.#firsts.set(id, opponent);
    this.#news.push([FIRST + id, opponent]);
  }

  /** Where an id leads that was an event's once. */
  current(id: string): string {
    const next = this.#byKey.get(LOST + id);
    return next === undefined ? id : this.current(next);
  }

  /** Ids that lead to another one, with that. */
  lost(): readonly (readonly [lost: string, current: string])[] {
    const keys = [...this.#byKey.keys()].filter(key => key.startsWith(LOST));
    return keys.map(key => key.slice(LOST.length)).map(id => [id, this.current(id)]);
  }

  /** What has been entered since the last time: a later entry of a key takes the place of an earlier one. */
  takeNews(): readonly (readonly [string, string])[] {
    return this.#news.splice(0);
  }

  #free(wanted: string): string {
    let id = wanted;
    for (let number = 2; this.#taken.has(id); number += 1) id = `${wanted}-${number}`;
    return id;
  }

  #enter(key: string, id: string): void {
    const before = this.known(key);
    if (before !== null) this.#count(key, before, -1);
    this.#count(key, id, 1);
    this.#byKey.set(key, id);
    this.#taken.add(id);
    this.#news.push([key, id]);
  }

  #count(key: string, id: string, change: 1 | -1): void {
    const venue = VENUES.find(it => key.startsWith(`${it}/`));
    if (venue === undefined) return;
    const count = (this.#names[venue].get(id) ?? 0) + change;
    if (count > 0) this.#names[venue].set(id, count);
    else this.#names[venue].delete(id);
  }
}
