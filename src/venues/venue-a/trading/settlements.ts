// Which markets have paid out. The stream tells it unreliably (venue-a.md §5.2), so the wallet's holdings are looked through now and
// then: shares of a resolved market are there until they are redeemed, and gone afterwards. Executions thread.

import type { Result } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import type { Log } from '../../../runtime/log.ts';
import type { Timers } from '../../../runtime/timers.ts';
import type { PrivateEvent } from '../../venue.ts';
import type { Holding } from './holdings.ts';

export interface SettlementWatchParts {
  /** Those of resolved markets. */
  readonly resolved: () => Promise<Result<readonly Holding[], string>>;
  readonly timers: Timers;
  readonly log: Log;
  hear(event: PrivateEvent): void;
}

export class SettlementWatch {
  readonly #parts: SettlementWatchParts;
  #cancelTimer: () => void = () => {};
  #isClosed = false;
  /** Tokens that were there at the last look: what stays is not told again and again. */
  #told: ReadonlySet<string> = new Set();

  constructor(parts: SettlementWatchParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { resolved, timers, log, hear } = this.#parts;
    const holdings = await resolved();
    if (this.#isClosed) return;
    if (holdings.ok) {
      for (const { tokenId, paid } of holdings.value) {
        if (paid === null || this.#told.has(tokenId)) continue;
        hear({ type: 'settled', address: tokenId, value: paid, at: timers.now() });
      }
      const addresses = holdings.value.map(({ tokenId }) => tokenId);
      hear({ type: 'redeemable', addresses });
      this.#told = new Set(addresses);
    } else log.warn('resolved markets unread', { venue: 'venue_a', message: holdings.error });
    this.#cancelTimer = timers.after(limits.venueASettlementPollMs, () => void this.start());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
  }
}
