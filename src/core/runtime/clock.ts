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

// Times the stages of one operation for `Server-Timing` (contract §4.3). Runs on the thread that performs it.

const US_PER_MS = 1_000;

export class Stopwatch {
  readonly #startedAtUs: number;
  #lapAtUs: number;
  readonly #stages = new Map<string, number>();

  /** `startedAtUs`: arrival of the request, by monotonicUs() of any thread. */
  constructor(startedAtUs: number) {
    this.#startedAtUs = startedAtUs;
    this.#lapAtUs = startedAtUs;
  }

  /** Ends the stage that ran since the last one ended. `nowUs`: by monotonicUs(), now by default. */
  passed(stage: string, nowUs = monotonicUs()): void {
    this.#stages.set(stage, (this.#stages.get(stage) ?? 0) + nowUs - this.#lapAtUs);
    this.#lapAtUs = nowUs;
  }

  /** The value of the header. */
  text(): string {
    let stages = '';
    for (const [stage, us] of this.#stages) stages += `${stage};dur=${Math.round(us) / US_PER_MS}, `;
    return `${stages}total;dur=${Math.round(monotonicUs() - this.#startedAtUs) / US_PER_MS}`;
  }
}
