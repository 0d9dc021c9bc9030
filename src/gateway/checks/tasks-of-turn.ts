// Decides whether a thread does a task itself: the first tasks of a turn of its event loop. A hop to another thread and back costs more
// than the task. Threads that take requests: main, and the engine's with an address of its own (ADR 0020, ADR 0023).

export class TasksOfTurn {
  readonly #max: number;
  #taken = 0;
  readonly #begin = (): void => {
    this.#taken = 0;
  };

  /** `max`: tasks of one turn. */
  constructor(max: number) {
    this.#max = max;
  }

  /** True if this thread does the task. */
  take(): boolean {
    if (this.#taken === this.#max) return false;
    if (this.#taken === 0) setImmediate(this.#begin);
    this.#taken += 1;
    return true;
  }
}
