// Puts the events of a recording on the clock by which all threads play them. The clock stands still until the first subscription or order.
// Pauses in which nothing was recorded are shortened. Threads that replay.

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
  /** The part of the recording to play. The default is the whole recording. */
  readonly span?: BacktestSpan;
  /**
   * `i32` 0 counts subscriptions, and orders that wait for a book, of both venues. Once the count is above 0, the clock runs for both
   * venues.
   */
  readonly gate: SharedArrayBuffer;
}

export interface TimedEvent extends TimedFrame {
  readonly event: RecordedEvent;
  /** The time, on the scale of `atMs`, at which the event would be due if the clock had no steps. */
  readonly exactMs: number;
  /** Whether the event begins a part of the recording: it is the first event, or the first after a break. Such an event moves the clock. */
  readonly opensPart: boolean;
}

const WHOLE: BacktestSpan = { from: null, to: null, stepMs: 0 };

/** The time from the start to the first event, at any speed. Other clients can subscribe in this time. */
const LEAD_MS = 500;
/** The length at which a pause without recorded events is played. */
const PAUSE_MS = 1_000;

/**
 * Returns the events of both venues with the times at which they are due. All threads read both venues' events, so that all have the same
 * clock.
 */
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

/** Returns the time just before the first event, or null if nothing was recorded in the span. */
export function startOf(recording: Recording, source: Pick<RecordedSource, 'speed' | 'span'>): UnixMillis | null {
  const from = source.span?.from ?? 0;
  // If the recording ends before the span, its last books would still come as events of the span.
  if (recording.files.every(file => file.contents().endedAt <= from)) return null;
  for (const { event } of timeline(recording, source, () => {})) {
    return (event.at - leadMs(source.speed)) as UnixMillis;
  }
  return null;
}

function leadMs(speed: number): number {
  return LEAD_MS * (speed === STEPPED ? 1 : speed);
}

/** Lets the clock run, because a market is subscribed to, or an order waits for its book. */
export function openGate(memory: SharedArrayBuffer): void {
  playedTimers?.clock.start();
  const gate = new Int32Array(memory);
  Atomics.add(gate, 0, 1);
  Atomics.notify(gate, 0);
}

/** Resolves at the first subscription or order. */
export async function whenGateOpens(memory: SharedArrayBuffer): Promise<void> {
  const gate = new Int32Array(memory);
  for (;;) {
    const count = Atomics.load(gate, 0);
    if (count > 0) return;
    await Atomics.waitAsync(gate, 0, count).value;
  }
}

/** Sets the clock of a backtest to the time at which the event was recorded. */
export function setClock({ exactMs, event }: TimedEvent): void {
  playedTimers?.clock.place(exactMs, event.at);
}

export interface TimedFrame {
  /** The time at which the frame is due, in milliseconds since the start of the session. It never decreases. */
  readonly atMs: number;
}

interface PlayerOptions<Frame extends TimedFrame> {
  /** Returns all frames from the start. It is called again for each round of a loop. */
  readonly open: () => Iterator<Frame>;
  readonly deliver: (frame: Frame) => void;
  /**
   * Whether somebody waits for the frame; used only with a stepped clock. A frame that nobody waits for is delivered with the next awaited
   * frame, or at `catchUp`. By default every frame is awaited. `afterOthers` means that the player was just caught up for somebody's
   * action, which this function cannot see yet.
   */
  readonly isAwaited?: (frame: Frame, afterOthers: boolean) => boolean;
  /** Whether a listener is too far behind for more frames. */
  readonly isCongested: () => boolean;
  readonly speed: number;
  /** Called before each further round. Null means that only one round is played. */
  readonly rewind: (() => void) | null;
}

export class Player<Frame extends TimedFrame> {
  /** Resolves when the first round has been played. */
  readonly finished: Promise<void>;
  readonly #options: PlayerOptions<Frame>;
  #finish: () => void = () => {};
  #frames: Iterator<Frame> | null = null;
  /** Frames that were read ahead, in search of the next awaited frame. */
  #ahead: Frame[] = [];
  #startedAtMs = 0;
  #cancel: () => void = () => {};
  #isStopped = false;
  /** Whether the present round is over. */
  #isOver = false;

  constructor(options: PlayerOptions<Frame>) {
    this.#options = options;
    this.finished = new Promise(resolve => {
      this.#finish = resolve;
    });
  }

  /** Starts the clock. Does nothing if the clock runs already. */
  start(): void {
    if (this.#frames !== null || this.#isStopped) return;
    this.#begin();
  }

  /** Delivers the frames that are due, and determines the next awaited frame anew. */
  catchUp(): void {
    if (this.#frames === null || this.#isOver) return;
    this.#cancel();
    this.#deliverDue(true);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #begin(): void {
    this.#frames = this.#options.open();
    this.#isOver = false;
    this.#startedAtMs = performance.now();
    this.#deliverDue(true);
  }

  #deliverDue(afterOthers: boolean): void {
    if (this.#isStopped) return;
    const { deliver, isCongested, speed } = this.#options;
    const played = playedTimers?.clock.played();
    const playedMs = played ?? (performance.now() - this.#startedAtMs) * speed;
    const framesMax = playedTimers === null ? limits.replayFramesPerTurnMax : Number.POSITIVE_INFINITY;
    let done = 0;
    for (; done < framesMax; done += 1) {
      const frame = this.#frameAt(done);
      if (frame === null || frame.atMs > playedMs || isCongested()) break;
      deliver(frame);
    }
    this.#ahead.splice(0, done);
    const next = this.#nextAwaited(afterOthers);
    if (next === null) this.#endRound();
    else this.#schedule(Math.max(0, next.atMs - playedMs), () => this.#deliverDue(false));
  }

  /** Returns the frame to wait for, or null if no frame is left. */
  #nextAwaited(afterOthers: boolean): Frame | null {
    const { isAwaited } = this.#options;
    if (isAwaited === undefined || playedTimers?.clock.factor !== STEPPED) return this.#frameAt(0);
    for (let index = 0; index < limits.backtestFramesAheadMax; index += 1) {
      const frame = this.#frameAt(index);
      if (frame === null) break;
      if (isAwaited(frame, afterOthers)) return frame;
    }
    return this.#ahead.at(-1) ?? null;
  }

  #endRound(): void {
    this.#isOver = true;
    this.#finish();
    playedTimers?.clock.finish();
    const { rewind } = this.#options;
    if (rewind === null) return;
    this.#schedule(limits.replayLoopPauseMs, () => {
      rewind();
      this.#begin();
    });
  }

  #frameAt(index: number): Frame | null {
    while (this.#ahead.length <= index) {
      const read = this.#frames!.next();
      if (read.done === true) return null;
      this.#ahead.push(read.value);
    }
    return this.#ahead[index]!;
  }

  /** `playedMs` is a duration in the time of the recording. */
  #schedule(playedMs: number, task: () => void): void {
    if (this.#isStopped) return;
    const timers = playedTimers;
    // A timer of 0 ms fires after 1 ms, and lets the sockets be served meanwhile. The longest possible timer is 2^31 − 1 ms.
    const delayMs = Math.min(timers === null ? playedMs / this.#options.speed : playedMs, 2 ** 31 - 1);
    this.#cancel = (timers ?? machineTimers).after(delayMs, task);
  }
}
