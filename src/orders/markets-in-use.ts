// Markets of all open orders and held positions of all owners; the gateway keeps them subscribed (contract §5). Any thread that
// reads the ledger.

import { type MarketKey, marketAddress, marketKey } from '../domain/market.ts';
import { addressOf } from '../domain/order-lists.ts';
import { limits } from '../limits.ts';
import { inTurns } from '../runtime/in-turns.ts';
import type { Account, LiveReads } from '../store/order-records.ts';
import { unattributedOf } from './bookings.ts';

/** Each market once. Reads in slices and yields the thread between them. Rejects with the StoreError of a failed read. */
export async function marketsInUse(
  reads: Pick<LiveReads, 'openOrders' | 'positions'>,
  accounts: readonly Account[],
  actorsOf: (podId: string) => readonly string[],
): Promise<readonly MarketKey[]> {
  const markets = new Map<string, MarketKey>();
  for await (const market of inTurns(rowsOf(reads, accounts, actorsOf), limits.keptRowsPerTurnMax)) {
    if (market !== null) markets.set(`${market.venue} ${marketAddress(market)}`, market);
  }
  return [...markets.values()];
}

/** The market of each row; null for a closed position. */
function* rowsOf(
  reads: Pick<LiveReads, 'openOrders' | 'positions'>,
  accounts: readonly Account[],
  actorsOf: (podId: string) => readonly string[],
): Iterable<MarketKey | null> {
  for (const account of accounts) {
    const { podId, venue } = account;
    for (const { order } of reads.openOrders(account)) yield marketKey(venue, addressOf(order.request));
    for (const owner of [...actorsOf(podId), unattributedOf(podId)]) {
      for (const { address, size, isRedeemable } of reads.positions(owner, venue)) {
        // A redeemable token has a fixed value and needs no book.
        yield size === 0 || isRedeemable ? null : marketKey(venue, address);
      }
    }
  }
}
