// The dead man's switches that the engine has reported, and which are due while it does not answer. Main thread.

import type { SwitchSetting } from '../engine/engine-messages.ts';
import { limits } from '../limits.ts';
import type { Timers } from '../runtime/timers.ts';
import type { CancelAfter } from '../store/order-records.ts';

interface Armed extends CancelAfter {
  /** The deadline by `elapsed()`: setting the clock back changes nothing. */
  readonly dueAt: number;
}

export class GuardSwitches {
  readonly #timers: Timers;
  /** By signing key. */
  readonly #armed = new Map<string, Armed>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  know({ deadline, ...owner }: SwitchSetting): void {
    if (deadline === null) this.#armed.delete(owner.keyId);
    else {
      const dueAt = this.#timers.elapsed() + (deadline - this.#timers.now());
      this.#armed.set(owner.keyId, { ...owner, deadline, dueAt });
    }
  }

  /** The engine has just stopped answering: switches that it had time to fire are not fired again. */
  forgetFired(): void {
    const firedBy = this.#timers.elapsed() - limits.guardSwitchLateMs;
    for (const { keyId, dueAt } of this.#armed.values()) if (dueAt < firedBy) this.#armed.delete(keyId);
  }

  due(): readonly CancelAfter[] {
    return [...this.#armed.values()].filter(({ dueAt }) => dueAt <= this.#timers.elapsed());
  }
}
