// Plays recorded events at their times, divided by the speed. It pauses while its listeners are behind: a fast replay is late rather than
// lossy. Threads that replay.

import { limits } from '../../limits.ts';

export interface TimedFrame {
  /** Milliseconds since the start of the session; never decreases. */
  readonly atMs: number;
}

interface PlayerOptions<Frame extends TimedFrame> {
  /** Frames from the start; called again for each round of a loop. */
  readonly open: () => Iterator<Frame>;
  readonly deliver: (frame: Frame) => void;
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
  #next: Frame | null = null;
  #startedAtMs = 0;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

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

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #begin(): void {
    this.#frames = this.#options.open();
    this.#startedAtMs = performance.now();
    this.#advance();
    this.#turn();
  }

  #turn(): void {
    if (this.#isStopped) return;
    const { deliver, isCongested, speed } = this.#options;
    const nowMs = (performance.now() - this.#startedAtMs) * speed;
    let budget = limits.replayFramesPerTurnMax;
    while (this.#next !== null && this.#next.atMs <= nowMs && budget > 0 && !isCongested()) {
      deliver(this.#next);
      this.#advance();
      budget -= 1;
    }
    if (this.#next === null) this.#ended();
    else this.#wait(Math.max(0, (this.#next.atMs - nowMs) / speed), () => this.#turn());
  }

  #ended(): void {
    this.#finish();
    const { rewind } = this.#options;
    if (rewind === null) return;
    this.#wait(limits.replayLoopPauseMs / this.#options.speed, () => {
      rewind();
      this.#begin();
    });
  }

  #advance(): void {
    const result = this.#frames!.next();
    this.#next = result.done === true ? null : result.value;
  }

  #wait(delayMs: number, task: () => void): void {
    // A timer of 0 ms fires after 1 ms and gives the sockets a turn; 2^31 − 1 is the longest timer.
    if (!this.#isStopped) this.#timer = setTimeout(task, Math.min(delayMs, 2 ** 31 - 1));
  }
}
