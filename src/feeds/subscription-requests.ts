// Drops answers of a feed's thread to subscription requests that are out of date. Main thread.

import type { FeedOutcome } from './feed-messages.ts';

/** The latest request for each market; an answer to an earlier one is out of date. */
export class SubscriptionRequests {
  readonly #latest = new Map<string, number>();
  #count = 0;

  make(address: string): number {
    this.#count += 1;
    this.#latest.set(address, this.#count);
    return this.#count;
  }

  forget(address: string): void {
    this.#latest.delete(address);
  }

  isLatest({ address, request }: Pick<FeedOutcome, 'address' | 'request'>): boolean {
    return this.#latest.get(address) === request;
  }
}
