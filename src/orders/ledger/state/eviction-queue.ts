// Candidates for eviction from memory, examined in sequence, without a scan of everything. Changed rows queue in the sequence of the
// journal and are examined once the history has them on disk. Recalled rows, and rows that must stay for a time, are examined again after a
// pause. A candidate whose row has changed since is dropped, because the later change queued another one. So an undone step needs no
// repair. Engine thread.

import type { Venue } from '../../../core/domain/market.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import { limits } from '../../../limits.ts';

export interface Candidate {
  readonly kind: 'order' | 'key' | 'fill' | 'position' | 'action';
  /** The pod of an order, fill or action, the actor of a key, the owner of a position. */
  readonly owner: string;
  readonly venue: Venue;
  /** Order or action id, idempotency key, fill id, or address. */
  readonly name: string;
  /** Journal sequence of its last change; 0: the same as in the history. */
  readonly changedBy: number;
}

interface Waiting {
  readonly candidate: Candidate;
  readonly dueAt: number;
}

export class EvictionQueue {
  readonly #changed = new Fifo<Candidate>();
  readonly #waiting = new Fifo<Waiting>();
  /** Time of the last examination. */
  #now = 0;

  /** Sequences never fall, except that an undone step's number is used again. */
  changed(candidate: Candidate): void {
    const { last } = this.#changed;
    if (last === undefined || !isSame(last, candidate)) this.#changed.push(candidate);
  }

  wait(candidate: Candidate): void {
    this.#waiting.push({ candidate, dueAt: this.#now + limits.evictionPauseMs });
  }

  /** Null if no candidate is ready. */
  next(followed: number, now: UnixMillis): Candidate | null {
    this.#now = now;
    const changed = this.#changed.first;
    if (changed !== undefined && changed.changedBy <= followed) return this.#changed.shift();
    const waiting = this.#waiting.first;
    if (waiting === undefined) return null;
    const leftMs = waiting.dueAt - now;
    // The time left exceeds the pause only if the clock was set back.
    return leftMs <= 0 || leftMs > limits.evictionPauseMs ? this.#waiting.shift().candidate : null;
  }
}

/** One step may change a name of several owners, or at both venues. */
function isSame(one: Candidate, other: Candidate): boolean {
  const isOfOne = one.owner === other.owner && one.venue === other.venue;
  return isOfOne && one.name === other.name && one.kind === other.kind && one.changedBy === other.changedBy;
}

/** Empty places at the front before the array is compacted. */
const HEAD_MAX = 1_024;

/** Avoids `shift` of a long array, which moves all of it. */
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

  /** Takes the first item; call it only if there is one. */
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
