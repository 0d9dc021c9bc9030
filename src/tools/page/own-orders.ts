// The pod's open orders as they rest in a ladder, in terms of the outcome that the ladder shows. Pure.

import { type MarketKey, marketAddress } from '../../core/domain/market.ts';
import {
  complementTicks,
  type MicroShares,
  parseMicroShares,
  parseTicks,
  type Ticks,
} from '../../core/domain/numbers.ts';
import type { PodOrders } from '../../core/generated/api-types.ts';
import type { Route } from './routes-of-market.ts';

type PodOrder = PodOrders['orders'][number];

/** The open size at each price of the ladder of a route. */
export function ownSizes(orders: readonly PodOrder[], route: Route): ReadonlyMap<Ticks, MicroShares> {
  const sizes = new Map<Ticks, MicroShares>();
  for (const shown of orders) {
    const price = priceIn(shown, route);
    const open = price === null ? 0 : openSize(shown);
    if (price !== null && open > 0) sizes.set(price, ((sizes.get(price) ?? 0) + open) as MicroShares);
  }
  return sizes;
}

/** The order's price in the ladder. Null means that the order belongs to another market, or has no price. */
function priceIn({ order }: PodOrder, { market, isNo, complement }: Route): Ticks | null {
  const price = order.price === null ? null : parseTicks(order.price);
  if (price === null) return null;
  const other = complementTicks(price);
  if ('tokenId' in order) {
    if (isOf(market, order.tokenId)) return price;
    return order.tokenId === complement ? other : null;
  }
  // An order of the opposite side rests at one dollar less its price.
  return isOf(market, order.ticker) ? ((order.side === 'NO') === isNo ? price : other) : null;
}

function isOf(market: MarketKey, address: string): boolean {
  return marketAddress(market) === address;
}

function openSize({ order }: PodOrder): number {
  const filled = 'tokenId' in order ? order.filledShares : order.filledCount;
  return (parseMicroShares(order.size ?? '0') ?? 0) - (parseMicroShares(filled ?? '0') ?? 0);
}
