// Reuses results between catalogs: most of a catalog's objects are those of the one before. Results of the same objects are computed once;
// items that are in order are not sorted again. Pure.

/** Calls `make` once for each object, and keeps the result as long as the object. */
export function memoized<Part extends object, Made extends string | object | null>(
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

/** Caches results that have a name and several parts. */
export class Memo<Made> {
  #last: ReadonlyMap<string, Entry<Made>> = new Map();
  #round = new Map<string, Entry<Made>>();

  /** Starts a round: results that the last round did not use are dropped. */
  begin(): void {
    this.#last = this.#round;
    this.#round = new Map();
  }

  /** Call once in a round for each name. */
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

/** Sorts items of the last call in linear time. */
export class IncrementalSort<Item> {
  readonly #compare: (a: Item, b: Item) => number;
  #last: readonly Item[] = [];

  /** `compare`: no two items may be equal. */
  constructor(compare: (a: Item, b: Item) => number) {
    this.#compare = compare;
  }

  /** Each item once. */
  of(items: Iterable<Item>): readonly Item[] {
    const fresh = new Set(items);
    const stayed = this.#last.filter(item => fresh.delete(item));
    // The second sort finds two sorted runs and merges them.
    this.#last = [...stayed, ...[...fresh].sort(this.#compare)].sort(this.#compare);
    return this.#last;
  }
}
