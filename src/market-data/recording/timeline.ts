// The events of a recording on the clock by which all threads play them. It stands until the first subscription or order, and pauses in
// which nothing was recorded are short. Threads that replay.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { playedTimers, STEPPED } from '../../core/runtime/played-clock.ts';
import type { BacktestSpan } from '../../core/runtime/start-options.ts';
import { machineTimers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import { eventsIn } from './event-window.ts';
import type { RecordedEvent } from './format.ts';
import type { Recording } from './open-recording.ts';
import type { FileFault } from './recorded-file.ts';

export interface RecordedSource {
  readonly folder: string;
  readonly speed: number;
  readonly loop: boolean;
  /** By default all of it. */
  readonly span?: BacktestSpan;
  /** i32 0 counts subscriptions and orders that wait for a book, of either venue. Once it is above 0, the clock of both runs. */
  readonly gate: SharedArrayBuffer;
}

export interface TimedEvent extends TimedFrame {
  readonly event: RecordedEvent;
  /** When it would be due without a step, for `atMs`. */
  readonly exactMs: number;
  /** The first of its part of the recording: it moves the clock. */
  readonly opensPart: boolean;
}

const WHOLE: BacktestSpan = { from: null, to: null, stepMs: 0 };

/** The time from the start to the first event, at any speed, in which others can subscribe. */
const LEAD_MS = 500;
/** The played length of a pause in which nothing was recorded. */
const PAUSE_MS = 1_000;

/** Both venues' events make the clock, so that it is the same on all threads. */
export function* timeline(
  recording: Recording,
  { speed, span: { from, to, stepMs } = WHOLE }: Pick<RecordedSource, 'speed' | 'span'>,
  onFault: (fault: FileFault) => void,
): Generator<TimedEvent> {
  let zero: number | null = null;
  let exactMs = leadMs(speed);
  let hasBegun = false;
  const events = recording.events(
    onFault,
    () => {
      if (!hasBegun) return;
      zero = null;
      exactMs += PAUSE_MS;
    },
    to,
  );
  for (const event of eventsIn(events, { from, to, has: () => true })) {
    hasBegun = true;
    const opensPart = zero === null;
    zero ??= event.at - exactMs;
    exactMs = Math.max(exactMs, event.at - zero);
    const atMs = stepMs === 0 ? exactMs : Math.ceil(exactMs / stepMs) * stepMs;
    yield { atMs, exactMs, event, opensPart };
  }
}

/** The time just before the first event. Null: nothing was recorded in the span. */
export function startOf(recording: Recording, source: Pick<RecordedSource, 'speed' | 'span'>): UnixMillis | null {
  const from = source.span?.from ?? 0;
  // The books at its end are there at any later time.
  if (recording.files.every(file => file.contents().endedAt <= from)) return null;
  for (const { event } of timeline(recording, source, () => {})) {
    return (event.at - leadMs(source.speed)) as UnixMillis;
  }
  return null;
}

function leadMs(speed: number): number {
  return LEAD_MS * (speed === STEPPED ? 1 : speed);
}

/** A market is subscribed to, or an order waits for its book. */
export function openGate(memory: SharedArrayBuffer): void {
  playedTimers?.clock.start();
  const gate = new Int32Array(memory);
  Atomics.add(gate, 0, 1);
  Atomics.notify(gate, 0);
}

/** Resolves with the first subscription or order. */
export async function gateOpened(memory: SharedArrayBuffer): Promise<void> {
  const gate = new Int32Array(memory);
  for (;;) {
    const count = Atomics.load(gate, 0);
    if (count > 0) return;
    await Atomics.waitAsync(gate, 0, count).value;
  }
}

/** The clock of a backtest shows when the event was recorded. */
export function placeClock({ exactMs, event }: TimedEvent): void {
  playedTimers?.clock.place(exactMs, event.at);
}

export interface TimedFrame {
  /** Milliseconds since the start of the session; never decreases. */
  readonly atMs: number;
}

interface PlayerOptions<Frame extends TimedFrame> {
  /** Frames from the start; called again for each round of a loop. */
  readonly open: () => Iterator<Frame>;
  readonly deliver: (frame: Frame) => void;
  /**
   * With a stepped clock: whether somebody waits for the frame. Others come with the next one, or `catchUp`. By default all are waited for.
   * `afterOthers`: the player was caught up, so that what others do now is not seen yet.
   */
  readonly isAwaited?: (frame: Frame, afterOthers: boolean) => boolean;
  /** Whether a listener is too far behind for more frames. */
  readonly isCongested: () => boolean;
  readonly speed: number;
  /** Runs before each further round; null plays one round. */
  readonly rewind: (() => void) | null;
}

export class Player<Frame extends TimedFrame> {
  /** Resolves after the first round. */
  readonly finished: Promise<void>;
  readonly #options: PlayerOptions<Frame>;
  #finish: () => void = () => {};
  #frames: Iterator<Frame> | null = null;
  /** Frames that were read ahead, in search of a frame that somebody waits for. */
  #ahead: Frame[] = [];
  #startedAtMs = 0;
  #cancel: () => void = () => {};
  #isStopped = false;
  /** This round is. */
  #isOver = false;

  constructor(options: PlayerOptions<Frame>) {
    this.#options = options;
    this.finished = new Promise(resolve => {
      this.#finish = resolve;
    });
  }

  /** Starts the clock; no-op if it runs. */
  start(): void {
    if (this.#frames !== null || this.#isStopped) return;
    this.#begin();
  }

  /** Delivers what is due, and asks again what is waited for. */
  catchUp(): void {
    if (this.#frames === null || this.#isOver) return;
    this.#cancel();
    this.#turn(true);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #begin(): void {
    this.#frames = this.#options.open();
    this.#isOver = false;
    this.#startedAtMs = performance.now();
    this.#turn(true);
  }

  #turn(afterOthers: boolean): void {
    if (this.#isStopped) return;
    const { deliver, isCongested, speed } = this.#options;
    const played = playedTimers?.clock.played();
    const playedMs = played ?? (performance.now() - this.#startedAtMs) * speed;
    const framesMax = playedTimers === null ? limits.replayFramesPerTurnMax : Number.POSITIVE_INFINITY;
    let done = 0;
    for (; done < framesMax; done += 1) {
      const frame = this.#at(done);
      if (frame === null || frame.atMs > playedMs || isCongested()) break;
      deliver(frame);
    }
    this.#ahead.splice(0, done);
    const next = this.#awaited(afterOthers);
    if (next === null) this.#ended();
    else this.#wait(Math.max(0, next.atMs - playedMs), () => this.#turn(false));
  }

  /** The frame to wait for. */
  #awaited(afterOthers: boolean): Frame | null {
    const { isAwaited } = this.#options;
    if (isAwaited === undefined || playedTimers?.clock.factor !== STEPPED) return this.#at(0);
    for (let index = 0; index < limits.backtestFramesAheadMax; index += 1) {
      const frame = this.#at(index);
      if (frame === null) break;
      if (isAwaited(frame, afterOthers)) return frame;
    }
    return this.#ahead.at(-1) ?? null;
  }

  #ended(): void {
    this.#isOver = true;
    this.#finish();
    playedTimers?.clock.finish();
    const { rewind } = this.#options;
    if (rewind === null) return;
    this.#wait(limits.replayLoopPauseMs, () => {
      rewind();
      this.#begin();
    });
  }

  #at(index: number): Frame | null {
    while (this.#ahead.length <= index) {
      const read = this.#frames!.next();
      if (read.done === true) return null;
      this.#ahead.push(read.value);
    }
    return this.#ahead[index]!;
  }

  /** `playedMs`: in the time of the recording. */
  #wait(playedMs: number, task: () => void): void {
    if (this.#isStopped) return;
    const timers = playedTimers;
    // A timer of 0 ms fires after 1 ms and gives the sockets a turn; 2^31 − 1 is the longest timer.
    const delayMs = Math.min(timers === null ? playedMs / this.#options.speed : playedMs, 2 ** 31 - 1);
    this.#cancel = (timers ?? machineTimers).after(delayMs, task);
  }
}
