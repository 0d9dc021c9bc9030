// A copied book as the snapshot message that subscribers get. Main thread.

import type { BookCopy, SideCopy } from '../../book/reader.ts';
import type { Level } from '../../domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../domain/numbers.ts';
import type { Snapshot } from '../../wire/messages.ts';
import type { StreamBook } from './book.ts';

export function snapshotOf(book: StreamBook, copy: BookCopy): Snapshot {
  return {
    type: 'snapshot',
    market: book.market,
    epoch: copy.epoch,
    seq: copy.seq,
    state: copy.state,
    bids: levelsOf(copy.bids),
    asks: levelsOf(copy.asks),
    checksum: copy.checksum,
    venueTime: copy.venueTime as UnixMillis,
    receivedAt: copy.receivedAt as UnixMillis,
  };
}

function levelsOf(side: SideCopy): readonly Level[] {
  return Array.from({ length: side.count }, (_, index) => ({
    price: side.prices[index]! as Ticks,
    size: side.sizes[index]! as MicroShares,
  }));
}
