// Which markets have paid out. The stream reports that unreliably (venue-a.md §5.2), so the wallet's holdings are polled: shares of
// a resolved market are there until they are redeemed. Engine thread.

import type { Ticks } from '../../../domain/numbers.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import type { Log } from '../../../runtime/log.ts';
import type { Timers } from '../../../runtime/timers.ts';
import type { Listed, PrivateEvent } from '../../venue.ts';
import type { Holding } from './holdings.ts';
import { LOST, WON } from './payouts.ts';

export interface SettlementWatchParts {
  /** Holdings in resolved markets. */
  readonly resolved: () => Promise<Result<Listed<Holding>, string>>;
  /** From the market itself; null until it is resolved. */
  readonly payoutOf: (tokenId: string) => Promise<Result<Ticks | null, string>>;
  readonly timers: Timers;
  readonly log: Log;
  hear(event: PrivateEvent): void;
}

/** Between the final prices: its market is asked. */
const UNSAID = 1 as Ticks;

export class SettlementWatch {
  readonly #parts: SettlementWatchParts;
  #cancelTimer: () => void = () => {};
  #isClosed = false;
  /** Values reported at the last poll, so that the same value is not reported again. */
  #reported: ReadonlyMap<string, Ticks> = new Map();

  constructor(parts: SettlementWatchParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { resolved, timers, log, hear } = this.#parts;
    const holdings = await resolved();
    const values = holdings.ok ? await this.#valuesOf(holdings.value) : new Map<string, Ticks>();
    if (this.#isClosed) return;
    if (holdings.ok) {
      const { rows, unread } = holdings.value;
      for (const row of unread) hear({ type: 'unread', row });
      for (const [tokenId, value] of values) {
        if (this.#reported.get(tokenId) === value) continue;
        hear({ type: 'settled', address: tokenId, value, at: timers.now() });
      }
      const named = unread.flatMap(({ addresses }) => addresses);
      // A row without a token may be of any token: then no token counts as missing from the list.
      if (unread.every(({ addresses }) => addresses.length > 0))
        hear({ type: 'redeemable', addresses: [...rows.map(({ tokenId }) => tokenId), ...named] });
      this.#reported = values;
    } else log.warn('resolved markets unread', { venue: 'venue_a', message: holdings.error });
    this.#cancelTimer = timers.after(limits.venueASettlementPollMs, () => void this.start());
  }

  /** Tokens with a final value; a price that is not final has none. */
  async #valuesOf({ rows, unread }: Listed<Holding>): Promise<ReadonlyMap<string, Ticks>> {
    const values = new Map<string, Ticks>();
    let asksLeft: number = limits.venueAPayoutsAskedMax;
    const named = unread.flatMap(({ addresses }) => addresses).map(tokenId => ({ tokenId, paid: UNSAID }));
    for (const { tokenId, paid } of [...rows, ...named]) {
      if (paid === null) continue;
      const isFinal = paid === WON || paid === LOST;
      const known = isFinal ? paid : (this.#reported.get(tokenId) ?? null);
      const isAsked = known === null && asksLeft-- > 0;
      const payout = isAsked ? await this.#parts.payoutOf(tokenId) : ok(known);
      const value = payout.ok ? payout.value : null;
      if (value !== null) values.set(tokenId, value);
    }
    return values;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
  }
}
