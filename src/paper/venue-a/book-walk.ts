// Reads the levels that an order would meet in the book, without matching. They show whether it crosses, how many shares it finds, and the
// shares for an amount of dollars. Reads only as far as the order would reach. Pure.

import { ASK, BID, type Side } from '../../core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../core/domain/numbers.ts';
import { SIZE_STEP, type VenueAMarket, yesPriceOf } from './market.ts';
import type { TokenIndex } from './records.ts';

/** The price in the frame of the book. */
interface Lot {
  readonly price: Ticks;
  readonly size: MicroShares;
}

export function crosses(market: VenueAMarket, side: Side, yesPrice: Ticks): boolean {
  const best = side === BID ? market.bestAsk : market.bestBid;
  return best !== null && reaches(side, yesPrice, best.price);
}

/** Size that would match at once. */
export function matchable(market: VenueAMarket, side: Side, yesPrice: Ticks, size: MicroShares): MicroShares {
  let found = 0;
  for (const level of market.levels(side === BID ? ASK : BID)) {
    if (found >= size || !reaches(side, yesPrice, level.price)) break;
    found += level.size;
  }
  return Math.min(found, size) as MicroShares;
}

interface Purchase {
  /** One entry for each level, best first. */
  readonly lots: readonly Lot[];
  readonly size: MicroShares;
  readonly cost: MicroDollars;
  /** Whether only dust is left: less than a hundredth of a share costs at the limit. */
  readonly isComplete: boolean;
}

/**
 * Shares of a token that `dollars` buy at `limit` or better. A step of a size costs as many micro-dollars as its price has
 * ticks (10 000 micro-shares at $0.0001). So costs are whole and never exceed the budget.
 */
export function purchase(market: VenueAMarket, token: TokenIndex, limit: Ticks, dollars: MicroDollars): Purchase {
  const lots: Lot[] = [];
  const side = token === 0 ? BID : ASK;
  let [left, size] = [dollars as number, 0];
  for (const level of market.levels(side === BID ? ASK : BID)) {
    const price = yesPriceOf(token, level.price);
    if (price > limit) break;
    const affordable = Math.floor(left / price) * SIZE_STEP;
    const lot = Math.min(level.size, affordable);
    if (lot > 0) lots.push({ price: level.price, size: lot as MicroShares });
    size += lot;
    left -= (lot / SIZE_STEP) * price;
    if (lot < level.size) break;
  }
  return { lots, size: size as MicroShares, cost: (dollars - left) as MicroDollars, isComplete: left < limit };
}

function reaches(side: Side, limit: Ticks, price: Ticks): boolean {
  return side === BID ? price <= limit : price >= limit;
}
