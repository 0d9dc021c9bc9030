// How long the stages of one operation took, for `Server-Timing` (contract §4.3). Whichever thread performs it.

import { monotonicUs } from '../runtime/clock.ts';

const US_PER_MS = 1_000;

export class Stopwatch {
  readonly #startedAtUs: number;
  #lapAtUs: number;
  readonly #stages = new Map<string, number>();

  /** `startedAtUs`: when the request was there, by monotonicUs() of any thread. */
  constructor(startedAtUs: number) {
    this.#startedAtUs = startedAtUs;
    this.#lapAtUs = startedAtUs;
  }

  /** What has passed since the last stage was this one; it ended at that time by monotonicUs(), now by default. */
  passed(stage: string, nowUs = monotonicUs()): void {
    this.#stages.set(stage, (this.#stages.get(stage) ?? 0) + nowUs - this.#lapAtUs);
    this.#lapAtUs = nowUs;
  }

  /** What a stage has taken so far. */
  us(stage: string): number {
    return this.#stages.get(stage) ?? 0;
  }

  /** Text of the header. */
  text(): string {
    const stages = [...this.#stages, ['total', monotonicUs() - this.#startedAtUs] as const];
    return stages.map(([stage, us]) => `${stage};dur=${Math.round(us) / US_PER_MS}`).join(', ');
  }
}
