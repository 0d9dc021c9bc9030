// The wait for the first catalog when none is stored: until then no caller gets an empty list. Time and waiting requests are
// bounded. After it a request costs one look at a boolean. Main thread.

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

  /** Resolves when the wait is over, for any reason. Resolves with false at once if too many wait already. */
  async wait(): Promise<boolean> {
    if (!this.#isAwaited) return true;
    if (this.#waiting === limits.firstCatalogWaitingMax) return false;
    this.#waiting += 1;
    await this.#over.promise;
    return true;
  }

  /** The catalog is there, or requests must not wait any longer. */
  end(): void {
    this.#isAwaited = false;
    this.#cancel();
    this.#over.resolve();
  }
}
