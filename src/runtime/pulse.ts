// A thread's sign of life: a number in shared memory that rises as long as its event loop turns, so that whoever started it learns that it
// hangs. Any thread.

import { workerData } from 'node:worker_threads';
import { limits } from '../limits.ts';

/** Part of what a thread with a pulse is started with. */
export interface Pulsed {
  readonly pulse: SharedArrayBuffer;
}

export class Pulse {
  readonly memory: SharedArrayBuffer;
  readonly #beats: Int32Array;

  constructor(memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#beats = new Int32Array(memory);
  }

  /** 0 until it lives; wraps around. */
  get beats(): number {
    return Atomics.load(this.#beats, 0);
  }

  beat(): void {
    Atomics.add(this.#beats, 0, 1);
  }
}

/** On the thread itself, once it can be talked to. */
export function keepPulse(everyMs: number = limits.threadPulseMs): void {
  const pulse = new Pulse((workerData as Pulsed).pulse);
  pulse.beat();
  setInterval(() => pulse.beat(), everyMs).unref();
}
