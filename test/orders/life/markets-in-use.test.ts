// Markets in use: markets with open orders or holdings, and how much each owner holds, in one pass.

import { expect, it } from 'vitest';
import type { Venue } from '../../../src/core/domain/market.ts';
import type { MicroShares, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { noPosition, type Position } from '../../../src/core/domain/position.ts';
import { marketsInUse } from '../../../src/orders/life/markets-in-use.ts';

const position = (venue: Venue, address: string, size: number, isRedeemable = false): Position => ({
  ...noPosition(venue, address, 0 as UnixMillis),
  size: size as MicroShares,
  isRedeemable,
});

const HELD: Readonly<Record<string, readonly Position[]>> = {
  'desk/maker': [
    position('venue_a', '1', 2_000_000),
    position('venue_a', '2', 0),
    position('venue_a', '3', 5_000_000, true),
    position('venue_b', 'KXA-1', -7_500_000),
  ],
  'desk/taker': [position('venue_b', 'KXA-1', 1_000_000)],
  'desk/idle': [position('venue_b', 'KXA-2', 0)],
};

it('an owner has the number of its holdings, and the largest, long or short', async () => {
  const reads = {
    openOrders: () => [],
    positions: (owner: string, venue: Venue) => (HELD[owner] ?? []).filter(it => it.venue === venue),
  };
  const accounts = (['venue_a', 'venue_b'] as const).map(venue => ({ podId: 'desk', venue }));
  const { markets, holdings } = await marketsInUse(reads, accounts, () => Object.keys(HELD));
  expect(holdings).toEqual(
    new Map([
      ['desk/maker', { positions: 3, largest: 7_500_000 }],
      ['desk/taker', { positions: 1, largest: 1_000_000 }],
    ]),
  );
  // A redeemable token needs no book.
  expect(markets).toEqual([
    { venue: 'venue_a', tokenId: '1' },
    { venue: 'venue_b', ticker: 'KXA-1' },
  ]);
});
