// One clock for all threads and processes of a load run: the machine's monotonic clock, read as cheaply as performance.now().

/** The milliseconds by which this thread's performance.now() is behind the monotonic clock, from the tightest of many tries. */
const offsetMs = calibrate();

/** Returns milliseconds that are comparable between threads and processes of this machine. */
export function monotonicMs(): number {
  return performance.now() + offsetMs;
}

/** The longest sleep before a check for answers. The kernel adds about 60 µs. */
const NAP_MS = 0.05;
const napCell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Sleeps until a monotonic time by Atomics.wait. Timers tick in milliseconds, and a loop that never sleeps would take a core from the server.
 * Answers are read between two naps, so latencies are up to a tenth of a millisecond too long.
 */
export async function sleepUntil(dueMs: number): Promise<void> {
  for (let restMs = dueMs - monotonicMs(); restMs > 0; restMs = dueMs - monotonicMs()) {
    Atomics.wait(napCell, 0, 0, Math.min(restMs, NAP_MS));
    await new Promise(resolve => setImmediate(resolve));
  }
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
