// Maps of the things that an owner (an actor or a pod) has at a venue. The maps are nested, so that no look-up builds a composite key.
// Names are the same string objects as in the records. Engine thread.

import type { Venue } from '../../../core/domain/market.ts';

export class ByOwner<Value> {
  readonly #venues: Readonly<Record<Venue, Map<string, Value>>> = { venue_a: new Map(), venue_b: new Map() };

  get(owner: string, venue: Venue): Value | undefined {
    return this.#venues[venue].get(owner);
  }

  set(owner: string, venue: Venue, value: Value): void {
    this.#venues[venue].set(owner, value);
  }

  delete(owner: string, venue: Venue): void {
    this.#venues[venue].delete(owner);
  }
}

/** Values by owner, venue and name. */
export class ByName<Value> {
  readonly #venues: Readonly<Record<Venue, Map<string, Map<string, Value>>>> = {
    venue_a: new Map(),
    venue_b: new Map(),
  };
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(owner: string, venue: Venue, name: string): Value | undefined {
    return this.#venues[venue].get(owner)?.get(name);
  }

  /** Sets a value. Undefined removes the value. */
  set(owner: string, venue: Venue, name: string, value: Value | undefined): void {
    const owners = this.#venues[venue];
    const values = owners.get(owner) ?? new Map<string, Value>();
    const before = values.size;
    if (value === undefined) values.delete(name);
    else values.set(name, value);
    this.#size += values.size - before;
    if (values.size === 0) owners.delete(owner);
    else if (before === 0) owners.set(owner, values);
  }

  /** Returns the values of an owner at a venue, by name. Null means that there are none. */
  valuesOf(owner: string, venue: Venue): ReadonlyMap<string, Value> | null {
    return this.#venues[venue].get(owner) ?? null;
  }
}

/** Returns the known string if the text is equal, to save memory. A text from the journal or a socket is a new string. */
export function internText<Text extends string | null>(text: Text, known: Text | undefined): Text {
  return text === known ? known : text;
}
