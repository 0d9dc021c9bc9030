// What one connection is owed: requests whose first snapshots are not all sent yet. Main thread.

import { limits } from '../../limits.ts';
import type { StreamBook } from './book.ts';

export class OwedSnapshots {
  /** By the id of the request. */
  readonly #requests = new Map<string, Set<StreamBook>>();

  /** Whether one more request can be kept: `snapshotsOwedMax`. */
  hasRoomFor(id: string): boolean {
    return this.#requests.size < limits.snapshotsOwedMax || this.#requests.has(id);
  }

  owe(id: string, books: Iterable<StreamBook>): void {
    this.#requests.set(id, new Set(books));
  }

  has(book: StreamBook): boolean {
    for (const books of this.#requests.values()) if (books.has(book)) return true;
    return false;
  }

  /** The book's snapshot was sent, or is wanted no more. Returns the requests of which nothing is left. */
  settle(book: StreamBook): readonly string[] {
    const done: string[] = [];
    for (const [id, books] of this.#requests) if (books.delete(book) && books.size === 0) done.push(id);
    for (const id of done) this.#requests.delete(id);
    return done;
  }
}
