// Random orders of every kind that either venue takes: resting, crossing, FOK, and IOC or FAK. They buy and sell, on both sides of a market. Some are
// refused, as in practice.

import type { VenueAOrderRequest, VenueBOrderRequest } from '../../src/core/generated/api-types.ts';
import type { Random } from '../../src/core/runtime/random.ts';
import type { SoakMarket } from './markets.ts';

export type OrderBody =
  | { readonly venue: 'venue_a'; readonly body: VenueAOrderRequest }
  | { readonly venue: 'venue_b'; readonly body: VenueBOrderRequest };

/** The largest distance of a price from the middle of the book, in cents. About half of the orders are matched. */
const PRICE_SPREAD_CENTS = 9;

export function randomOrder(markets: readonly SoakMarket[], random: Random): OrderBody {
  const market = random.pick(markets);
  return market.venue === 'venue_b' ? orderOfB(market, random) : orderOfA(market, random);
}

function orderOfB({ ticker, midCents }: Extract<SoakMarket, { venue: 'venue_b' }>, random: Random): OrderBody {
  const side = random.pick(['YES', 'NO'] as const);
  const priceCents = near(side === 'YES' ? midCents : 100 - midCents, random);
  const action = random.pick(['BUY', 'BUY', 'SELL'] as const);
  const timeInForce = { type: random.pick(['GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const) };
  const body = { ticker, side, action, count: 1 + random.below(15), priceCents };
  return { venue: 'venue_b', body: random.chance(0.1) ? body : { ...body, timeInForce } };
}

function orderOfA({ tokenId, midCents }: Extract<SoakMarket, { venue: 'venue_a' }>, random: Random): OrderBody {
  const side = random.pick(['BUY', 'BUY', 'SELL'] as const);
  const price = `0.${String(near(midCents, random)).padStart(2, '0')}`;
  if (random.chance(0.65)) {
    const size = `${5 + random.below(20)}.${String(random.below(100)).padStart(2, '0')}`;
    return { venue: 'venue_a', body: { tokenId, side, type: 'LIMIT', size, price, postOnly: random.chance(0.15) } };
  }
  const timeInForce = { type: random.pick(['FOK', 'FAK'] as const) };
  const order = { tokenId, side, type: 'MARKET', amount: String(1 + random.below(12)), timeInForce } as const;
  return { venue: 'venue_a', body: random.chance(0.4) ? { ...order, worstPrice: price } : order };
}

function near(cents: number, random: Random): number {
  return cents + random.below(PRICE_SPREAD_CENTS) - Math.floor(PRICE_SPREAD_CENTS / 2);
}
