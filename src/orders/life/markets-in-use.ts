// Lists the markets of all open orders and held positions. The gateway keeps them subscribed (contract §5). The same pass sums the holdings
// of each owner. Any thread that reads the ledger.

import { type MarketKey, marketAddress, marketKey } from '../../core/domain/market.ts';
import type { MicroShares } from '../../core/domain/numbers.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import { inTurns } from '../../core/runtime/timers.ts';
import type { Account, LiveReads } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import { unattributedOf } from './bookings.ts';

/** The holdings of an owner at all venues. */
export interface Holdings {
  /** The number of markets in which the owner holds a position. */
  readonly positions: number;
  /** The largest holding in one market, long or short. */
  readonly largest: MicroShares;
}

export interface InUse {
  /** The markets, each once. */
  readonly markets: readonly MarketKey[];
  /** The holdings by the full id of the owner. An owner without a holding has no entry. */
  readonly holdings: ReadonlyMap<string, Holdings>;
}

interface HeldRow {
  /** The market. Null means that the holding needs no book. */
  readonly market: MarketKey | null;
  /** The owner of the holding. Null means that the row is of an order. */
  readonly owner: string | null;
  readonly size: MicroShares;
}

/** Reads in slices and yields the thread between them. Rejects with the StoreError of a read that fails. */
export async function marketsInUse(
  reads: Pick<LiveReads, 'openOrders' | 'positions'>,
  accounts: readonly Account[],
  actorsOf: (podId: string) => readonly string[],
): Promise<InUse> {
  const markets = new Map<string, MarketKey>();
  const holdings = new Map<string, Holdings>();
  for await (const { market, owner, size } of inTurns(rowsOf(reads, accounts, actorsOf), limits.keptRowsPerTurnMax)) {
    if (market !== null) markets.set(`${market.venue} ${marketAddress(market)}`, market);
    if (owner !== null && size !== 0) holdings.set(owner, addHolding(holdings.get(owner), size));
  }
  return { markets: [...markets.values()], holdings };
}

function addHolding(held: Holdings | undefined, size: MicroShares): Holdings {
  const largest = Math.max(held?.largest ?? 0, Math.abs(size)) as MicroShares;
  return { positions: (held?.positions ?? 0) + 1, largest };
}

function* rowsOf(
  reads: Pick<LiveReads, 'openOrders' | 'positions'>,
  accounts: readonly Account[],
  actorsOf: (podId: string) => readonly string[],
): Iterable<HeldRow> {
  for (const account of accounts) {
    const { podId, venue } = account;
    for (const { order } of reads.openOrders(account)) {
      yield { market: marketKey(venue, addressOf(order.request)), owner: null, size: NONE };
    }
    for (const owner of [...actorsOf(podId), unattributedOf(podId)]) {
      for (const { address, size, isRedeemable } of reads.positions(owner, venue)) {
        // A redeemable token has a fixed value and needs no book.
        yield { market: size === 0 || isRedeemable ? null : marketKey(venue, address), owner, size };
      }
    }
  }
}

const NONE = 0 as MicroShares;
