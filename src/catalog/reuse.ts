// What a catalog is made of is mostly the same objects as in the one before: what is made of the same is made once, and what is in
// order already is not sorted. Pure.

/** `make`, once of each object, for as long as the object is there. */
export function ofEach<Part extends object, Made extends string | object | null>(
  make: (part: Part) => Made,
): (part: Part) => Made {
  const known = new WeakMap<Part, Made>();
  return part => {
    const last = known.get(part);
    if (last !== undefined) return last;
    const made = make(part);
    known.set(part, made);
    return made;
  };
}

interface Entry<Made> {
  readonly parts: readonly unknown[];
  readonly made: Made;
}

/** What has a name and is made of several parts. */
export class Reuse<Made> {
  #last: ReadonlyMap<string, Entry<Made>> = new Map();
  #round = new Map<string, Entry<Made>>();

  /** A new round: what the last one has not asked for is forgotten. */
  begin(): void {
    this.#last = this.#round;
    this.#round = new Map();
  }

  /** Once in a round of each name. */
  of(name: string, parts: readonly unknown[], make: () => Made): Made {
    const known = this.#last.get(name);
    const entry = known !== undefined && isSame(known.parts, parts) ? known : { parts, made: make() };
    this.#round.set(name, entry);
    return entry.made;
  }
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((part, index) => part === others[index]);
}

/** Sorts in linear time what was there the last time. */
export class KeptOrder<Item> {
  readonly #compare: (a: Item, b: Item) => number;
  #last: readonly Item[] = [];

  /** An order in which no two items are equal. */
  constructor(compare: (a: Item, b: Item) => number) {
    this.#compare = compare;
  }

  /** Each item once. */
  of(items: Iterable<Item>): readonly Item[] {
    const fresh = new Set(items);
    const stayed = this.#last.filter(item => fresh.delete(item));
    // Two runs, which the second sort finds and merges.
    this.#last = [...stayed, ...[...fresh].sort(this.#compare)].sort(this.#compare);
    return this.#last;
  }
}
