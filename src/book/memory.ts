// The arena of shared memory, and a thread's views of one venue's region in it and of the index. Made once by the main thread,
// handed to every thread that reads or writes books.

import { VENUES, type Venue } from '../domain/market.ts';
import { CONTROL_EPOCH, F64_BYTES, I32_BYTES, INDEX_BYTES, REGION_BYTES } from './layout.ts';

export type Arena = SharedArrayBuffer;

/** Address space for every venue's books and tape, and the index; pages become memory when they are first touched. */
export function createArena(): Arena {
  return new SharedArrayBuffer(VENUES.length * REGION_BYTES + INDEX_BYTES);
}

/** From here on every book's epochs are greater than `floor`, whichever writers come. Before the first of them. */
export function startEpochs(arena: Arena, floor: number): void {
  for (const venue of VENUES) regionOf(arena, venue).f64[CONTROL_EPOCH] = floor;
}

/** The index of books, seen as numbers. */
export function indexOf(arena: Arena): Int32Array {
  return new Int32Array(arena, VENUES.length * REGION_BYTES, INDEX_BYTES / I32_BYTES);
}

/** One region seen as numbers. Indexes are those of layout.ts, counted from the start of the region. */
export interface Region {
  readonly i32: Int32Array;
  readonly f64: Float64Array;
  readonly bytes: Uint8Array;
}

export function regionOf(arena: Arena, venue: Venue): Region {
  const offset = VENUES.indexOf(venue) * REGION_BYTES;
  return {
    i32: new Int32Array(arena, offset, REGION_BYTES / I32_BYTES),
    f64: new Float64Array(arena, offset, REGION_BYTES / F64_BYTES),
    bytes: new Uint8Array(arena, offset, REGION_BYTES),
  };
}
