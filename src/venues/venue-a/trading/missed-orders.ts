// How long venue A has not shown orders that rested (venue-a.md §9.5). A matched order is missing among open orders and, for a while,
// among trades too. So one look-up that finds nothing does not prove its end. Any thread.

import type { UnixMillis } from '../../../domain/numbers.ts';
import { limits } from '../../../limits.ts';

interface Miss {
  readonly since: UnixMillis;
  /** Time of the last miss: the order may have been shown between two distant look-ups. */
  readonly last: UnixMillis;
}

export class MissedOrders {
  readonly #misses = new Map<string, Miss>();

  /** A look-up did not find it. Returns milliseconds since the first miss of an unbroken series. */
  miss(venueOrderId: string, now: UnixMillis): number {
    const before = this.#misses.get(venueOrderId);
    // A time in the future: the clock was set back since.
    const goesOn = before !== undefined && before.last <= now && now - before.last <= limits.venueAMissGapMs;
    const since = goesOn ? before.since : now;
    if (before === undefined && this.#misses.size >= limits.venueAOrdersMissedMax)
      this.#misses.delete(this.#misses.keys().next().value!);
    this.#misses.set(venueOrderId, { since, last: now });
    return now - since;
  }

  /** The order is shown, or its end is known. */
  forget(venueOrderId: string): void {
    this.#misses.delete(venueOrderId);
  }
}
