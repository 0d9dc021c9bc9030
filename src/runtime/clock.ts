// The machine's monotonic clock: one for all threads, so that a time taken on one can be subtracted on another, which
// performance.now() cannot promise (it counts from each thread's own start). Any thread.

/** Microseconds, with nanosecond steps; only differences mean something. About 50 ns a call. */
export function monotonicUs(): number {
  return Number(process.hrtime.bigint()) / 1_000;
}
