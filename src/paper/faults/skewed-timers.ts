// A venue's clock with a skew: ahead of the simulator's or behind, by the faults of the moment. Delays are not affected.
// Thread of the paper exchanges.

import type { Venue } from '../../domain/market.ts';
import type { UnixMillis } from '../../domain/numbers.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { Faults } from './faults.ts';

export function skewedTimers(timers: Timers, faults: Pick<Faults, 'skewMs'>, venue: Venue): Timers {
  return {
    now: () => (timers.now() + faults.skewMs(venue)) as UnixMillis,
    elapsed: () => timers.elapsed(),
    after: (delayMs, task) => timers.after(delayMs, task),
  };
}
