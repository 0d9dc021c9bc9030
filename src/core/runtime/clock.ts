// The machine's monotonic clock, which all threads share: times of different threads can be subtracted. performance.now() counts from each
// thread's own start. Any thread.

/** Returns microseconds in steps of nanoseconds; only differences have a meaning. A call takes about 50 ns. */
export function monotonicUs(): number {
  return Number(process.hrtime.bigint()) / 1_000;
}

/** Returns the time of the same clock as `monotonicUs`, in milliseconds. */
export function monotonicMs(): number {
  return monotonicUs() / 1_000;
}

/** Memory that no thread notifies. */
const unnotified = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Stops the calling thread for a time in milliseconds of the machine's clock, also in a backtest. */
export function sleepThread(ms: number): void {
  Atomics.wait(unnotified, 0, 0, ms);
}

// Times the stages of one operation for `Server-Timing` (contract §4.3). Runs on the thread that performs the operation.

const US_PER_MS = 1_000;

export class Stopwatch {
  readonly #fromUs: number | null;
  #lapAtUs: number;
  /** The microseconds of each stage. Null means that no stage has ended. */
  #stages: Map<string, number> | null = null;

  /** `fromUs` is the arrival of the request, by monotonicUs() of any thread. Null means that nothing is timed. */
  constructor(fromUs: number | null) {
    this.#fromUs = fromUs;
    this.#lapAtUs = fromUs ?? 0;
  }

  /** Ends the stage that began when the stage before it ended. `atUs` is by monotonicUs(); the default is now. */
  passed(stage: string, atUs?: number): void {
    if (this.#fromUs === null) return;
    const nowUs = atUs ?? monotonicUs();
    this.#stages ??= new Map();
    this.#stages.set(stage, (this.#stages.get(stage) ?? 0) + nowUs - this.#lapAtUs);
    this.#lapAtUs = nowUs;
  }

  /** Returns the value of the header, or null if nothing is timed. */
  text(): string | null {
    if (this.#fromUs === null) return null;
    let stages = '';
    for (const [stage, us] of this.#stages ?? []) stages += `${stage};dur=${Math.round(us) / US_PER_MS}, `;
    return `${stages}total;dur=${Math.round(monotonicUs() - this.#fromUs) / US_PER_MS}`;
  }
}
