// Winners that have been redeemed (contract §5): held here as redeemable, and missing from the venue's list of what waits for it, twice
// running, since that list lags behind. Executions thread.

import type { AccountParts } from './account-parts.ts';
import { bookRedemption, unattributedOf } from './bookings.ts';

export class Redemptions {
  readonly #parts: Pick<AccountParts, 'account' | 'ledger' | 'actorsOf'>;
  /** At the last look. */
  #missing: ReadonlySet<string> = new Set();

  constructor(parts: Pick<AccountParts, 'account' | 'ledger' | 'actorsOf'>) {
    this.#parts = parts;
  }

  /** All that waits to be redeemed, as the venue lists it. */
  hear(waiting: readonly string[]): void {
    const { account, ledger, actorsOf } = this.#parts;
    const owners = actorsOf(account.podId);
    const listed = new Set(waiting);
    const missing = [...this.#held(owners)].filter(address => !listed.has(address));
    const redeemed = missing.filter(address => this.#missing.has(address));
    this.#missing = new Set(missing);
    if (redeemed.length === 0) return;
    ledger.change(({ transaction, at }) => {
      for (const address of redeemed) bookRedemption(transaction, account, owners, { address, at });
    });
  }

  /** Addresses of what is redeemable here, whoever holds it. */
  #held(owners: readonly string[]): ReadonlySet<string> {
    const { account, ledger } = this.#parts;
    const addresses = new Set<string>();
    for (const owner of [...owners, unattributedOf(account.podId)]) {
      for (const { address, isRedeemable } of ledger.store.positions(owner, account.venue)) {
        if (isRedeemable) addresses.add(address);
      }
    }
    return addresses;
  }
}
