// One life of a process, or of a thread of it: nothing of it happens after its end, which may come at any call.

import { EndableTimers, type Timers } from '../../src/core/runtime/timers.ts';
import { StoreError } from '../../src/core/store/store-error.ts';

export class Life {
  readonly timers: EndableTimers;
  readonly #parent: Life | null;
  #hasEnded = false;

  /** `parent`: ends this one with its own. */
  constructor(timers: Timers, parent: Life | null = null) {
    this.timers = new EndableTimers(timers);
    this.#parent = parent;
  }

  get isAlive(): boolean {
    return !this.#hasEnded && (this.#parent?.isAlive ?? true);
  }

  /** Work that still runs in it unwinds as if its disk were gone: nobody hears of that. */
  use(): void {
    if (!this.isAlive) throw new StoreError('the process has ended');
  }

  end(): void {
    this.#hasEnded = true;
    this.timers.end();
  }
}
