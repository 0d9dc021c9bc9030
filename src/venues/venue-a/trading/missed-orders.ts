// For how long venue A has said nothing of orders that rested (venue-a.md §9.5): what was matched shows neither among what rests nor,
// for a while, among the trades, so one look that finds nothing is no end. Any thread.

import type { UnixMillis } from '../../../domain/numbers.ts';
import { limits } from '../../../limits.ts';

interface Miss {
  readonly since: UnixMillis;
  /** When it was missed last: between two looks far apart it may have been shown. */
  readonly last: UnixMillis;
}

export class MissedOrders {
  readonly #misses = new Map<string, Miss>();

  /** A look has not found it. Milliseconds since the first such, of looks without a gap. */
  miss(venueOrderId: string, now: UnixMillis): number {
    const before = this.#misses.get(venueOrderId);
    // A time to come was noted by a clock that has been set back.
    const goesOn = before !== undefined && before.last <= now && now - before.last <= limits.venueAMissGapMs;
    const since = goesOn ? before.since : now;
    if (before === undefined && this.#misses.size >= limits.venueAOrdersMissedMax)
      this.#misses.delete(this.#misses.keys().next().value!);
    this.#misses.set(venueOrderId, { since, last: now });
    return now - since;
  }

  /** It is shown, or its end is known. */
  forget(venueOrderId: string): void {
    this.#misses.delete(venueOrderId);
  }
}
