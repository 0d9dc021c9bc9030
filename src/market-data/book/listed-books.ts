// Tells a thread that reads books which market has which book. Main thread.

import type { Venue } from '../../core/domain/market.ts';
import type { FeedSubscription } from '../../venues/feed.ts';

/** `list`: the market has this book from now on. */
export type BookListing =
  | { readonly op: 'list'; readonly venue: Venue; readonly address: string; readonly binding: FeedSubscription }
  | { readonly op: 'unlist'; readonly venue: Venue; readonly address: string };

export class ListedBooks {
  readonly #say: (message: BookListing) => void;
  readonly #isWanted: (venue: Venue, address: string) => boolean;
  /** The last word about each market that has a book, by venue and address. */
  readonly #listed = new Map<string, BookListing>();

  /** `isWanted`: whether the thread reads a market's book; all by default. */
  constructor(say: (message: BookListing) => void, isWanted: (venue: Venue, address: string) => boolean = () => true) {
    this.#say = say;
    this.#isWanted = isWanted;
  }

  get size(): number {
    return this.#listed.size;
  }

  /** A market has this book from now on. */
  put(venue: Venue, address: string, binding: FeedSubscription): void {
    if (!this.#isWanted(venue, address)) return;
    const message: BookListing = { op: 'list', venue, address, binding };
    this.#listed.set(`${venue} ${address}`, message);
    this.#say(message);
  }

  /** Says nothing of a market without a book. */
  remove(venue: Venue, address: string): void {
    if (this.#listed.delete(`${venue} ${address}`)) this.#say({ op: 'unlist', venue, address });
  }

  /** Sends all books to a thread that knows none yet, as after its restart. */
  sayAll(): void {
    for (const message of this.#listed.values()) this.#say(message);
  }
}
