// The machine's monotonic clock, which all threads share: times of different threads can be subtracted. performance.now() counts from each
// thread's own start. Any thread.

/** Microseconds in steps of nanoseconds; only differences have a meaning. About 50 ns a call. */
export function monotonicUs(): number {
  return Number(process.hrtime.bigint()) / 1_000;
}

/** The same clock in milliseconds. */
export function monotonicMs(): number {
  return monotonicUs() / 1_000;
}
