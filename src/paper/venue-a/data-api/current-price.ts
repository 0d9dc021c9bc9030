// Present value of a token for Gamma and the Data API: its payout once the market is resolved; before, the middle of the book,
// or the last trade if a side is empty. Thread of the paper exchanges.

import { type MicroDollars, TICKS_PER_DOLLAR, type Ticks } from '../../../domain/numbers.ts';
import type { VenueAMarket } from '../market.ts';
import type { TokenIndex } from '../records.ts';

const MICROS_PER_TICK = 100;
const HALF_DOLLAR = (TICKS_PER_DOLLAR / 2) as Ticks;

/** In millionths of a dollar: the middle may lie between two ticks. */
export function currentPrice(market: VenueAMarket, token: TokenIndex): MicroDollars {
  const { resolution, bestBid, bestAsk, lastYesPrice } = market;
  if (resolution !== null) {
    const { winner } = resolution;
    return atTicks(winner === null ? HALF_DOLLAR : ((winner === token ? TICKS_PER_DOLLAR : 0) as Ticks));
  }
  const yes =
    bestBid !== null && bestAsk !== null
      ? ((bestBid.price + bestAsk.price) * MICROS_PER_TICK) / 2
      : atTicks(lastYesPrice ?? HALF_DOLLAR);
  return (token === 0 ? yes : atTicks(TICKS_PER_DOLLAR as Ticks) - yes) as MicroDollars;
}

function atTicks(price: Ticks): MicroDollars {
  return (price * MICROS_PER_TICK) as MicroDollars;
}
