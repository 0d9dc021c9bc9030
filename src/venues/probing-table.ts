// A hash table for ids in the bytes of a frame: open addressing with linear probing. A subclass keeps the ids, packs an entry (a whole
// number above 0) for each, and finds entries in a loop of its own. Feed threads, hot path.

export const BUCKET_WORDS = 2;
const BUCKETS_MIN = 1024;

export class ProbingTable {
  /**
   * The buckets: pairs of a hash and an entry; the entry 0 means an empty bucket. The table stays at most half full, so that a miss ends
   * after one or two probes.
   */
  protected buckets = new Int32Array(BUCKETS_MIN * BUCKET_WORDS);
  /** The shift that gives the first bucket of a hash: `hash >>> shift`. */
  protected shift = 32 - Math.log2(BUCKETS_MIN);
  #size = 0;

  protected add(hash: number, entry: number): void {
    this.#size += 1;
    if (this.#size * 2 * BUCKET_WORDS > this.buckets.length) this.#grow();
    this.#place(hash, entry);
  }

  /** Removes an entry, which must be in the table. */
  protected drop(hash: number, entry: number): void {
    const { buckets } = this;
    const mask = buckets.length / BUCKET_WORDS - 1;
    let hole = hash >>> this.shift;
    while (buckets[hole * BUCKET_WORDS + 1] !== entry) hole = (hole + 1) & mask;
    // Later entries of the run move into the hole if their probing passes the hole. So no tombstones are needed.
    for (let next = (hole + 1) & mask; buckets[next * BUCKET_WORDS + 1] !== 0; next = (next + 1) & mask) {
      const home = buckets[next * BUCKET_WORDS]! >>> this.shift;
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      buckets.copyWithin(hole * BUCKET_WORDS, next * BUCKET_WORDS, (next + 1) * BUCKET_WORDS);
      hole = next;
    }
    buckets[hole * BUCKET_WORDS + 1] = 0;
    this.#size -= 1;
  }

  #place(hash: number, entry: number): void {
    const mask = this.buckets.length / BUCKET_WORDS - 1;
    let bucket = hash >>> this.shift;
    while (this.buckets[bucket * BUCKET_WORDS + 1] !== 0) bucket = (bucket + 1) & mask;
    this.buckets[bucket * BUCKET_WORDS] = hash;
    this.buckets[bucket * BUCKET_WORDS + 1] = entry;
  }

  #grow(): void {
    const old = this.buckets;
    this.buckets = new Int32Array(old.length * 2);
    this.shift -= 1;
    for (let at = 0; at < old.length; at += BUCKET_WORDS) {
      if (old[at + 1] !== 0) this.#place(old[at]!, old[at + 1]!);
    }
  }
}

const STRIDE_BYTES = 8;

/**
 * Whether two places hold the same `length` bytes of ASCII text. Compares eight bytes at a time; the last eight may overlap the ones
 * before. Read as a double, eight ASCII characters are an ordinary number, which equals only itself.
 */
export function isSameText(one: DataView, at: number, other: DataView, from: number, length: number): boolean {
  const last = length - STRIDE_BYTES;
  if (last < 0) return isSameShortText(one, at, other, from, length);
  for (let index = 0; index < last; index += STRIDE_BYTES) {
    if (one.getFloat64(at + index, true) !== other.getFloat64(from + index, true)) return false;
  }
  return one.getFloat64(at + last, true) === other.getFloat64(from + last, true);
}

function isSameShortText(one: DataView, at: number, other: DataView, from: number, length: number): boolean {
  for (let index = 0; index < length; index += 1) {
    if (one.getUint8(at + index) !== other.getUint8(from + index)) return false;
  }
  return true;
}
