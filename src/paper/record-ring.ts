// The records of one kind that came last: what an exchange that runs for months may remember. So many stay; with `young`, all that are
// younger than that stay too, however fast they come. The room is taken as it is needed. Pure: time comes from a port.

import type { Timers } from '../runtime/timers.ts';

export interface Young {
  readonly ms: number;
  /** A clock that nobody sets: a fault that skews the venue's clock makes nothing old. */
  readonly timers: Pick<Timers, 'elapsed'>;
}

/** After a burst as many are forgotten with each new record: all of them at once would take the thread for half a second. */
const FORGOTTEN_AT_ONCE_MAX = 1_000;
const NONE: readonly never[] = [];

export class RecordRing<T> {
  readonly #max: number;
  readonly #young: Young | null;
  /** Oldest first, from `#first` on; what stood before it is forgotten. */
  readonly #records: (T | undefined)[] = [];
  /** When each came; empty without `young`. */
  readonly #times: number[] = [];
  #first = 0;

  constructor(max: number, young: Young | null = null) {
    this.#max = max;
    this.#young = young;
  }

  /** Returns the records that had to go, oldest first. */
  push(record: T): readonly T[] {
    this.#records.push(record);
    const oldUntil = this.#comesNow();
    if (!this.#isOver(oldUntil)) return NONE;
    const gone: T[] = [];
    while (gone.length < FORGOTTEN_AT_ONCE_MAX && this.#isOver(oldUntil)) gone.push(this.#shift());
    return gone;
  }

  /** Forgets a record where it is the oldest: it has gone from a ring that holds the records of all. */
  forgetOldest(record: T): void {
    if (this.#records[this.#first] === record) this.#shift();
  }

  *newestFirst(): Generator<T> {
    const [first, records] = [this.#first, this.#records];
    for (let place = records.length - 1; place >= first; place -= 1) yield records[place]!;
  }

  /** Returns the time up to which records are old. */
  #comesNow(): number {
    if (this.#young === null) return Number.POSITIVE_INFINITY;
    const now = this.#young.timers.elapsed();
    this.#times.push(now);
    return now - this.#young.ms;
  }

  #isOver(oldUntil: number): boolean {
    if (this.#records.length - this.#first <= this.#max) return false;
    return this.#young === null || this.#times[this.#first]! <= oldUntil;
  }

  #shift(): T {
    const gone = this.#records[this.#first]!;
    this.#records[this.#first] = undefined;
    this.#first += 1;
    // In one piece: to move all the others for each record would cost as much as there are.
    if (2 * this.#first >= this.#records.length) {
      this.#records.splice(0, this.#first);
      this.#times.splice(0, this.#first);
      this.#first = 0;
    }
    return gone;
  }
}
