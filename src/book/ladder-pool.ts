// Allocates ladders of a region: a bump allocator with one free list per capacity, because a venue has few grids. Feed
// threads.

import { limits } from '../limits.ts';
import { F64_BYTES, LADDERS_START_F64, sideLength } from './layout.ts';
import type { Region } from './memory.ts';

export class LadderPool {
  readonly #f64: Float64Array;
  readonly #freeByCapacity = new Map<number, number[]>();
  #next = LADDERS_START_F64;
  readonly #end = LADDERS_START_F64 + limits.ladderBytesPerVenue / F64_BYTES;

  constructor(region: Region) {
    this.#f64 = region.f64;
  }

  /** Start of an empty ladder, in `f64`; null when `ladderBytesPerVenue` is used up. */
  allocate(capacity: number): number | null {
    const length = 2 * sideLength(capacity);
    const reused = this.#freeByCapacity.get(capacity)?.pop();
    const start = reused ?? this.#next;
    if (reused === undefined) {
      if (start + length > this.#end) return null;
      this.#next += length;
    }
    this.#f64.fill(0, start, start + length);
    return start;
  }

  release(start: number, capacity: number): void {
    const free = this.#freeByCapacity.get(capacity);
    if (free === undefined) this.#freeByCapacity.set(capacity, [start]);
    else free.push(start);
  }
}
