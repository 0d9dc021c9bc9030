// The times up to which venue B's data is in its archive alone (venue-b.md §4.5). Each kind of data has a cutoff of its own, and each moves
// by itself. A resting order is always live. Thread of the paper exchanges.

import { DAY_MS } from '../../core/domain/durations.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';

const ORDERS_LIVE_MS = 14 * DAY_MS;
/** The live time of trades and fills, of settled positions, and of settled markets. */
const OTHERS_LIVE_MS = 90 * DAY_MS;

export interface Cutoffs {
  /** Compared with the last change of an order. */
  readonly orders: UnixMillis;
  readonly trades: UnixMillis;
  readonly positions: UnixMillis;
  readonly markets: UnixMillis;
}

export function cutoffsAt(now: UnixMillis): Cutoffs {
  const others = (now - OTHERS_LIVE_MS) as UnixMillis;
  return { orders: (now - ORDERS_LIVE_MS) as UnixMillis, trades: others, positions: others, markets: others };
}
