// What threads that are all started with the same data show of themselves: each takes a place by its id. Any thread.

import { assert } from '../domain/result.ts';
import { Pulse, type PulseNews, PulseWatch } from './pulse.ts';

/** Of a thread that has died its place is free again after the next look. */
const PLACES_PER_THREAD = 4;
const FREE = 0;
/** Owner, pulse, requests at venues: a column each. */
const COLUMNS = 3;

/** A thread's own. */
export interface BoardPlace {
  readonly pulse: Pulse;
  /** A request to a venue begins, or has its outcome. */
  noteAtVenues(change: 1 | -1): void;
}

export class ThreadBoard {
  readonly memory: SharedArrayBuffer;
  readonly #places: number;
  readonly #owners: Int32Array;
  readonly #atVenues: Int32Array;
  /** By place. */
  readonly #watches = new Map<number, PulseWatch>();

  static for(threads: number): ThreadBoard {
    return new ThreadBoard(new SharedArrayBuffer(COLUMNS * PLACES_PER_THREAD * threads * Int32Array.BYTES_PER_ELEMENT));
  }

  constructor(memory: SharedArrayBuffer) {
    const columnBytes = memory.byteLength / COLUMNS;
    this.memory = memory;
    this.#places = columnBytes / Int32Array.BYTES_PER_ELEMENT;
    this.#owners = new Int32Array(memory, 0, this.#places);
    this.#atVenues = new Int32Array(memory, 2 * columnBytes, this.#places);
  }

  /** On the thread itself, once. */
  take(threadId: number): BoardPlace {
    const place = this.#owners.findIndex((_, at) => Atomics.compareExchange(this.#owners, at, FREE, threadId) === FREE);
    assert(place >= 0, 'a thread that starts has a place on the board');
    return {
      pulse: this.#pulseAt(place),
      noteAtVenues: change => void Atomics.add(this.#atVenues, place, change),
    };
  }

  /** By whoever keeps the threads: what is new of the pulses of those that there are. */
  look(threadIds: readonly number[]): PulseNews[] {
    return [...this.#owners.keys()].flatMap(place => this.#lookAt(place, threadIds) ?? []);
  }

  /** Requests of that thread that venues have yet to answer. */
  atVenues(threadId: number): number {
    const place = this.#owners.indexOf(threadId);
    return place < 0 ? 0 : Atomics.load(this.#atVenues, place);
  }

  #lookAt(place: number, threadIds: readonly number[]): PulseNews | null {
    const owner = Atomics.load(this.#owners, place);
    if (owner === FREE) return null;
    if (!threadIds.includes(owner)) {
      this.#watches.delete(place);
      Atomics.store(this.#atVenues, place, 0);
      Atomics.store(this.#owners, place, FREE);
      return null;
    }
    const watch = this.#watches.get(place) ?? new PulseWatch();
    this.#watches.set(place, watch);
    return watch.look(this.#pulseAt(place).beats);
  }

  #pulseAt(place: number): Pulse {
    return new Pulse(this.memory, this.#places + place);
  }
}
