// Closes redeemed winners (contract §5): tokens that are held here as redeemable, but that the venue's list of redeemable tokens lacks
// twice in a row. That list lags and may go back, so the venue is first asked about each token. Engine thread.

import { concerns } from '../../core/domain/wallet-action.ts';
import { limits } from '../../limits.ts';
import type { AccountParts } from './account-parts.ts';
import { bookRedemption, unattributedOf } from './bookings.ts';

type RedemptionParts = Pick<AccountParts, 'account' | 'trading' | 'ledger' | 'background' | 'actorsOf'>;

export class Redemptions {
  readonly #parts: RedemptionParts;
  /** The tokens that were missing from the list at the last look. */
  #missing: ReadonlySet<string> = new Set();
  #isAsking = false;
  /** The number of tokens asked about so far. It rotates the list, so that each of many tokens gets its turn. */
  #checkedCount = 0;

  constructor(parts: RedemptionParts) {
    this.#parts = parts;
  }

  /** Takes in the venue's list of all tokens that wait for redemption. */
  handle(waiting: readonly string[]): void {
    const listed = new Set(waiting);
    const missing = [...this.#heldAddresses()].filter(address => !listed.has(address));
    const gone = missing.filter(address => this.#missing.has(address));
    this.#missing = new Set(missing);
    if (gone.length > 0 && !this.#isAsking) this.#parts.background.begin(() => this.#checkOnce(gone));
  }

  async #checkOnce(gone: readonly string[]): Promise<void> {
    this.#isAsking = true;
    try {
      await this.#check(gone);
    } finally {
      this.#isAsking = false;
    }
  }

  /** Asks about a few tokens. The other tokens are missing at the next look as well. */
  async #check(gone: readonly string[]): Promise<void> {
    const { account, trading, ledger, actorsOf } = this.#parts;
    const first = this.#checkedCount % gone.length;
    const next = [...gone.slice(first), ...gone.slice(0, first)].slice(0, limits.payoutsAskedPerLook);
    this.#checkedCount += next.length;
    for (const address of next) {
      const holding = await trading.holding(address);
      if (!holding.ok || holding.value !== 0) continue;
      const owners = actorsOf(account.podId);
      ledger.change(({ transaction, at }) => {
        // A redeem of ours is booked once it is confirmed, and not here.
        const isOurs = transaction.openActions(account.podId).some(it => concerns(it, address));
        if (!isOurs) bookRedemption(transaction, account, owners, { address, at });
      });
    }
  }

  /** Returns the addresses that any owner here holds as redeemable. */
  #heldAddresses(): ReadonlySet<string> {
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
