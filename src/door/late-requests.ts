// Whether a request that the door reads now may be too old. It is if the engine's thread stood still, as on a frozen disk, for longer
// than an order waits for its venue. Main answers for a silent engine; nobody does here, so an order that waited is not sent late. Engine
// thread.

import { limits } from '../limits.ts';

const US_PER_MS = 1_000;
const BEAT_US = limits.engineBeatMs * US_PER_MS;
const SILENCE_US = limits.venueAnswerTimeoutMs * US_PER_MS;

export class LateRequests {
  readonly #nowUs: () => number;
  #beatAtUs: number;
  /** What was waiting when the thread went on is read by then. */
  #lateUntilUs = Number.NEGATIVE_INFINITY;

  /** `nowUs`: monotonic. */
  constructor(nowUs: () => number) {
    this.#nowUs = nowUs;
    this.#beatAtUs = nowUs();
  }

  /** To be called every `engineBeatMs`, as the thread lets it. */
  beat(): void {
    const nowUs = this.#nowUs();
    if (nowUs - this.#beatAtUs > SILENCE_US) this.#lateUntilUs = nowUs + BEAT_US;
    this.#beatAtUs = nowUs;
  }

  get areLate(): boolean {
    const nowUs = this.#nowUs();
    return nowUs < this.#lateUntilUs || nowUs - this.#beatAtUs > SILENCE_US;
  }
}
