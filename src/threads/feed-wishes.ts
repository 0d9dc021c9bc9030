// Which answers of a feed's thread are still wanted. Main thread.

import type { FeedOutcome } from './feed-messages.ts';

/** The latest wish for each market: what is said of an earlier one is out of date. */
export class FeedWishes {
  readonly #latest = new Map<string, number>();
  #wishes = 0;

  make(address: string): number {
    this.#wishes += 1;
    this.#latest.set(address, this.#wishes);
    return this.#wishes;
  }

  forget(address: string): void {
    this.#latest.delete(address);
  }

  isLatest({ address, wish }: Pick<FeedOutcome, 'address' | 'wish'>): boolean {
    return this.#latest.get(address) === wish;
  }
}
