// One life of a process, or of a thread of the process. Nothing of the life happens after its end, which may come at any call.

import { EndableTimers, type Timers } from '../../src/core/runtime/timers.ts';
import { StoreError } from '../../src/core/store/store-error.ts';

export class Life {
  readonly timers: EndableTimers;
  readonly #parent: Life | null;
  #hasEnded = false;

  /** The end of `parent` ends this life, too. */
  constructor(timers: Timers, parent: Life | null = null) {
    this.timers = new EndableTimers(timers);
    this.#parent = parent;
  }

  get isAlive(): boolean {
    return !this.#hasEnded && (this.#parent?.isAlive ?? true);
  }

  /** Throws after the end, so that work that still runs unwinds as if its disk were gone. Nobody hears of the error. */
  use(): void {
    if (!this.isAlive) throw new StoreError('the process has ended');
  }

  end(): void {
    this.#hasEnded = true;
    this.timers.end();
  }
}
