// The arena of shared memory, and typed views of one venue's region and of the index. The main thread makes the arena once, and hands it to
// every thread that reads or writes books.

import { VENUES, type Venue } from '../../core/domain/market.ts';
import { CONTROL_EPOCH, F64_BYTES, I32_BYTES, INDEX_BYTES, REGION_BYTES } from './layout.ts';

export type Arena = SharedArrayBuffer;

/** Reserves address space for all books, tapes and the index. A page takes memory only on its first use. */
export function createArena(): Arena {
  return new SharedArrayBuffer(VENUES.length * REGION_BYTES + INDEX_BYTES);
}

/** Makes all later epochs greater than `floor`. Call this before the first writer starts. */
export function startEpochs(arena: Arena, floor: number): void {
  for (const venue of VENUES) regionOf(arena, venue).f64[CONTROL_EPOCH] = floor;
}

/** Returns the typed view of the book index. */
export function indexOf(arena: Arena): Int32Array {
  return new Int32Array(arena, VENUES.length * REGION_BYTES, INDEX_BYTES / I32_BYTES);
}

/** Typed views of one region. Offsets are those of layout.ts, relative to the start of the region. */
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
