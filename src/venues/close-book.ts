// Closes a market's book. Its last levels stay. A book without levels begins an empty epoch, so that current and later subscribers get
// a snapshot. Feed threads.

import type { BookId, StateReason } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { BookSink } from './feed.ts';

const UNSTATED = 0 as UnixMillis;

/** `now`: wall time at which the closing was heard. */
export function closeBook(sink: BookSink, book: BookId, reason: StateReason, now: UnixMillis): void {
  const hasLevels = sink.stateOf(book) !== 'RESYNCING';
  // Set the state first: no reader may see an empty book that is not CLOSED.
  sink.setState(book, 'CLOSED', reason);
  if (hasLevels) return;
  sink.receivedAt = now;
  sink.begin(book);
  sink.clear(book);
  sink.commit(book, UNSTATED);
}
