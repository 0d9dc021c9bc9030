// Virtual time: future tasks stand in one queue, by their time; chance orders tasks that fall due together. Between two happenings every
// promise that can settle has settled.

import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import type { Timers } from '../../src/core/runtime/timers.ts';
import type { Happenings } from './happenings.ts';

/** Many times the steps of the longest schedule. */
const STEPS_MAX = 200_000;

interface Happening {
  readonly at: number;
  readonly rank: number;
  task: (() => void) | null;
}

export class Schedule implements Timers {
  readonly random: Happenings;
  #now = 1_790_000_000_000;
  /** The tasks as a binary heap. */
  readonly #heap: Happening[] = [];
  #isTurnDue = false;
  #steps = 0;
  readonly #stepsMax: number;

  constructor(random: Happenings, stepsMax: number = STEPS_MAX) {
    this.random = random;
    this.#stepsMax = stepsMax;
  }

  /** The number of happenings and runs so far. */
  get steps(): number {
    return this.#steps;
  }

  now(): UnixMillis {
    return this.#now as UnixMillis;
  }

  elapsed(): number {
    return this.#now;
  }

  after(delayMs: number, task: () => void): () => void {
    const happening: Happening = { at: this.#now + Math.max(0, Math.ceil(delayMs)), rank: this.random.next(), task };
    this.#push(happening);
    return () => {
      happening.task = null;
    };
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise(resolve => this.after(delayMs, resolve));
  }

  /** After this happening, the tasks that wait for the next turn of the event loop run. A turn takes as long as most happenings. */
  giveTurn(): void {
    this.#isTurnDue = true;
  }

  /** Runs everything that happens within `forMs`. Rejects if the tasks never end. */
  async run(forMs: number): Promise<void> {
    const end = this.#now + forMs;
    this.#count();
    await turned();
    for (let next = this.#heap[0]; next !== undefined && next.at <= end; next = this.#heap[0]) {
      this.#pop();
      if (next.task === null) continue;
      this.#count();
      this.#now = next.at;
      next.task();
      await (this.#isTurnDue ? turned() : settled());
      this.#isTurnDue = false;
    }
    this.#now = end;
  }

  #count(): void {
    this.#steps += 1;
    if (this.#steps > this.#stepsMax) throw new Error(`the schedule has no end: more than ${this.#stepsMax} steps`);
  }

  #push(happening: Happening): void {
    const heap = this.#heap;
    let index = heap.push(happening) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(happening, heap[parent]!)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = happening;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(one: Happening, other: Happening): boolean {
  return one.at === other.at ? one.rank < other.rank : one.at < other.at;
}

/** Waits until all promises that can settle have settled, because ticks come after them. */
function settled(): Promise<void> {
  return new Promise(resolve => process.nextTick(resolve));
}

function turned(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
