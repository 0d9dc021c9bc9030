// A book of one level as a gateway sends it, for tests of code that prints a book.

import type { Level } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { ServerMessage } from '../../../src/core/wire/messages.ts';
import { checksumLevels } from '../../../src/market-data/book/checksum.ts';

export const market = { venue: 'venue_b', ticker: 'T-1' } as const;
const bids: readonly Level[] = [{ price: 5_300 as Ticks, size: 7_000_000 as MicroShares }];

export const SNAPSHOT: ServerMessage = {
  type: 'snapshot',
  market,
  epoch: 1,
  seq: 1,
  state: 'LIVE',
  bids,
  asks: [],
  checksum: checksumLevels(bids, []),
  venueTime: 1 as UnixMillis,
  receivedAt: 1 as UnixMillis,
};
