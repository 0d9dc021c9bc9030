// Heartbeats of threads that all start with the same data: each takes a place by its id. Any thread.

import { assert } from '../domain/result.ts';
import { Pulse, type PulseNews, PulseWatch } from './pulse.ts';

/** The place of a dead thread is free after the next look. */
const PLACES_PER_THREAD = 4;
const FREE = 0;

export class PulseBoard {
  readonly memory: SharedArrayBuffer;
  /** Owner of each place; the heartbeats follow. */
  readonly #owners: Int32Array;
  /** Watches by place. */
  readonly #watches = new Map<number, PulseWatch>();

  static for(threads: number): PulseBoard {
    return new PulseBoard(new SharedArrayBuffer(2 * PLACES_PER_THREAD * threads * Int32Array.BYTES_PER_ELEMENT));
  }

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#owners = new Int32Array(memory, 0, memory.byteLength / Int32Array.BYTES_PER_ELEMENT / 2);
  }

  /** Call this once, on the thread itself. */
  take(threadId: number): Pulse {
    const place = this.#owners.findIndex((_, at) => Atomics.compareExchange(this.#owners, at, FREE, threadId) === FREE);
    assert(place >= 0, 'a thread that starts has a place for its pulse');
    return this.#pulseAt(place);
  }

  /** News of the threads in `threadIds`, for their owner. */
  look(threadIds: readonly number[]): PulseNews[] {
    return [...this.#owners.keys()].flatMap(place => this.#lookAt(place, threadIds) ?? []);
  }

  #lookAt(place: number, threadIds: readonly number[]): PulseNews | null {
    const owner = Atomics.load(this.#owners, place);
    if (owner === FREE) return null;
    if (!threadIds.includes(owner)) {
      this.#watches.delete(place);
      Atomics.store(this.#owners, place, FREE);
      return null;
    }
    const watch = this.#watches.get(place) ?? new PulseWatch();
    this.#watches.set(place, watch);
    return watch.look(this.#pulseAt(place).beats);
  }

  #pulseAt(place: number): Pulse {
    return new Pulse(this.memory, this.#owners.length + place);
  }
}
