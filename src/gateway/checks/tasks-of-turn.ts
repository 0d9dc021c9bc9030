// Decides whether a thread performs a task itself. It performs the first tasks of a turn of its event loop, because a hop to another thread
// and back costs more than the task. Used on the threads that take requests: main, and the engine's thread if it has an address of its own
// (ADR 0020, ADR 0023).

export class TasksOfTurn {
  readonly #max: number;
  #taken = 0;
  readonly #begin = (): void => {
    this.#taken = 0;
  };

  /** `max` is the number of tasks in one turn. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Returns true if this thread is to perform the task. */
  take(): boolean {
    if (this.#taken === this.#max) return false;
    if (this.#taken === 0) setImmediate(this.#begin);
    this.#taken += 1;
    return true;
  }
}
