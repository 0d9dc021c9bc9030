// One clock for all threads and processes of a load run: the machine's monotonic clock, read as cheaply as performance.now().

/** What this thread's performance.now() lags behind the monotonic clock: taken from the tightest of many tries. */
const offsetMs = calibrate();

/** Milliseconds, comparable between threads and processes of this machine. */
export function monotonicMs(): number {
  return performance.now() + offsetMs;
}

function calibrate(): number {
  let tightest = Number.POSITIVE_INFINITY;
  let offset = 0;
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const before = performance.now();
    const monotonic = Number(process.hrtime.bigint()) / 1e6;
    const after = performance.now();
    if (after - before >= tightest) continue;
    tightest = after - before;
    offset = monotonic - (before + after) / 2;
  }
  return offset;
}
