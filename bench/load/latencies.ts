// Counts millions of latencies without an allocation for each: a histogram whose buckets grow with the value, as in HDR histograms.
// Exact microseconds up to 2 ms, then within a thousandth, up to two minutes; the maximum is exact.

/** Values below this are counted exactly. Above it, each doubling has half as many buckets. */
const EXACT = 2_048;
const EXACT_BITS = 11;
const BUCKETS_A_DOUBLING = EXACT / 2;
/** The bits of the largest value, 134 seconds. Later deliveries count as that late. */
const VALUE_BITS = 27;
const US_MAX = 2 ** VALUE_BITS - 1;
const BUCKETS = EXACT + (VALUE_BITS - EXACT_BITS) * BUCKETS_A_DOUBLING;

export class Latencies {
  readonly #counts = new Uint32Array(BUCKETS);
  count = 0;
  maxUs = 0;

  add(us: number): void {
    const bucket = bucketOf(us > US_MAX ? US_MAX : us < 0 ? 0 : Math.round(us));
    this.#counts[bucket] = this.#counts[bucket]! + 1;
    this.count += 1;
    if (us > this.maxUs) this.maxUs = us;
  }

  static of(counts: LatencyCounts): Latencies {
    const latencies = new Latencies();
    latencies.merge(counts);
    return latencies;
  }

  /** Adds the counts of another histogram. */
  merge({ counts, maxUs }: LatencyCounts): void {
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const more = counts[bucket]!;
      this.#counts[bucket] = this.#counts[bucket]! + more;
      this.count += more;
    }
    this.maxUs = Math.max(this.maxUs, maxUs);
  }

  /** Returns the microseconds that a `fraction` of all deliveries did not exceed (nearest rank), or NaN without deliveries. */
  percentileUs(fraction: number): number {
    const rank = Math.max(1, Math.ceil(this.count * fraction));
    let seen = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      seen += this.#counts[bucket]!;
      if (seen >= rank) return lastOf(bucket);
    }
    return Number.NaN;
  }

  /** Returns the counts in the form that crosses threads. */
  toCounts(): LatencyCounts {
    return { counts: this.#counts, maxUs: this.maxUs };
  }
}

export interface LatencyCounts {
  readonly counts: Uint32Array;
  readonly maxUs: number;
}

function bucketOf(us: number): number {
  const shift = us < EXACT ? 0 : 32 - EXACT_BITS - Math.clz32(us);
  return shift * BUCKETS_A_DOUBLING + (us >>> shift);
}

/** Returns the greatest value that the bucket counts. */
function lastOf(bucket: number): number {
  if (bucket < EXACT) return bucket;
  const shift = Math.floor(bucket / BUCKETS_A_DOUBLING) - 1;
  return (bucket - shift * BUCKETS_A_DOUBLING + 1) * 2 ** shift - 1;
}
