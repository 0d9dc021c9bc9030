// A copied book as the snapshot message for subscribers. Main thread.

import { type BookCopy, levelsOf } from '../../book/reader.ts';
import type { MarketKey } from '../../domain/market.ts';
import type { UnixMillis } from '../../domain/numbers.ts';
import type { Snapshot } from '../../wire/messages.ts';

export function snapshotMessage(market: MarketKey, copy: BookCopy): Snapshot {
  return {
    type: 'snapshot',
    market,
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
