// The wait for the first catalog, of a gateway that has stored none: as long as it is being read nobody is told that there are no
// markets. So long and for so many requests at most; once it is over it costs a look at a boolean. Main thread.

import { limits } from '../limits.ts';
import type { Timers } from '../runtime/timers.ts';

export class FirstCatalog {
  readonly #over = Promise.withResolvers<void>();
  readonly #cancel: () => void;
  #isAwaited = true;
  #waiting = 0;

  constructor(timers: Timers, patienceMs: number) {
    this.#cancel = timers.after(patienceMs, () => this.end());
  }

  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** Resolves when the wait is over, for whatever reason; at once with false where too many wait already. */
  async wait(): Promise<boolean> {
    if (!this.#isAwaited) return true;
    if (this.#waiting === limits.firstCatalogWaitingMax) return false;
    this.#waiting += 1;
    await this.#over.promise;
    return true;
  }

  /** It is there, or whoever waits must not wait any longer. */
  end(): void {
    this.#isAwaited = false;
    this.#cancel();
    this.#over.resolve();
  }
}
