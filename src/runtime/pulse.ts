// Signs of life between the main thread and one that lasts: numbers in shared memory, each of which rises as long as an event loop turns.
// Who hangs cannot say so itself. Any thread.

import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { limits } from '../limits.ts';

/** Part of what a lasting thread is started with. */
export interface Pulsed {
  /** Its own. */
  readonly pulse: SharedArrayBuffer;
  readonly mainPulse: SharedArrayBuffer;
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

/**
 * On a thread that waits for no store, as the main thread may: ends the process, by SIGKILL, once the main thread hangs. Nobody is served any
 * more, and whoever starts processes that have ended can help.
 */
export function watchMainThread(everyMs: number = limits.threadPulseMs): void {
  const pulse = new Pulse((workerData as Pulsed).mainPulse);
  let [beats, missed] = [pulse.beats, 0];
  const look = (): void => {
    const latest = pulse.beats;
    missed = latest === beats ? missed + 1 : 0;
    beats = latest;
    if (missed < limits.mainPulsesMissedMax) return;
    // What a thread logs goes through the main thread.
    writeSync(2, `crossbook: the main thread hangs: no sign of life for ${missed} times ${everyMs} ms\n`);
    process.kill(process.pid, 'SIGKILL');
  };
  setInterval(look, everyMs).unref();
}
