// The records of one kind that came last, as many as there is room for; a new one takes the place of the oldest: what an exchange that
// runs for months may remember. The room is taken as it is needed. Pure.

export class RecordRing<T> {
  readonly #max: number;
  /** Oldest first, from `#first` on; what stood before it is forgotten. */
  readonly #records: (T | undefined)[] = [];
  #first = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns the record that had to go. */
  push(record: T): T | undefined {
    this.#records.push(record);
    return this.#records.length - this.#first > this.#max ? this.#shift() : undefined;
  }

  /** Forgets a record where it is the oldest: it has gone from a ring that holds the records of all. */
  forgetOldest(record: T): void {
    if (this.#records[this.#first] === record) this.#shift();
  }

  *newestFirst(): Generator<T> {
    const [first, records] = [this.#first, this.#records];
    for (let place = records.length - 1; place >= first; place -= 1) yield records[place]!;
  }

  #shift(): T {
    const gone = this.#records[this.#first]!;
    this.#records[this.#first] = undefined;
    this.#first += 1;
    // In one piece: to move all the others for each record would cost as much as there are.
    if (2 * this.#first >= this.#records.length) {
      this.#records.splice(0, this.#first);
      this.#first = 0;
    }
    return gone;
  }
}
