// Tasks by time; those of the same time in order of insertion. A binary heap.

interface Entry<T> {
  readonly at: number;
  readonly order: number;
  readonly task: T;
}

export class Agenda<T> {
  readonly #heap: Entry<T>[] = [];
  #added = 0;

  get nextAt(): number | null {
    return this.#heap[0]?.at ?? null;
  }

  add(at: number, task: T): void {
    const entry = { at, order: this.#added, task };
    this.#added += 1;
    let place = this.#heap.length;
    this.#heap.push(entry);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (isBefore(this.#heap[parent]!, entry)) break;
      this.#heap[place] = this.#heap[parent]!;
      place = parent;
    }
    this.#heap[place] = entry;
  }

  /** Removes and returns the first due task; null if none is due. */
  take(now: number): { readonly at: number; readonly task: T } | null {
    const first = this.#heap[0];
    if (first === undefined || first.at > now) return null;
    const last = this.#heap.pop()!;
    if (this.#heap.length > 0) this.#sink(last);
    return first;
  }

  #sink(entry: Entry<T>): void {
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#heap.length) break;
      if (child + 1 < this.#heap.length && isBefore(this.#heap[child + 1]!, this.#heap[child]!)) child += 1;
      if (isBefore(entry, this.#heap[child]!)) break;
      this.#heap[place] = this.#heap[child]!;
      place = child;
    }
    this.#heap[place] = entry;
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
