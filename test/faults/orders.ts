// Orders that are accepted without faults: buys with a limit near the middle. So every other answer that a client receives is due to the fault.

import type { Random } from '../../src/core/runtime/random.ts';
import type { SoakMarket } from '../soak/markets.ts';
import type { OrderBody } from '../soak/orders.ts';

/** The largest distance of a price from the middle of the book, in cents. */
const PRICE_SPREAD_CENTS = 9;

export function plainOrder(market: SoakMarket, random: Random): OrderBody {
  const cents = market.midCents + random.below(PRICE_SPREAD_CENTS) - Math.floor(PRICE_SPREAD_CENTS / 2);
  if (market.venue === 'venue_b') {
    const side = random.pick(['YES', 'NO'] as const);
    const priceCents = side === 'YES' ? cents : 100 - cents;
    const count = 1 + random.below(9);
    return { venue: 'venue_b', body: { ticker: market.ticker, side, action: 'BUY', count, priceCents } };
  }
  const [size, price] = [String(5 + random.below(20)), `0.${cents}`];
  return { venue: 'venue_a', body: { tokenId: market.tokenId, side: 'BUY', type: 'LIMIT', size, price } };
}
