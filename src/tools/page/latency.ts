// Computes quantiles of latencies from the cumulative counts of GET /v1/pod. Pure.

export interface Bucket {
  /** The end of the bucket. Null means that the bucket has no end. */
  readonly endUs: number | null;
  readonly count: number;
}

/** The counts between two readings. After a restart of the gateway only the later reading counts. */
export function countedSince(before: readonly Bucket[], after: readonly Bucket[]): readonly Bucket[] {
  const earlier = new Map(before.map(({ endUs, count }) => [endUs, count]));
  const grown = after.map(({ endUs, count }) => ({ endUs, count: count - (earlier.get(endUs) ?? 0) }));
  const hasShrunk =
    grown.some(({ count }) => count < 0) || before.some(it => !after.some(({ endUs }) => endUs === it.endUs));
  return hasShrunk ? after : grown.filter(({ count }) => count > 0);
}

/** The end of the bucket with the quantile, in microseconds. Null if nothing was counted, or if that bucket has no end. */
export function quantileUs(buckets: readonly Bucket[], share: number): number | null {
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  let below = 0;
  for (const { endUs, count } of buckets) {
    below += count;
    if (below >= share * total) return endUs;
  }
  return null;
}
