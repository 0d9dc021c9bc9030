// Why a market is rejected without a word to its venue: its side, of venue B the NO book, which every client derives from the YES book
// (interface §6), or a connection that holds as many as it may. Main thread.

import type { MarketKey } from '../../domain/market.ts';
import { limits } from '../../limits.ts';
import type { MarketRequest, Rejection } from '../../wire/messages.ts';

/** Null of a market that is asked for rightly. */
export function sideRejection({ market, side }: MarketRequest): Rejection | null {
  if (side === null || side === 'yes') return null;
  return { market, code: 'UNKNOWN_MARKET', message: 'side: must be "yes"; the NO side is derived from the YES book' };
}

export function tooManyMarkets(market: MarketKey): Rejection {
  const message = `a connection holds at most ${limits.marketsPerConnectionMax} markets (marketsPerConnectionMax)`;
  return { market, code: 'SUBSCRIPTION_LIMIT', message };
}
