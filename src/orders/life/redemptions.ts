// Closes redeemed winners (contract §5): tokens held here as redeemable that are missing twice in a row from the venue's list of redeemable
// tokens. That list lags and may go back, so the venue is asked about each token first. Engine thread.

import { concerns } from '../../core/domain/wallet-action.ts';
import { limits } from '../../limits.ts';
import type { AccountParts } from './account-parts.ts';
import { bookRedemption, unattributedOf } from './bookings.ts';

type RedemptionParts = Pick<AccountParts, 'account' | 'trading' | 'ledger' | 'background' | 'actorsOf'>;

export class Redemptions {
  readonly #parts: RedemptionParts;
  /** Tokens that were missing at the last look. */
  #missing: ReadonlySet<string> = new Set();
  #isAsking = false;
  /** Rotates over tokens, so that each gets its turn when there are many. */
  #asked = 0;

  constructor(parts: RedemptionParts) {
    this.#parts = parts;
  }

  /** Takes in the venue's list of all tokens that wait for redemption. */
  hear(waiting: readonly string[]): void {
    const listed = new Set(waiting);
    const missing = [...this.#held()].filter(address => !listed.has(address));
    const gone = missing.filter(address => this.#missing.has(address));
    this.#missing = new Set(missing);
    if (gone.length > 0 && !this.#isAsking) this.#parts.background.begin(() => this.#askOnce(gone));
  }

  async #askOnce(gone: readonly string[]): Promise<void> {
    this.#isAsking = true;
    try {
      await this.#ask(gone);
    } finally {
      this.#isAsking = false;
    }
  }

  /** A few tokens at a time: the others are missing at the next look, too. */
  async #ask(gone: readonly string[]): Promise<void> {
    const { account, trading, ledger, actorsOf } = this.#parts;
    const first = this.#asked % gone.length;
    const inTurn = [...gone.slice(first), ...gone.slice(0, first)].slice(0, limits.payoutsAskedPerLook);
    this.#asked += inTurn.length;
    for (const address of inTurn) {
      const holding = await trading.holding(address);
      if (!holding.ok || holding.value !== 0) continue;
      const owners = actorsOf(account.podId);
      ledger.change(({ transaction, at }) => {
        // A redeem of our own is booked once it is confirmed.
        const isOurs = transaction.openActions(account.podId).some(it => concerns(it, address));
        if (!isOurs) bookRedemption(transaction, account, owners, { address, at });
      });
    }
  }

  /** Addresses that any owner here holds as redeemable. */
  #held(): ReadonlySet<string> {
    const { account, ledger, actorsOf } = this.#parts;
    const addresses = new Set<string>();
    for (const owner of [...actorsOf(account.podId), unattributedOf(account.podId)]) {
      for (const { address, isRedeemable } of ledger.store.positions(owner, account.venue)) {
        if (isRedeemable) addresses.add(address);
      }
    }
    return addresses;
  }
}
