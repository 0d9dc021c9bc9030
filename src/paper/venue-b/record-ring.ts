// The records of one kind that came last, as many as there is room for; a new one takes the place of the oldest. The room is
// taken as it is needed. Thread of the paper exchanges.

export class RecordRing<T> {
  readonly #max: number;
  readonly #records: T[] = [];
  /** Where the oldest stands, once the ring is full. */
  #oldest = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns the record that had to go. */
  push(record: T): T | null {
    const records = this.#records;
    if (records.length < this.#max) {
      records.push(record);
      return null;
    }
    const gone = records[this.#oldest]!;
    records[this.#oldest] = record;
    this.#oldest = this.#oldest + 1 === this.#max ? 0 : this.#oldest + 1;
    return gone;
  }

  *newestFirst(): Generator<T> {
    const records = this.#records;
    for (let age = 1; age <= records.length; age++) {
      yield records[(this.#oldest - age + records.length) % records.length]!;
    }
  }
}
