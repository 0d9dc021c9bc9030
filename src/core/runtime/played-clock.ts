// The time of a backtest: the recording's, on one clock for all threads of the process (ADR 0028). Until the first subscription or order
// `now` stands at the beginning of the recording, and timers run as on the wall. From then on a factor moves both, or the stepper
// (clock-worker.ts). Any thread.

import { getEnvironmentData, setEnvironmentData, threadId } from 'node:worker_threads';
import type { UnixMillis } from '../domain/numbers.ts';
import { assert } from '../domain/result.ts';
import { monotonicMs } from './clock.ts';

/** The clock moves as soon as nothing is under way any more. */
export const STEPPED = Number.POSITIVE_INFINITY;

const THREADS_MAX = 64;
/** Places among the floats. */
const FACTOR = 0;
/** The recorded time at which the playing began, in Unix milliseconds, by the present part of the recording. */
const ZERO_AT = 1;
/** By monotonicMs(). */
const STARTED_MS = 2;
/** Milliseconds that the stepper has played. */
const STEPPED_MS = 3;
/** When the recording ended, by monotonicMs(); 0: not yet. */
const ENDED_MS = 4;
/** When the first timer of each thread is due, by `elapsed()`. */
const DUE = 5;
const FLOATS = DUE + THREADS_MAX;
/** Places among the integers: 1 while the start is written, 2 once the clock runs. */
const STATE = 0;
const RUNS = 2;
/** How often the stepper has woken each thread. */
const WOKEN = 1;
/** The process of the bot; 0: unknown. */
const BOT = WOKEN + THREADS_MAX;
/** The players that have reached the end. */
const FINISHED = BOT + 1;
const INTEGERS = FINISHED + 1;
/** The house of the paper exchanges, and a feed for each of two venues. */
const PLAYERS = 3;

export class PlayedClock {
  readonly memory: SharedArrayBuffer;
  readonly #floats: Float64Array;
  readonly #integers: Int32Array;
  /** The stepper’s clock at the end of the recording. */
  #endedAt: number | null = null;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#floats = new Float64Array(memory, 0, FLOATS);
    this.#integers = new Int32Array(memory, FLOATS * Float64Array.BYTES_PER_ELEMENT, INTEGERS);
  }

  static standingAt(at: number, factor: number): PlayedClock {
    const bytes = FLOATS * Float64Array.BYTES_PER_ELEMENT + INTEGERS * Int32Array.BYTES_PER_ELEMENT;
    const clock = new PlayedClock(new SharedArrayBuffer(bytes));
    clock.#floats[FACTOR] = factor;
    clock.#floats[ZERO_AT] = at;
    clock.#floats.fill(Number.POSITIVE_INFINITY, DUE);
    return clock;
  }

  get factor(): number {
    return this.#floats[FACTOR]!;
  }

  get runs(): boolean {
    return Atomics.load(this.#integers, STATE) === RUNS;
  }

  /** No-op if it runs. */
  start(): void {
    if (Atomics.compareExchange(this.#integers, STATE, 0, 1) !== 0) return;
    // Whole, so that sums of whole milliseconds are.
    this.#floats[STARTED_MS] = Math.ceil(monotonicMs());
    Atomics.store(this.#integers, STATE, RUNS);
    Atomics.notify(this.#integers, STATE);
  }

  /** Resolves once it runs. */
  async started(): Promise<void> {
    for (let state = 0; state !== RUNS; state = Atomics.load(this.#integers, STATE)) {
      await Atomics.waitAsync(this.#integers, STATE, state).value;
    }
  }

  /** Blocks the thread until the clock runs. */
  waitForStart(): void {
    while (!this.runs) Atomics.wait(this.#integers, STATE, Atomics.load(this.#integers, STATE));
  }

  get startedMs(): number {
    return this.#floats[STARTED_MS]!;
  }

  /** Played milliseconds; 0 while it stands. */
  played(): number {
    if (!this.runs) return 0;
    if (this.factor === STEPPED) return this.#floats[STEPPED_MS]!;
    return Math.max(0, monotonicMs() - this.startedMs) * this.factor;
  }

  /** Monotonic milliseconds, the same on all threads. */
  elapsed(): number {
    return this.runs ? this.startedMs + this.played() : monotonicMs();
  }

  now(): UnixMillis {
    return Math.floor(this.#floats[ZERO_AT]! + this.played()) as UnixMillis;
  }

  /** The event that is played at `playedMs` was recorded at `at`: a later part of a recording skips the pause before it. */
  place(playedMs: number, at: number): void {
    if (at - playedMs > this.#floats[ZERO_AT]!) this.#floats[ZERO_AT] = at - playedMs;
  }

  /** The process whose threads belong to what is under way. */
  get bot(): number {
    return Atomics.load(this.#integers, BOT);
  }

  set bot(pid: number) {
    Atomics.store(this.#integers, BOT, pid);
  }

  /** A player has reached the end of the recording. */
  finish(): void {
    if (Atomics.add(this.#integers, FINISHED, 1) + 1 === PLAYERS) this.#floats[ENDED_MS] = monotonicMs();
    Atomics.notify(this.#integers, FINISHED);
  }

  /** Nothing is under way. So all have heard of the last change, once the players are at the end. */
  rest(): void {
    if (Atomics.compareExchange(this.#integers, FINISHED, PLAYERS, PLAYERS + 1) !== PLAYERS) return;
    Atomics.notify(this.#integers, FINISHED);
  }

  /** Resolves at the end of the recording. */
  async ended(): Promise<void> {
    const all = this.factor === STEPPED ? PLAYERS + 1 : PLAYERS;
    for (let count = 0; count < all; count = Atomics.load(this.#integers, FINISHED)) {
      await Atomics.waitAsync(this.#integers, FINISHED, count).value;
    }
  }

  setDue(thread: number, at: number): void {
    this.#floats[DUE + thread] = at;
  }

  /**
   * Moves to the first time at which a thread has something to do, and wakes the first such thread; false if there is none. Nothing may be under
   * way. Behind the end of the recording the clock goes as the machine's, for what bots then still do.
   */
  step(): boolean {
    const dues = this.#floats.subarray(DUE, DUE + THREADS_MAX);
    const first = dues.reduce((least, due) => Math.min(least, due), Number.POSITIVE_INFINITY);
    if (first === Number.POSITIVE_INFINITY || !this.#mayReach(first)) return false;
    this.#floats[STEPPED_MS] = Math.max(this.#floats[STEPPED_MS]!, first - this.startedMs);
    const thread = dues.indexOf(first);
    // The thread says anew when it has something to do, unless it has died.
    this.setDue(thread, Number.POSITIVE_INFINITY);
    Atomics.add(this.#integers, WOKEN + thread, 1);
    Atomics.notify(this.#integers, WOKEN + thread);
    return true;
  }

  #mayReach(at: number): boolean {
    const endedMs = this.#floats[ENDED_MS]!;
    if (endedMs === 0) return true;
    this.#endedAt ??= this.elapsed();
    return at <= this.#endedAt + monotonicMs() - endedMs;
  }

  /** Calls `run` each time that the stepper wakes this thread. */
  async hearSteps(thread: number, run: () => void): Promise<void> {
    for (let heard = 0; ; ) {
      await Atomics.waitAsync(this.#integers, WOKEN + thread, heard).value;
      const woken = Atomics.load(this.#integers, WOKEN + thread);
      if (woken === heard) continue;
      heard = woken;
      run();
    }
  }
}

interface Alarm {
  readonly number: number;
  dueAt: number;
  readonly delayMs: number;
  readonly task: () => void;
}

/** This thread's timers by the clock. Those that are set before the start begin anew with it, so that every run has the same. */
export class PlayedTimers {
  readonly clock: PlayedClock;
  /** By their times; alarms of the same time in the sequence in which they were set. */
  readonly #alarms: Alarm[] = [];
  #set = 0;
  #disarm: () => void = () => {};
  #isRunning = false;
  #hasBegun = false;

  constructor(clock: PlayedClock) {
    this.clock = clock;
    assert(threadId < THREADS_MAX, 'a backtest starts fewer threads');
    void clock.started().then(() => this.#begin());
    if (clock.factor === STEPPED) void clock.hearSteps(threadId, () => this.#run());
  }

  now(): UnixMillis {
    return this.clock.now();
  }

  elapsed(): number {
    return this.clock.elapsed();
  }

  after(delayMs: number, task: () => void): () => void {
    this.#set += 1;
    const alarm = { number: this.#set, dueAt: this.elapsed() + Math.max(0, delayMs), delayMs, task };
    this.#insert(alarm);
    if (this.#alarms[0] === alarm) this.#arm();
    return () => {
      const index = this.#alarms.indexOf(alarm);
      if (index < 0) return;
      this.#alarms.splice(index, 1);
      if (index === 0) this.#arm();
    };
  }

  #insert(alarm: Alarm): void {
    let [low, high] = [0, this.#alarms.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#alarms[middle]!.dueAt <= alarm.dueAt) low = middle + 1;
      else high = middle;
    }
    this.#alarms.splice(low, 0, alarm);
  }

  #begin(): void {
    this.#hasBegun = true;
    for (const alarm of this.#alarms.splice(0)) {
      alarm.dueAt = this.clock.startedMs + alarm.delayMs;
      this.#insert(alarm);
    }
    this.#arm();
  }

  #arm(): void {
    this.#disarm();
    if (this.#isRunning) return;
    const dueAt = this.#alarms[0]?.dueAt ?? Number.POSITIVE_INFINITY;
    const { runs, factor } = this.clock;
    const leftMs = (dueAt - this.elapsed()) / (runs && factor !== STEPPED ? factor : 1);
    if (!runs || factor !== STEPPED) this.#wait(leftMs);
    else if (leftMs > 0) this.clock.setDue(threadId, dueAt);
    else {
      // Not a timer of the system: nobody could see that the thread is about to work.
      const turn = setImmediate(() => this.#run());
      this.#disarm = () => clearImmediate(turn);
    }
  }

  #wait(leftMs: number): void {
    if (leftMs === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(() => this.#run(), Math.min(Math.max(0, leftMs), LONGEST_MS));
    this.#disarm = () => clearTimeout(timer);
  }

  /** A timer that a task sets for now waits for the next turn, as with the wall clock. */
  #run(): void {
    // The clock has started, and this thread has not heard of it yet.
    if (this.clock.runs && !this.#hasBegun) return;
    const [now, last] = [this.elapsed(), this.#set];
    this.#isRunning = true;
    try {
      for (let first = this.#alarms[0]; first !== undefined; first = this.#alarms[0]) {
        if (first.dueAt > now || first.number > last) break;
        this.#alarms.shift();
        first.task();
      }
    } finally {
      this.#isRunning = false;
      this.#arm();
    }
  }
}

/** The longest time of setTimeout. */
const LONGEST_MS = 2 ** 31 - 1;

const KEY = 'crossbook played clock';
const inherited = getEnvironmentData(KEY) as unknown;
/** Null outside a backtest. A binding, not a function: every look at a clock reads it. */
export let playedTimers: PlayedTimers | null =
  inherited instanceof SharedArrayBuffer ? new PlayedTimers(new PlayedClock(inherited)) : null;

/** The clock of this process and all threads that it starts from now on. */
export function playBy(clock: PlayedClock): void {
  setEnvironmentData(KEY, clock.memory);
  playedTimers = new PlayedTimers(clock);
}
