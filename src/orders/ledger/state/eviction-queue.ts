// Candidates for eviction from memory, examined in sequence, without a scan of everything. Changed rows queue in the sequence of the
// journal, and are examined once the history has them on disk. Recalled rows, and rows that must stay for a time, are examined again after
// a pause. If the row of a candidate has changed since, the candidate is dropped, because the later change queued another. So an undone
// step needs no repair. Engine thread.

import type { Venue } from '../../../core/domain/market.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import { limits } from '../../../limits.ts';

export interface Candidate {
  readonly kind: 'order' | 'key' | 'fill' | 'position' | 'action';
  /** The pod of an order, fill or action, the actor of a key, or the owner of a position. */
  readonly owner: string;
  readonly venue: Venue;
  /** The id of an order, action or fill, the idempotency key, or the address. */
  readonly name: string;
  /** The journal sequence of the row's last change. 0 means that the row is the same as in the history. */
  readonly changedBy: number;
}

interface Waiting {
  readonly candidate: Candidate;
  readonly dueAt: number;
}

export class EvictionQueue {
  readonly #changed = new Fifo<Candidate>();
  readonly #waiting = new Fifo<Waiting>();
  /** The time of the last examination. */
  #now = 0;

  /** Queues a changed row. Sequences never fall, except that the number of an undone step is used again. */
  addChanged(candidate: Candidate): void {
    const { last } = this.#changed;
    if (last === undefined || !isSame(last, candidate)) this.#changed.push(candidate);
  }

  addWaiting(candidate: Candidate): void {
    this.#waiting.push({ candidate, dueAt: this.#now + limits.evictionPauseMs });
  }

  /** Takes the next candidate. Returns null if none is ready. */
  takeNext(followed: number, now: UnixMillis): Candidate | null {
    this.#now = now;
    const changed = this.#changed.first;
    if (changed !== undefined && changed.changedBy <= followed) return this.#changed.shift();
    const waiting = this.#waiting.first;
    if (waiting === undefined) return null;
    const leftMs = waiting.dueAt - now;
    // The time left can exceed the pause only if the clock was set back.
    return leftMs <= 0 || leftMs > limits.evictionPauseMs ? this.#waiting.shift().candidate : null;
  }
}

/** Whether two candidates are the same row at the same change. One step may change the same name for several owners, or at both venues. */
function isSame(one: Candidate, other: Candidate): boolean {
  const isOfOne = one.owner === other.owner && one.venue === other.venue;
  return isOfOne && one.name === other.name && one.kind === other.kind && one.changedBy === other.changedBy;
}

/** The number of empty places at the front at which the array is compacted. */
const HEAD_MAX = 1_024;

/** A queue that avoids `shift` of a long array, which moves the whole array. */
class Fifo<T> {
  readonly #items: (T | undefined)[] = [];
  #head = 0;

  get first(): T | undefined {
    return this.#items[this.#head];
  }

  get last(): T | undefined {
    return this.#items.at(-1);
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Takes the first item. To be called only if there is one. */
  shift(): T {
    const item = this.#items[this.#head]!;
    this.#items[this.#head++] = undefined;
    const left = this.#items.length - this.#head;
    if (left === 0 || (this.#head >= HEAD_MAX && this.#head >= left)) {
      this.#items.splice(0, this.#head);
      this.#head = 0;
    }
    return item;
  }
}
