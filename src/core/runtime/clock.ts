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
  readonly #fromUs: number | null;
  #lapAtUs: number;
  /** Microseconds by stage; null: none has ended. */
  #stages: Map<string, number> | null = null;

  /** `fromUs`: arrival of the request, by monotonicUs() of any thread; null: nothing is timed. */
  constructor(fromUs: number | null) {
    this.#fromUs = fromUs;
    this.#lapAtUs = fromUs ?? 0;
  }

  /** Ends the stage that ran since the last one ended. `atUs`: by monotonicUs(), now by default. */
  passed(stage: string, atUs?: number): void {
    if (this.#fromUs === null) return;
    const nowUs = atUs ?? monotonicUs();
    this.#stages ??= new Map();
    this.#stages.set(stage, (this.#stages.get(stage) ?? 0) + nowUs - this.#lapAtUs);
    this.#lapAtUs = nowUs;
  }

  /** The value of the header; null: nothing is timed. */
  text(): string | null {
    if (this.#fromUs === null) return null;
    let stages = '';
    for (const [stage, us] of this.#stages ?? []) stages += `${stage};dur=${Math.round(us) / US_PER_MS}, `;
    return `${stages}total;dur=${Math.round(monotonicUs() - this.#fromUs) / US_PER_MS}`;
  }
}
