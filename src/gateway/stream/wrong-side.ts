// A side that cannot be subscribed to (interface §6): of venue B the NO book, which every client derives from the YES book. Main thread.

import type { MarketRequest, Rejection } from '../../wire/messages.ts';

/** Null of a market that is asked for rightly. */
export function sideRejection({ market, side }: MarketRequest): Rejection | null {
  if (side === null || side === 'yes') return null;
  return { market, code: 'UNKNOWN_MARKET', message: 'side: must be "yes"; the NO side is derived from the YES book' };
}
