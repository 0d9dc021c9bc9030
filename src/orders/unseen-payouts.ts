// Holdings that the venue does not list. The market may have paid out and its shares been redeemed unnoticed, or owners' holdings
// may cancel out, so that there is nothing to list. The market's own state decides; only an unexplained rest is a difference.
// Engine thread.

import { limits } from '../limits.ts';
import type { AccountParts } from './account-parts.ts';
import { bookSettlement } from './bookings.ts';

export class UnseenPayouts {
  readonly #parts: Pick<AccountParts, 'account' | 'trading' | 'ledger' | 'actorsOf'>;
  #asksLeft = 0;
  /** Markets that could not be asked wait until all others have had their turn. */
  readonly #unanswered = new Set<string>();
  /** Rotates over holdings that cancel out, so that each gets its turn. */
  #askedLast = '';

  constructor(parts: Pick<AccountParts, 'account' | 'trading' | 'ledger' | 'actorsOf'>) {
    this.#parts = parts;
  }

  /** Starts a look, with a new budget of markets to ask. */
  beginLook(): void {
    if (this.#asksLeft > 0) this.#unanswered.clear();
    this.#asksLeft = limits.payoutsAskedPerLook;
  }

  /** Markets where several owners hold something and the account holds nothing. */
  async lookAt(offset: readonly string[]): Promise<void> {
    const sorted = offset.toSorted();
    const next = Math.max(
      0,
      sorted.findIndex(address => address > this.#askedLast),
    );
    for (const address of [...sorted.slice(next), ...sorted.slice(0, next)]) {
      if (this.#asksLeft === 0) return;
      await this.explain(address);
      this.#askedLast = address;
    }
  }

  /** Whether a payout explains the holding and is booked; also true while the venue cannot be asked. */
  async explain(address: string): Promise<boolean> {
    const { account, trading, ledger, actorsOf } = this.#parts;
    if (this.#asksLeft === 0 || this.#unanswered.has(address)) return true;
    this.#asksLeft -= 1;
    const payout = await trading.payoutOf(address);
    if (!payout.ok) {
      this.#unanswered.add(address);
      return true;
    }
    const value = payout.value;
    if (value === null) return false;
    const owners = actorsOf(account.podId);
    // Winnings are then closed as redeemed, like any other.
    ledger.change(({ transaction, at }) => bookSettlement(transaction, account, owners, { address, value, at }));
    return true;
  }
}
