// The time of a backtest: the recording's time, on one clock for all threads of the process (ADR 0028). Until the first subscription or
// order, `now` stands at the beginning of the recording, and timers run by the machine's clock. From then on a factor moves both, or the
// stepper does (clock-worker.ts). Any thread.

import { getEnvironmentData, setEnvironmentData, threadId } from 'node:worker_threads';
import type { UnixMillis } from '../domain/numbers.ts';
import { assert } from '../domain/result.ts';
import { monotonicMs } from './clock.ts';

/** The factor of a clock that the stepper moves as soon as nothing is under way. */
export const STEPPED = Number.POSITIVE_INFINITY;

const THREADS_MAX = 64;
/** The places in the array of floats. FACTOR is the speed of the clock. */
const FACTOR = 0;
/** The recorded time at which playing began, in Unix milliseconds, as the present part of the recording implies it. */
const ZERO_AT = 1;
/** The time at which the clock started, by monotonicMs(). */
const STARTED_MS = 2;
/** The milliseconds that the stepper has played. */
const STEPPED_MS = 3;
/** The time at which the recording ended, by monotonicMs(). 0 means that it has not ended. */
const ENDED_MS = 4;
/** The time at which the first timer of each thread is due, by `elapsed()`. */
const DUE = 5;
const FLOATS = DUE + THREADS_MAX;
/** The places in the array of integers. STATE is 1 while the start is written, and 2 once the clock runs. */
const STATE = 0;
const RUNS = 2;
/** The number of times that the stepper has woken each thread. */
const WOKEN = 1;
/** The id of the bot's process. 0 means unknown. */
const BOT = WOKEN + THREADS_MAX;
/** The number of players that have reached the end. */
const FINISHED = BOT + 1;
const INTEGERS = FINISHED + 1;
/** The number of players: the house of the paper exchanges, and the feeds of two venues. */
const PLAYERS = 3;

export class PlayedClock {
  readonly memory: SharedArrayBuffer;
  readonly #floats: Float64Array;
  readonly #integers: Int32Array;
  /** The time of the stepper’s clock at the end of the recording. */
  #endedAt: number | null = null;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#floats = new Float64Array(memory, 0, FLOATS);
    this.#integers = new Int32Array(memory, FLOATS * Float64Array.BYTES_PER_ELEMENT, INTEGERS);
  }

  static stoppedAt(at: number, factor: number): PlayedClock {
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

  /** Starts the clock; does nothing if the clock runs. */
  start(): void {
    if (Atomics.compareExchange(this.#integers, STATE, 0, 1) !== 0) return;
    // Rounded up to a whole number, so that its sums with whole milliseconds are whole, too.
    this.#floats[STARTED_MS] = Math.ceil(monotonicMs());
    Atomics.store(this.#integers, STATE, RUNS);
    Atomics.notify(this.#integers, STATE);
  }

  /** Resolves once the clock runs. */
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

  /** Returns the played milliseconds; 0 while the clock stands. */
  played(): number {
    if (!this.runs) return 0;
    if (this.factor === STEPPED) return this.#floats[STEPPED_MS]!;
    return Math.max(0, monotonicMs() - this.startedMs) * this.factor;
  }

  /** Returns monotonic milliseconds, the same on all threads. */
  elapsed(): number {
    return this.runs ? this.startedMs + this.played() : monotonicMs();
  }

  now(): UnixMillis {
    return Math.floor(this.#floats[ZERO_AT]! + this.played()) as UnixMillis;
  }

  /**
   * States that the event that is played at `playedMs` was recorded at `at`. A later part of a recording thus skips the pause before it.
   */
  place(playedMs: number, at: number): void {
    if (at - playedMs > this.#floats[ZERO_AT]!) this.#floats[ZERO_AT] = at - playedMs;
  }

  /** The id of the bot's process, whose threads count when the stepper looks whether anything is under way. */
  get bot(): number {
    return Atomics.load(this.#integers, BOT);
  }

  set bot(pid: number) {
    Atomics.store(this.#integers, BOT, pid);
  }

  /** States that one player has reached the end of the recording. */
  finish(): void {
    if (Atomics.add(this.#integers, FINISHED, 1) + 1 === PLAYERS) this.#floats[ENDED_MS] = monotonicMs();
    Atomics.notify(this.#integers, FINISHED);
  }

  /** States that nothing is under way. Once the players are at the end, this means that all threads have heard of the last change. */
  rest(): void {
    if (Atomics.compareExchange(this.#integers, FINISHED, PLAYERS, PLAYERS + 1) !== PLAYERS) return;
    Atomics.notify(this.#integers, FINISHED);
  }

  /** Resolves when all players have reached the end of the recording. */
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
   * Moves the clock to the first time at which a thread has something to do, and wakes the first such thread. Returns false if no thread
   * has. Call this only while nothing is under way. After the end of the recording, the clock moves no faster than the machine's, for what
   * bots then still do.
   */
  step(): boolean {
    const dues = this.#floats.subarray(DUE, DUE + THREADS_MAX);
    const first = dues.reduce((least, due) => Math.min(least, due), Number.POSITIVE_INFINITY);
    if (first === Number.POSITIVE_INFINITY || !this.#canReach(first)) return false;
    this.#floats[STEPPED_MS] = Math.max(this.#floats[STEPPED_MS]!, first - this.startedMs);
    const thread = dues.indexOf(first);
    // The woken thread sets its next time itself, unless it has died.
    this.setDue(thread, Number.POSITIVE_INFINITY);
    Atomics.add(this.#integers, WOKEN + thread, 1);
    Atomics.notify(this.#integers, WOKEN + thread);
    return true;
  }

  #canReach(at: number): boolean {
    const endedMs = this.#floats[ENDED_MS]!;
    if (endedMs === 0) return true;
    this.#endedAt ??= this.elapsed();
    return at <= this.#endedAt + monotonicMs() - endedMs;
  }

  /** Calls `run` each time that the stepper wakes this thread. */
  async listenForSteps(thread: number, run: () => void): Promise<void> {
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

/**
 * The timers of this thread by the played clock. Timers that are set before the start begin anew with the clock, so that every run has the
 * same timers.
 */
export class PlayedTimers {
  readonly clock: PlayedClock;
  /** The alarms by their times. Alarms of the same time are in the sequence in which they were set. */
  readonly #alarms: Alarm[] = [];
  #set = 0;
  #disarm: () => void = () => {};
  #isRunning = false;
  #hasBegun = false;

  constructor(clock: PlayedClock) {
    this.clock = clock;
    assert(threadId < THREADS_MAX, 'a backtest starts fewer threads');
    void clock.started().then(() => this.#begin());
    if (clock.factor === STEPPED) void clock.listenForSteps(threadId, () => this.#run());
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
      // This is no timer of the system, because such a timer does not show that the thread is about to work.
      const turn = setImmediate(() => this.#run());
      this.#disarm = () => clearImmediate(turn);
    }
  }

  #wait(leftMs: number): void {
    if (leftMs === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(() => this.#run(), Math.min(Math.max(0, leftMs), LONGEST_MS));
    this.#disarm = () => clearTimeout(timer);
  }

  /** Runs the tasks that are due. A timer that a task sets for now waits for the next turn, as with the wall clock. */
  #run(): void {
    // The clock has started, but this thread has not heard of the start yet.
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

/** The longest time that setTimeout takes. */
const LONGEST_MS = 2 ** 31 - 1;

const KEY = 'crossbook played clock';
const inherited = getEnvironmentData(KEY) as unknown;
/**
 * The timers of this thread in a backtest; null outside a backtest. This is a binding and no function, because every look at a clock reads
 * it.
 */
export let playedTimers: PlayedTimers | null =
  inherited instanceof SharedArrayBuffer ? new PlayedTimers(new PlayedClock(inherited)) : null;

/** Makes `clock` the clock of this process, and of all threads that the process starts from now on. */
export function playBy(clock: PlayedClock): void {
  setEnvironmentData(KEY, clock.memory);
  playedTimers = new PlayedTimers(clock);
}
