// Time as a thread reads it while the thread waits for a processor: time passes between two readings of a clock.

import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import type { Timers } from '../../src/core/runtime/timers.ts';

export class WaitingTimers implements Timers {
  /** The time that both clocks show. */
  at = 1_780_000_000_000;
  /** The time that passes before each reading. */
  waitMs = 0;

  now(): UnixMillis {
    return this.#read() as UnixMillis;
  }

  elapsed(): number {
    return this.#read();
  }

  after(): () => void {
    return () => {};
  }

  #read(): number {
    this.at += this.waitMs;
    return this.at;
  }
}
