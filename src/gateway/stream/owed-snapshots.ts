// What one connection is owed: requests whose first snapshots are not all sent yet. Main thread.

import { limits } from '../../limits.ts';
import type { StreamBook } from './book.ts';

interface Owed {
  /** Of the request: its client's own, who may give several the same. */
  readonly id: string;
  readonly books: Set<StreamBook>;
}

export class OwedSnapshots {
  readonly #requests = new Set<Owed>();

  /** Requests that wait for a venue, and may be owed snapshots then. */
  reserved = 0;

  /** Whether one more request can be kept: `snapshotsOwedMax`. */
  get hasRoom(): boolean {
    return this.#requests.size + this.reserved < limits.snapshotsOwedMax;
  }

  owe(id: string, books: Iterable<StreamBook>): void {
    this.#requests.add({ id, books: new Set(books) });
  }

  has(book: StreamBook): boolean {
    for (const { books } of this.#requests) if (books.has(book)) return true;
    return false;
  }

  /** The book's snapshot was sent, or is wanted no more. Returns the requests of which nothing is left. */
  settle(book: StreamBook): readonly string[] {
    const done: string[] = [];
    for (const request of this.#requests) {
      if (!request.books.delete(book) || request.books.size > 0) continue;
      this.#requests.delete(request);
      done.push(request.id);
    }
    return done;
  }
}
