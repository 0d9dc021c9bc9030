// Rejects a market without asking its venue: for its side, since clients derive venue B's NO book from the YES book (interface §6), or
// since the connection holds its maximum. Main thread.

import type { MarketKey } from '../../domain/market.ts';
import { limits } from '../../limits.ts';
import type { MarketRequest, Rejection } from '../../wire/messages.ts';

/** Null if the request is valid. */
export function sideRejection({ market, side }: MarketRequest): Rejection | null {
  if (side === null || side === 'yes') return null;
  return { market, code: 'UNKNOWN_MARKET', message: 'side: must be "yes"; the NO side is derived from the YES book' };
}

export function tooManyMarkets(market: MarketKey): Rejection {
  const message = `a connection holds at most ${limits.marketsPerConnectionMax} markets (marketsPerConnectionMax)`;
  return { market, code: 'SUBSCRIPTION_LIMIT', message };
}
