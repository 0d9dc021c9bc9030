// The closed markets of the simulated venue, and the values that they have paid.

import type { Venue } from '../../src/core/domain/market.ts';
import type { Ticks } from '../../src/core/domain/numbers.ts';

interface Payout {
  readonly value: Ticks;
  /** Whether the account held a net size of the token. Otherwise no list has the token. */
  readonly wasHeld: boolean;
}

export class TrueMarkets {
  readonly #closed = new Set<string>();
  readonly #paid = new Map<string, Payout>();
  readonly #values = new Map<string, Set<Ticks>>();
  readonly #redeemed = new Set<string>();

  /** The markets that are to pay another value than they pay now. */
  readonly mayChange = new Set<string>();

  isClosed(address: string): boolean {
    return this.#closed.has(address);
  }

  close(address: string): void {
    this.#closed.add(address);
  }

  pay(address: string, value: Ticks, wasHeld: boolean): void {
    this.#paid.set(address, { value, wasHeld });
    this.#values.set(address, (this.#values.get(address) ?? new Set()).add(value));
  }

  /** Returns all values that the market was ever said to pay, including a last value that nobody could see any more. */
  values(address: string): ReadonlySet<Ticks> {
    return this.#values.get(address) ?? new Set();
  }

  /** Redeems at venue A: the held shares are gone. */
  redeem(address: string): void {
    this.#redeemed.add(address);
  }

  payouts(): ReadonlyMap<string, Payout> {
    return this.#paid;
  }

  /** Returns whether the account holds nothing of the market any more. Venue B pays at once; venue A pays when the shares are redeemed. */
  isOver(venue: Venue, address: string): boolean {
    return venue === 'venue_b' ? this.#paid.has(address) : this.#redeemed.has(address);
  }
}
