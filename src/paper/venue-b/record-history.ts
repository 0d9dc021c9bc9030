// Earlier pictures for stale private reads (venue-b.md §5.6), of everything that changed within the last seconds. Reads of the present cost
// nothing extra. Thread of the paper exchanges.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { limits } from '../../limits.ts';

interface Picture {
  readonly updatedAt: UnixMillis;
}

/** Something that changes: its present picture, and recently replaced ones. */
export class Pictured<T extends Picture> {
  readonly #bornAt: UnixMillis;
  #latest: T;
  /** Past pictures, oldest first. */
  #past: T[] | null = null;

  constructor(first: T) {
    this.#latest = first;
    this.#bornAt = first.updatedAt;
  }

  get latest(): T {
    return this.#latest;
  }

  /** Null if it did not exist. A picture too old to be kept is replaced by its successor. */
  asOf(at: number): T | null {
    if (this.#latest.updatedAt <= at) return this.#latest;
    if (this.#bornAt > at) return null;
    const past = this.#past ?? [];
    return past.findLast(picture => picture.updatedAt <= at) ?? past[0] ?? this.#latest;
  }

  /** Returns whether the old picture is kept: no read can ask for one that was replaced within its millisecond. */
  replace(picture: T): boolean {
    const before = this.#latest;
    this.#latest = picture;
    if (before.updatedAt === picture.updatedAt) return false;
    if (this.#past === null) this.#past = [before];
    else this.#past.push(before);
    return true;
  }

  forgetOldest(): void {
    this.#past?.shift();
    if (this.#past?.length === 0) this.#past = null;
  }
}

interface Replaced {
  readonly owner: { forgetOldest(): void };
  readonly at: UnixMillis;
}

/** All old pictures by time of replacement, so that outdated ones are found at once. */
export class RecordHistory {
  readonly #replaced: Replaced[] = [];
  /** Earlier entries are dropped; the array is cut from time to time. */
  #first = 0;

  replace<T extends Picture>(pictured: Pictured<T>, picture: T): void {
    if (!pictured.replace(picture)) return;
    this.#replaced.push({ owner: pictured, at: picture.updatedAt });
    this.#forget(picture.updatedAt);
  }

  #forget(now: UnixMillis): void {
    const replaced = this.#replaced;
    const oldest = now - limits.paperStaleMsMax;
    while (replaced.length - this.#first > limits.paperPastPicturesMax || replaced[this.#first]!.at < oldest) {
      replaced[this.#first]!.owner.forgetOldest();
      this.#first += 1;
    }
    if (this.#first * 2 > replaced.length && this.#first > 1_024) {
      replaced.splice(0, this.#first);
      this.#first = 0;
    }
  }
}
