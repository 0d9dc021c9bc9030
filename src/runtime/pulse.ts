// Signs of life between the main thread and the others: numbers in shared memory, each of which rises as long as an event loop turns.
// Who hangs cannot say so itself. Any thread.

import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { limits } from '../limits.ts';

/** Part of what a thread is started with that keeps a pulse of its own. */
export interface Pulsed {
  readonly pulse: SharedArrayBuffer;
}

/** And of one that may watch the main thread's. */
export interface MutuallyPulsed extends Pulsed {
  readonly mainPulse: SharedArrayBuffer;
}

export class Pulse {
  readonly memory: SharedArrayBuffer;
  readonly #beats: Int32Array;

  /** `place`: which number of the memory it is. */
  constructor(memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT), place = 0) {
    this.memory = memory;
    this.#beats = new Int32Array(memory, place * Int32Array.BYTES_PER_ELEMENT, 1);
  }

  /** 0 until it lives; wraps around. */
  get beats(): number {
    return Atomics.load(this.#beats, 0);
  }

  beat(): void {
    Atomics.add(this.#beats, 0, 1);
  }
}

/** It has not beaten for so many looks, it does again, it has not for very many: each told once. */
export type PulseNews = 'silent' | 'back' | 'gone';

/** In log lines, after the thread's name. */
export const PULSE_WORDS: Readonly<Record<PulseNews, string>> = {
  silent: 'does not answer',
  back: 'answers again',
  gone: 'hangs',
};

/** Looks at one pulse, once in the time in which it should beat. */
export class PulseWatch {
  readonly #silentAfter: number;
  readonly #goneAfter: number;
  #beats = 0;
  #missed = 0;

  /** In looks. */
  constructor(silentAfter: number = limits.threadPulsesMissedMax, goneAfter: number = limits.vitalPulsesMissedMax) {
    this.#silentAfter = silentAfter;
    this.#goneAfter = goneAfter;
  }

  /**
   * Null: nothing new. A thread that has yet to begin has missed nothing: a machine may be slow to start it. Nor has one that `isBusy`,
   * which is asked of a thread that has not beaten.
   */
  look(beats: number, isBusy: () => boolean = () => false): PulseNews | null {
    const missedBefore = this.#missed;
    this.#missed = beats === this.#beats && beats !== 0 && !isBusy() ? missedBefore + 1 : 0;
    this.#beats = beats;
    if (this.#missed === 0) return missedBefore >= this.#silentAfter ? 'back' : null;
    if (this.#missed === this.#goneAfter) return 'gone';
    return this.#missed === this.#silentAfter ? 'silent' : null;
  }
}

/** On the thread itself, once it can be talked to. */
export function keepPulse(
  everyMs: number = limits.threadPulseMs,
  pulse = new Pulse((workerData as Pulsed).pulse),
): void {
  pulse.beat();
  setInterval(() => pulse.beat(), everyMs).unref();
}

/**
 * On a thread that waits for no store, as the main thread may: ends the process, by SIGKILL, once the main thread hangs. Nobody is served any
 * more, and whoever starts processes that have ended can help.
 */
export function watchMainThread(everyMs: number = limits.threadPulseMs): void {
  const pulse = new Pulse((workerData as MutuallyPulsed).mainPulse);
  const watch = new PulseWatch();
  const look = (): void => {
    if (watch.look(pulse.beats) !== 'gone') return;
    const span = `${limits.vitalPulsesMissedMax} times ${everyMs} ms`;
    // What a thread logs goes through the main thread.
    writeSync(2, `crossbook: the main thread hangs: no sign of life for ${span}\n`);
    process.kill(process.pid, 'SIGKILL');
  };
  setInterval(look, everyMs).unref();
}
