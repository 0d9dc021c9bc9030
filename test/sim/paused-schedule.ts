// The virtual time of one process that may be stopped at any happening (SIGSTOP). Tasks that fall due while it is stopped run in order
// after it goes on.

import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { Schedule } from './schedule.ts';

export class PausedSchedule extends Schedule {
  readonly #base: Schedule;
  /** The tasks that fell due while the process was stopped, or that wait behind such tasks. */
  #late: (() => void)[] = [];
  #isStopped = false;
  #happenings = 0;
  #stopsAt: { readonly happening: number; readonly stopped: () => void } | null = null;

  constructor(base: Schedule) {
    super(base.random);
    this.#base = base;
  }

  override now(): UnixMillis {
    return this.#base.now();
  }

  override elapsed(): number {
    return this.#base.elapsed();
  }

  override after(delayMs: number, task: () => void): () => void {
    let isCancelled = false;
    const run = (): void => {
      if (!isCancelled) task();
    };
    const cancel = this.#base.after(delayMs, () => this.#happen(run));
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  override giveTurn(): void {
    this.#base.giveTurn();
  }

  /** Stops the process before the happening with this number, counted from now. */
  stopAt(happening: number, stopped: () => void): void {
    this.#stopsAt = { happening: this.#happenings + happening, stopped };
  }

  stop(): void {
    this.#isStopped = true;
  }

  goOn(): void {
    this.#isStopped = false;
    this.#next();
  }

  #happen(run: () => void): void {
    this.#happenings += 1;
    if (this.#stopsAt !== null && this.#happenings >= this.#stopsAt.happening) {
      const { stopped } = this.#stopsAt;
      this.#stopsAt = null;
      this.stop();
      stopped();
    }
    if (this.#isStopped || this.#late.length > 0) this.#late.push(run);
    else run();
  }

  #next(): void {
    if (this.#isStopped) return;
    this.#late.shift()?.();
    if (this.#late.length > 0) this.#base.after(0, () => this.#next());
  }
}
