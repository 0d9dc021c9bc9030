// The records of one kind that came last, as many as there is room for; a new one takes the place of the oldest: what an exchange that
// runs for months may remember. The room is taken as it is needed. Pure.

export class RecordRing<T> {
  readonly #max: number;
  readonly #records: T[] = [];
  /** Where the next one goes: the place of the oldest, once the ring is full. */
  #next = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns the record that had to go. */
  push(record: T): T | undefined {
    const gone = this.#records[this.#next];
    this.#records[this.#next] = record;
    this.#next = this.#next + 1 === this.#max ? 0 : this.#next + 1;
    return gone;
  }

  *newestFirst(): Generator<T> {
    const { length } = this.#records;
    for (let age = 1; age <= length; age += 1) yield this.#records[(this.#next - age + length) % length]!;
  }
}
