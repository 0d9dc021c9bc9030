// The epochs of books, from one start to the next: each start takes a range beyond all that were ever given out, whatever the clock has
// done meanwhile (contract §8). Main thread.

import { type Arena, startEpochs } from '../book/memory.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { OrderStore } from '../store/order-records.ts';

const MARK = 'epochs';
/** More than one run can use: an epoch is a snapshot from a venue. */
const EPOCHS_PER_START = 2 ** 32;
/** Stores of before have no mark: their epochs were microseconds of the clock. */
const EPOCHS_PER_MS = 1_000;

export function reserveEpochs(store: Pick<OrderStore, 'mark' | 'change'>, arena: Arena, now: UnixMillis): void {
  const floor = Math.max(Number(store.mark(MARK) ?? 0), now * EPOCHS_PER_MS);
  store.change(transaction => transaction.putMark(MARK, String(floor + EPOCHS_PER_START)));
  startEpochs(arena, floor);
}
