// Whether a thread does a task itself: if the task comes alone, the hop to another thread and back costs more than the task. The threads
// that take requests: main, and the engine's with an address of its own (ADR 0020, ADR 0023).

import { limits } from '../limits.ts';

const US_PER_MS = 1_000;

export class LoneTasks {
  /** By monotonicUs(): when at least two tasks were last in flight. */
  #crowdedAtUs = Number.NEGATIVE_INFINITY;
  /** Whether the thread has done a task in this turn of its event loop. */
  #hasDone = false;

  /** True after a quiet time. Called for each task, with the number of tasks in flight, this one included. */
  isAlone(inFlight: number, nowUs: number): boolean {
    // A task that ran here is not in flight any more, but more may have come in the same turn.
    if (inFlight > 1 || this.#hasDone) this.#crowdedAtUs = nowUs;
    return !this.#hasDone && nowUs - this.#crowdedAtUs > limits.mainCheckAloneMs * US_PER_MS;
  }

  /** A task blocks the thread now: no second one does in this turn. */
  began(): void {
    this.#hasDone = true;
    setImmediate(() => {
      this.#hasDone = false;
    });
  }
}
