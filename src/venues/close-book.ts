// The end of a market's book. Its last levels stay; one that has none begins an empty epoch, so that whoever waits for its snapshot, or
// comes later, gets one. Feed threads.

import type { BookId, StateReason } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { BookSink } from './feed.ts';

const UNSTATED = 0 as UnixMillis;

/** `now`: wall time, at which the news of it has come. */
export function closeBook(sink: BookSink, book: BookId, reason: StateReason, now: UnixMillis): void {
  const hasLevels = sink.stateOf(book) !== 'RESYNCING';
  // First of all: no reader sees an empty book that is not CLOSED.
  sink.setState(book, 'CLOSED', reason);
  if (hasLevels) return;
  sink.receivedAt = now;
  sink.begin(book);
  sink.clear(book);
  sink.commit(book, UNSTATED);
}
