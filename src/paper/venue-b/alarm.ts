// A timer for a time of the venue's clock, however distant. Timers may fire early; it then checks the clock again. Thread of
// the paper exchanges.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';

export class Alarm {
  readonly #timers: Timers;
  readonly #ring: () => void;
  #at: UnixMillis | null = null;
  #stop: (() => void) | null = null;

  constructor(timers: Timers, ring: () => void) {
    this.#timers = timers;
    this.#ring = ring;
  }

  /** The time it is set to; null if it is not set. */
  get at(): UnixMillis | null {
    return this.#at;
  }

  /** Replaces an earlier time; null stops it. */
  set(at: UnixMillis | null): void {
    this.#stop?.();
    this.#stop = null;
    this.#at = at;
    if (at !== null) this.#wait(at);
  }

  #wait(at: UnixMillis): void {
    const delayMs = Math.min(Math.max(at - this.#timers.now(), 0), limits.paperAlarmMs);
    this.#stop = this.#timers.after(delayMs, () => {
      if (this.#timers.now() < at) return this.#wait(at);
      this.#at = null;
      this.#stop = null;
      this.#ring();
    });
  }
}
