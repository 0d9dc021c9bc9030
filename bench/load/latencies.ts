// Latencies of millions of deliveries without an allocation for any: counts per microsecond. What is later than the last
// bucket counts as that late; the greatest value is kept as it was.

const BUCKETS = 200_000;

export class Latencies {
  readonly #counts: Uint32Array;
  count = 0;
  maxUs = 0;

  constructor(counts = new Uint32Array(BUCKETS + 1)) {
    this.#counts = counts;
  }

  add(us: number): void {
    const bucket = us > BUCKETS ? BUCKETS : us < 0 ? 0 : Math.round(us);
    this.#counts[bucket] = this.#counts[bucket]! + 1;
    this.count += 1;
    if (us > this.maxUs) this.maxUs = us;
  }

  /** Takes over what another one has counted. */
  merge({ counts, maxUs }: LatencyCounts): void {
    for (let bucket = 0; bucket <= BUCKETS; bucket++) {
      const more = counts[bucket]!;
      this.#counts[bucket] = this.#counts[bucket]! + more;
      this.count += more;
    }
    this.maxUs = Math.max(this.maxUs, maxUs);
  }

  /** Microseconds that a `fraction` of all deliveries did not exceed (nearest rank); NaN of none. */
  percentileUs(fraction: number): number {
    const rank = Math.max(1, Math.ceil(this.count * fraction));
    let seen = 0;
    for (let bucket = 0; bucket <= BUCKETS; bucket++) {
      seen += this.#counts[bucket]!;
      if (seen >= rank) return bucket;
    }
    return Number.NaN;
  }

  /** As it travels between threads. */
  toCounts(): LatencyCounts {
    return { counts: this.#counts, maxUs: this.maxUs };
  }
}

export interface LatencyCounts {
  readonly counts: Uint32Array;
  readonly maxUs: number;
}
