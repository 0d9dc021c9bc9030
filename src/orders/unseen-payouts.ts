// Holdings that the venue does not list: a market may have paid out, and its shares been redeemed, while nobody here looked; and what one
// owner holds may be what another owes, or the other side of it, so that there is nothing to be listed. The market says so for good; only
// what it does not explain is a difference. Engine thread.

import { limits } from '../limits.ts';
import type { AccountParts } from './account-parts.ts';
import { bookSettlement } from './bookings.ts';

export class UnseenPayouts {
  readonly #parts: Pick<AccountParts, 'account' | 'trading' | 'ledger' | 'actorsOf'>;
  #asksLeft = 0;
  /** Those that could not be asked have their turn again when all others have had theirs. */
  readonly #unanswered = new Set<string>();
  /** Of those that cancel out: where there are many, all have their turn. */
  #askedLast = '';

  constructor(parts: Pick<AccountParts, 'account' | 'trading' | 'ledger' | 'actorsOf'>) {
    this.#parts = parts;
  }

  /** A look at what is held begins: so many markets are asked in it. */
  beginLook(): void {
    if (this.#asksLeft > 0) this.#unanswered.clear();
    this.#asksLeft = limits.payoutsAskedPerLook;
  }

  /** Of markets in which several owners hold something, and the account nothing. */
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

  /** Whether a payout is why it is gone, which is booked then; also as long as that cannot be asked. */
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
    // What was won is closed as redeemed afterwards, like any other.
    ledger.change(({ transaction, at }) => bookSettlement(transaction, account, owners, { address, value, at }));
    return true;
  }
}
