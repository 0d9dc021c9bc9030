// What may leave memory, in the order in which it is looked at: no look-through of everything. What has changed comes in the order of the
// journal, and is looked at once the history has it on disk. What was recalled, or stays for a time, is looked at again after a pause.
// A candidate says what it was when it came: one that has changed since is dropped, as its later change has brought another. Hence a
// step that is undone leaves nothing to mend. Engine thread.

import type { Venue } from '../../domain/market.ts';
import type { UnixMillis } from '../../domain/numbers.ts';
import { limits } from '../../limits.ts';

export interface Candidate {
  readonly kind: 'order' | 'key' | 'fill' | 'position';
  /** The pod of an order or fill, the actor of a key, the owner of a position. */
  readonly owner: string;
  readonly venue: Venue;
  /** Order id, idempotency key, fill id, or address. */
  readonly name: string;
  /** Journal sequence of its last change; 0: as the history has it. */
  readonly changedBy: number;
}

interface Waiting {
  readonly candidate: Candidate;
  readonly dueAt: number;
}

export class EvictionQueue {
  readonly #changed = new Fifo<Candidate>();
  readonly #waiting = new Fifo<Waiting>();
  /** Of the last look. */
  #now = 0;

  /** Sequences never fall, but for a step that is undone: its number is given again. */
  changed(candidate: Candidate): void {
    const last = this.#changed.last;
    const isSame = last?.changedBy === candidate.changedBy && last.name === candidate.name;
    if (!isSame || last.kind !== candidate.kind) this.#changed.push(candidate);
  }

  wait(candidate: Candidate): void {
    this.#waiting.push({ candidate, dueAt: this.#now + limits.evictionPauseMs });
  }

  /** Null: there is none now. */
  next(followed: number, now: UnixMillis): Candidate | null {
    this.#now = now;
    const changed = this.#changed.first;
    if (changed !== undefined && changed.changedBy <= followed) return this.#changed.shift();
    const waiting = this.#waiting.first;
    return waiting !== undefined && waiting.dueAt <= now ? this.#waiting.shift().candidate : null;
  }
}

/** Places in front that are empty, before the rest moves up. */
const HEAD_MAX = 1_024;

/** `shift` of a long array would move all of it. */
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

  /** There is one. */
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
