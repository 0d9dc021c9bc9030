// Which markets have paid out. The stream tells it unreliably (venue-a.md §5.2), so the wallet's holdings are looked through now and
// then: shares of a resolved market are there until they are redeemed, and gone afterwards. Engine thread.

import type { Ticks } from '../../../domain/numbers.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import type { Log } from '../../../runtime/log.ts';
import type { Timers } from '../../../runtime/timers.ts';
import type { Listed, PrivateEvent } from '../../venue.ts';
import type { Holding } from './holdings.ts';
import { LOST, WON } from './payouts.ts';

export interface SettlementWatchParts {
  /** Those of resolved markets. */
  readonly resolved: () => Promise<Result<Listed<Holding>, string>>;
  /** By the market itself; null as long as it is not resolved. */
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
  /** What was told of the tokens that were there at the last look: what stays is not told again and again. */
  #told: ReadonlyMap<string, Ticks> = new Map();

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
        if (this.#told.get(tokenId) === value) continue;
        hear({ type: 'settled', address: tokenId, value, at: timers.now() });
      }
      const named = unread.flatMap(({ addresses }) => addresses);
      // A row without a token may be of any token: then nothing counts as missing from the list.
      if (unread.every(({ addresses }) => addresses.length > 0))
        hear({ type: 'redeemable', addresses: [...rows.map(({ tokenId }) => tokenId), ...named] });
      this.#told = values;
    } else log.warn('resolved markets unread', { venue: 'venue_a', message: holdings.error });
    this.#cancelTimer = timers.after(limits.venueASettlementPollMs, () => void this.start());
  }

  /** Of those whose value is final: a price that is still on its way there is none. */
  async #valuesOf({ rows, unread }: Listed<Holding>): Promise<ReadonlyMap<string, Ticks>> {
    const values = new Map<string, Ticks>();
    let asksLeft: number = limits.venueAPayoutsAskedMax;
    const named = unread.flatMap(({ addresses }) => addresses).map(tokenId => ({ tokenId, paid: UNSAID }));
    for (const { tokenId, paid } of [...rows, ...named]) {
      if (paid === null) continue;
      const isFinal = paid === WON || paid === LOST;
      const known = isFinal ? paid : (this.#told.get(tokenId) ?? null);
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
