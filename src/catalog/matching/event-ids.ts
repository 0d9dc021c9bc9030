// Ids of events. An id is minted once for the venues' names of an event, never changed, and never reused (contract §6). Each id also keeps
// the opponent with which lines and outcomes begin, so that the meaning of the id does not change either. Pure; the catalog store keeps the
// entries.

import { VENUES, type Venue } from '../../core/domain/market.ts';

/** The prefix of keys of lost ids. Such an entry leads to another id. No venue's name begins with this prefix. */
const LOST = 'id/';
/** The prefix of keys of first opponents. The event's id follows the prefix. */
const FIRST = 'first/';

export class EventIds {
  readonly #byKey: Map<string, string>;
  /** The ids of first opponents, by the ids of their events. */
  readonly #firsts: Map<string, string>;
  /** Every id ever minted, with its number in the order of minting. */
  readonly #minted = new Map<string, number>();
  /** For each id, the number of each venue's names that have it. */
  readonly #names: Readonly<Record<Venue, Map<string, number>>> = { venue_a: new Map(), venue_b: new Map() };
  readonly #unsavedEntries: [string, string][] = [];

  /** `entries` are those that `takeUnsaved` has reported, oldest first. */
  constructor(entries: Iterable<readonly [string, string]> = []) {
    const { first = [], key: keys = [] } = Object.groupBy(entries, ([key]) =>
      key.startsWith(FIRST) ? 'first' : 'key',
    );
    this.#firsts = new Map(first.map(([key, opponent]) => [key.slice(FIRST.length), opponent]));
    this.#byKey = new Map(keys);
    // All entries are read, not only the last of each key, because in the last entries no key has a lost id any more.
    for (const [, id] of keys) this.#addId(id);
    for (const [key, id] of this.#byKey) this.#count(key, id, 1);
  }

  /** Returns the event's id for a venue's name. Null means that the name is new. */
  known(key: string): string | null {
    return this.#byKey.get(key) ?? null;
  }

  /** Whether a name of this venue has the id. The venue may list the name no longer. */
  isOf(id: string, venue: Venue): boolean {
    return this.#names[venue].has(id);
  }

  /**
   * Returns the id of an event that has all these keys as names. Without a known key the id is `wanted`, with a number if `wanted` is
   * taken. If the keys have two ids, the older one stays and the other leads to it. If one event turns out to be two, the first caller
   * keeps the id. `isTaken` then makes the second caller get another id.
   */
  idOf(keys: readonly string[], wanted: string, isTaken: (id: string) => boolean = () => false): string {
    const known = keys.map(key => this.known(key)).filter(id => id !== null);
    const ids = [...new Set(known.map(id => this.current(id)))].filter(id => !isTaken(id));
    ids.sort((one, another) => this.#minted.get(one)! - this.#minted.get(another)!);
    const id = ids[0] ?? this.#free(wanted);
    for (const key of keys) if (this.known(key) !== id) this.#enter(key, id);
    for (const lost of ids.slice(1)) this.#enter(LOST + lost, id);
    return id;
  }

  /** Returns the id of the event's first opponent. Returns null for an id that is older than this record. */
  firstOf(id: string): string | null {
    return this.#firsts.get(id) ?? null;
  }

  keepFirst(id: string, opponent: string): void {
    this.#firsts.set(id, opponent);
    this.#unsavedEntries.push([FIRST + id, opponent]);
  }

  /** Returns the present id for an event's former id. */
  current(id: string): string {
    const next = this.#byKey.get(LOST + id);
    return next === undefined ? id : this.current(next);
  }

  /** Returns the former ids, each with the id that it leads to. */
  lost(): readonly (readonly [lost: string, current: string])[] {
    const keys = [...this.#byKey.keys()].filter(key => key.startsWith(LOST));
    return keys.map(key => key.slice(LOST.length)).map(id => [id, this.current(id)]);
  }

  /** Returns the entries since the last call. A later entry of a key replaces an earlier one. */
  takeUnsaved(): readonly (readonly [string, string])[] {
    return this.#unsavedEntries.splice(0);
  }

  #free(wanted: string): string {
    let id = wanted;
    for (let number = 2; this.#minted.has(id); number += 1) id = `${wanted}-${number}`;
    return id;
  }

  #enter(key: string, id: string): void {
    const before = this.known(key);
    if (before !== null) this.#count(key, before, -1);
    this.#count(key, id, 1);
    this.#byKey.set(key, id);
    this.#addId(id);
    this.#unsavedEntries.push([key, id]);
  }

  #addId(id: string): void {
    if (!this.#minted.has(id)) this.#minted.set(id, this.#minted.size);
  }

  #count(key: string, id: string, change: 1 | -1): void {
    const venue = VENUES.find(it => key.startsWith(`${it}/`));
    if (venue === undefined) return;
    const count = (this.#names[venue].get(id) ?? 0) + change;
    if (count > 0) this.#names[venue].set(id, count);
    else this.#names[venue].delete(id);
  }
}
