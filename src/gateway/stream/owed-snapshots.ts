// Snapshot requests of one connection whose first snapshots are not all sent. Main thread.

import { limits } from '../../limits.ts';
import type { StreamBook } from './book.ts';

interface Owed {
  /** The client's id of the request; a client may use one several times. */
  readonly id: string;
  readonly books: Set<StreamBook>;
}

export class OwedSnapshots {
  readonly #requests = new Set<Owed>();

  /** Requests that wait for a venue and may then need snapshots. */
  reserved = 0;

  /** Whether one more request fits `snapshotsOwedMax`. */
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

  /** The book's snapshot was sent or is no longer needed. Returns the ids of requests that are complete. */
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
