// Heartbeats between the main thread and the other threads: numbers in shared memory, each of which rises while an event loop turns. A hung
// thread cannot report itself. Any thread.

import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { limits } from '../../limits.ts';
import { assert } from '../domain/result.ts';

/** The start data of a thread with a heartbeat. */
export interface Pulsed {
  readonly pulse: SharedArrayBuffer;
}

/** The start data of a thread that also watches the main thread. */
export interface MutuallyPulsed extends Pulsed {
  readonly mainPulse: SharedArrayBuffer;
}

export class Pulse {
  readonly memory: SharedArrayBuffer;
  readonly #beats: Int32Array;

  /** `place` is the index in the memory. */
  constructor(memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT), place = 0) {
    this.memory = memory;
    this.#beats = new Int32Array(memory, place * Int32Array.BYTES_PER_ELEMENT, 1);
  }

  /** The number of heartbeats: 0 until the first heartbeat. The number wraps around. */
  get beats(): number {
    return Atomics.load(this.#beats, 0);
  }

  beat(): void {
    Atomics.add(this.#beats, 0, 1);
  }
}

/**
 * The news of a heartbeat, each reported once. `silent`: the thread missed several heartbeats. `back`: the thread beats again. `gone`: the
 * thread missed very many.
 */
export type PulseNews = 'silent' | 'back' | 'gone';

/** The words that follow the thread's name in log lines. */
export const PULSE_WORDS: Readonly<Record<PulseNews, string>> = {
  silent: 'does not answer',
  back: 'answers again',
  gone: 'hangs',
};

/** Watches one heartbeat. Call `look` once per interval. */
export class PulseWatch {
  readonly #silentAfter: number;
  #beats = 0;
  #missed = 0;

  /** `silentAfter` is a number of looks. */
  constructor(silentAfter: number = limits.threadPulsesMissedMax) {
    this.#silentAfter = silentAfter;
  }

  /**
   * Returns null if there is no news. A thread that has not begun has missed nothing: a machine may be slow to start it. A thread that
   * `isBusy` has missed nothing either. `isBusy` is called only after a missed heartbeat.
   */
  look(beats: number, isBusy: () => boolean = () => false): PulseNews | null {
    const missedBefore = this.#missed;
    this.#missed = beats === this.#beats && beats !== 0 && !isBusy() ? missedBefore + 1 : 0;
    this.#beats = beats;
    if (this.#missed === 0) return missedBefore >= this.#silentAfter ? 'back' : null;
    if (this.#missed === limits.vitalPulsesMissedMax) return 'gone';
    return this.#missed === this.#silentAfter ? 'silent' : null;
  }
}

/** Keeps the heartbeat of a thread going. Call this on the thread itself, once the thread can receive messages. */
export function keepPulse(
  everyMs: number = limits.threadPulseMs,
  pulse = new Pulse((workerData as Pulsed).pulse),
): void {
  pulse.beat();
  setInterval(() => pulse.beat(), everyMs).unref();
}

/**
 * Ends the process by SIGKILL once the main thread hangs, so that a supervisor can restart the process. This is for a thread that waits for
 * no store, because the main thread may wait for one.
 */
export function watchMainThread(everyMs: number = limits.threadPulseMs): void {
  const pulse = new Pulse((workerData as MutuallyPulsed).mainPulse);
  const watch = new PulseWatch();
  const look = (): void => {
    if (watch.look(pulse.beats) !== 'gone') return;
    const span = `${limits.vitalPulsesMissedMax} times ${everyMs} ms`;
    // The log cannot be used: a thread's log goes through the main thread.
    writeSync(2, `crossbook: the main thread hangs: no sign of life for ${span}\n`);
    process.kill(process.pid, 'SIGKILL');
  };
  setInterval(look, everyMs).unref();
}

// The heartbeats of threads that all start with the same data: each thread takes a place by its id.

/** The number of places for each thread. The place of a dead thread is free only after the next look. */
const PLACES_PER_THREAD = 4;
const FREE = 0;

export class PulseBoard {
  readonly memory: SharedArrayBuffer;
  /** The thread id of each place. The heartbeats follow in the memory. */
  readonly #owners: Int32Array;
  /** The watches, by place. */
  readonly #watches = new Map<number, PulseWatch>();

  static for(threads: number): PulseBoard {
    return new PulseBoard(new SharedArrayBuffer(2 * PLACES_PER_THREAD * threads * Int32Array.BYTES_PER_ELEMENT));
  }

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#owners = new Int32Array(memory, 0, memory.byteLength / Int32Array.BYTES_PER_ELEMENT / 2);
  }

  /** Takes a place for a thread. Call this once, on the thread itself. */
  take(threadId: number): Pulse {
    const place = this.#owners.findIndex((_, at) => Atomics.compareExchange(this.#owners, at, FREE, threadId) === FREE);
    assert(place >= 0, 'a thread that starts has a place for its pulse');
    return this.#pulseAt(place);
  }

  /** Returns the news of the threads in `threadIds`, for the owner of these threads. */
  look(threadIds: readonly number[]): PulseNews[] {
    return [...this.#owners.keys()].flatMap(place => this.#lookAt(place, threadIds) ?? []);
  }

  #lookAt(place: number, threadIds: readonly number[]): PulseNews | null {
    const owner = Atomics.load(this.#owners, place);
    if (owner === FREE) return null;
    if (!threadIds.includes(owner)) {
      this.#watches.delete(place);
      Atomics.store(this.#owners, place, FREE);
      return null;
    }
    const watch = this.#watches.get(place) ?? new PulseWatch();
    this.#watches.set(place, watch);
    return watch.look(this.#pulseAt(place).beats);
  }

  #pulseAt(place: number): Pulse {
    return new Pulse(this.memory, this.#owners.length + place);
  }
}
