// What the venue says that an account holds, against what its fills have brought everybody here (contract §5: actors and
// `unattributed` together are the venue's position). What is not explained goes to `unattributed`, with a word: a holding from before
// the first reading, shares split, merged or moved elsewhere. Not at first sight: a venue's list lags behind its trades. Executions
// thread.

import { type MicroDollars, type MicroShares, TICKS_PER_DOLLAR, type Ticks } from '../domain/numbers.ts';
import { limits } from '../limits.ts';
import type { OrderReads } from '../store/order-records.ts';
import type { VenuePosition } from '../venues/venue.ts';
import type { AccountParts } from './account-executions.ts';
import { bookFill, settledValue, unattributedOf } from './bookings.ts';
import type { LedgerEntry } from './ledger-entry.ts';

type Differences = ReadonlyMap<string, MicroShares>;

interface Held {
  size: MicroShares;
  /** Unix milliseconds. */
  updatedAt: number;
  isRedeemable: boolean;
}

export class HoldingsAudit {
  readonly #parts: AccountParts;
  /** At the last look: what the venue has more than is known here. */
  #differences: Differences = new Map();
  #dueAt = 0;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  async lookIfDue(): Promise<void> {
    const { timers, trading } = this.#parts;
    if (timers.now() < this.#dueAt) return;
    // Two looks are a while apart, however long one takes.
    this.#dueAt = Number.POSITIVE_INFINITY;
    const read = await trading.positions();
    this.#dueAt = timers.now() + limits.holdingsAuditMs;
    if (read.ok) this.hear(read.value);
  }

  /** All that the account holds, as the venue lists it. */
  hear(listed: readonly VenuePosition[]): void {
    const { account, ledger } = this.#parts;
    const differences = this.#differencesTo(listed);
    const lasting = [...differences].filter(([address, difference]) => this.#differences.get(address) === difference);
    this.#differences = differences;
    if (lasting.length === 0) return;
    const atVenue = sizesOf(listed);
    ledger.change(entry => {
      for (const [address, difference] of lasting) {
        const { size } = this.#heldOf(entry.transaction, address);
        // Else something was booked meanwhile: the next look says what is left of it.
        if (size + difference === (atVenue.get(address) ?? 0)) book(entry, account, address, difference);
      }
    });
  }

  #differencesTo(listed: readonly VenuePosition[]): Differences {
    const { account, ledger, timers } = this.#parts;
    const atVenue = sizesOf(listed);
    const youngest = timers.now() - limits.holdingsSettleMs;
    const differences = new Map<string, MicroShares>();
    for (const address of new Set([...atVenue.keys(), ...this.#knownAddresses()])) {
      const held = this.#heldOf(ledger.store, address);
      const difference = ((atVenue.get(address) ?? 0) - held.size) as MicroShares;
      // What has paid out is told by settlements, and leaves a venue's list when it likes.
      const isOver = held.isRedeemable || settledValue(ledger.store, account, address) !== null;
      if (difference !== 0 && !isOver && held.updatedAt < youngest) differences.set(address, difference);
    }
    return differences;
  }

  #owners(): readonly string[] {
    const { account, actorsOf } = this.#parts;
    return [...actorsOf(account.podId), unattributedOf(account.podId)];
  }

  #knownAddresses(): readonly string[] {
    const { account, ledger } = this.#parts;
    return this.#owners().flatMap(owner =>
      [...ledger.store.positions(owner, account.venue)].filter(({ size }) => size !== 0).map(({ address }) => address),
    );
  }

  /** By everybody here. */
  #heldOf(reads: OrderReads, address: string): Readonly<Held> {
    const held: Held = { size: 0 as MicroShares, updatedAt: 0, isRedeemable: false };
    for (const owner of this.#owners()) {
      const position = reads.position(owner, this.#parts.account.venue, address);
      if (position === null) continue;
      held.size = (held.size + position.size) as MicroShares;
      held.updatedAt = Math.max(held.updatedAt, position.updatedAt);
      held.isRedeemable ||= position.isRedeemable;
    }
    return held;
  }
}

function sizesOf(listed: readonly VenuePosition[]): ReadonlyMap<string, MicroShares> {
  return new Map(listed.map(({ address, size }) => [address, size]));
}

/** What it has cost is not known: nothing, either way. */
function book(
  { transaction, at, diverged }: LedgerEntry,
  account: AccountParts['account'],
  address: string,
  difference: MicroShares,
): void {
  const addressPrice = (difference > 0 ? 0 : TICKS_PER_DOLLAR) as Ticks;
  const movement = { address, positionChange: difference, addressPrice, fee: 0 as MicroDollars };
  bookFill(transaction, { account, actorId: null, at }, movement, 1);
  const { podId, venue } = account;
  diverged('position-differs', { podId, venue, address, microShares: String(difference) });
}
