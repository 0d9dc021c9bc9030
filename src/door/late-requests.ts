// Whether a request that the door reads now may be too old. It is if the engine's thread stood still, as on a frozen disk, for longer
// than an order waits for its venue. Main answers for a silent engine. No thread does for this door, so it does not send an order that
// waited. Engine thread.

import { limits } from '../limits.ts';

const US_PER_MS = 1_000;
const BEAT_US = limits.engineBeatMs * US_PER_MS;
const SILENCE_US = limits.venueAnswerTimeoutMs * US_PER_MS;

export class LateRequests {
  readonly #nowUs: () => number;
  #beatAtUs: number;
  /** By then all requests that waited while the thread stood still are read. */
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
