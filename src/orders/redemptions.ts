// Winners that have been redeemed (contract §5): held here as redeemable, and missing from the venue's list of what waits for it, twice
// running. That list lags behind, and may go back: so the venue is asked about each before it is believed. Engine thread.

import { limits } from '../limits.ts';
import type { AccountParts } from './account-parts.ts';
import { bookRedemption, unattributedOf } from './bookings.ts';

type RedemptionParts = Pick<AccountParts, 'account' | 'trading' | 'ledger' | 'background' | 'actorsOf'>;

export class Redemptions {
  readonly #parts: RedemptionParts;
  /** At the last look. */
  #missing: ReadonlySet<string> = new Set();
  #isAsking = false;
  /** How many have been asked about: where there are many, all have their turn. */
  #asked = 0;

  constructor(parts: RedemptionParts) {
    this.#parts = parts;
  }

  /** All that waits to be redeemed, as the venue lists it. */
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

  /** A few at a time: what is left is missing at the next look, too. */
  async #ask(gone: readonly string[]): Promise<void> {
    const { account, trading, ledger, actorsOf } = this.#parts;
    const first = this.#asked % gone.length;
    const inTurn = [...gone.slice(first), ...gone.slice(0, first)].slice(0, limits.payoutsAskedPerLook);
    this.#asked += inTurn.length;
    for (const address of inTurn) {
      const holds = await trading.holds(address);
      if (!holds.ok || holds.value) continue;
      const owners = actorsOf(account.podId);
      ledger.change(({ transaction, at }) => bookRedemption(transaction, account, owners, { address, at }));
    }
  }

  /** Addresses of what is redeemable here, whoever holds it. */
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
