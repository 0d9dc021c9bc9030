// Buckets of a log-linear histogram: each decade from 1 us is cut into 36 buckets, as wide as a quarter of the decade's
// start. So round decimal bounds are bucket ends, and a bucket's middle is within 12.5 % of its values. A bucket includes
// its end, as Prometheus' `le` does. Pure arithmetic.

const BUCKETS_PER_UNIT = 4;
/** Units from 1 to 10, without the first, which belongs to the decade before. */
const BUCKETS_PER_DECADE = 9 * BUCKETS_PER_UNIT;

/** Longer durations fall into the last bucket. */
export const LONGEST_US = 60_000_000;

const LAST_BUCKET = 1 + placeOf(LONGEST_US) + 1;
/** Buckets of one histogram: the first ends at 1 us, the last has all beyond `LONGEST_US`. */
export const BUCKETS = LAST_BUCKET + 1;

export function bucketOf(microseconds: number): number {
  if (microseconds > LONGEST_US) return LAST_BUCKET;
  return microseconds > 1 ? 1 + placeOf(microseconds) : 0;
}

/** End of a bucket in microseconds. */
export function bucketEndUs(bucket: number): number {
  if (bucket === LAST_BUCKET) return Number.POSITIVE_INFINITY;
  if (bucket === 0) return 1;
  const place = bucket - 1;
  const start = 10 ** Math.floor(place / BUCKETS_PER_DECADE);
  return (start * (BUCKETS_PER_UNIT + 1 + (place % BUCKETS_PER_DECADE))) / BUCKETS_PER_UNIT;
}

/** Index of a duration among the buckets between the first and the last. */
function placeOf(microseconds: number): number {
  let start = 1;
  let decade = 0;
  while (microseconds > start * 10) {
    start *= 10;
    decade += 1;
  }
  return decade * BUCKETS_PER_DECADE + Math.ceil((microseconds * BUCKETS_PER_UNIT) / start) - BUCKETS_PER_UNIT - 1;
}
