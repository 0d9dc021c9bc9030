// Which markets of the simulated venue are closed, and what they have paid.

import type { Venue } from '../../src/core/domain/market.ts';
import type { Ticks } from '../../src/core/domain/numbers.ts';

interface Payout {
  readonly value: Ticks;
  /** The account held some of it on balance: else no list has it. */
  readonly wasHeld: boolean;
}

export class TrueMarkets {
  readonly #closed = new Set<string>();
  readonly #paid = new Map<string, Payout>();
  readonly #values = new Map<string, Set<Ticks>>();
  readonly #redeemed = new Set<string>();

  /** Markets that are to pay something else than they do. */
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

  /** All that it was ever said to pay, also where nobody could see the last one any more. */
  values(address: string): ReadonlySet<Ticks> {
    return this.#values.get(address) ?? new Set();
  }

  /** At venue A: what was held is gone. */
  redeem(address: string): void {
    this.#redeemed.add(address);
  }

  payouts(): ReadonlyMap<string, Payout> {
    return this.#paid;
  }

  /** The account holds nothing of it any more: venue B pays at once, venue A when its shares are redeemed. */
  isOver(venue: Venue, address: string): boolean {
    return venue === 'venue_b' ? this.#paid.has(address) : this.#redeemed.has(address);
  }
}
