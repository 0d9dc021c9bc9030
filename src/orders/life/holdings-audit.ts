// Compares an account's holdings at the venue with the sum of its fills. Actors and `unattributed` together are the venue's position
// (contract §5). An unexplained difference goes to `unattributed` and is logged: a holding from before the first reading, or shares split,
// merged or transferred. Only a difference that is seen twice counts, since the venue's list lags behind its trades. Engine thread.

import {
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import type { Position } from '../../core/domain/position.ts';
import { ok } from '../../core/domain/result.ts';
import { concerns } from '../../core/domain/wallet-action.ts';
import { hasCome, inTurns } from '../../core/runtime/timers.ts';
import type { LiveReads } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import type { Listed, VenuePosition } from '../../venues/venue.ts';
import type { AccountParts } from './account-parts.ts';
import { bookFill, bookSettlement, canBook, settledValue, unattributedOf } from './bookings.ts';
import type { HeldRows } from './held-rows.ts';
import type { LedgerEntry } from './ledger-entry.ts';

/** The sum of all owners' holdings of one address. */
interface Held extends Pick<Position, 'size' | 'updatedAt' | 'isRedeemable'> {
  /** Whether any owner has a nonzero size. */
  readonly isOpen: boolean;
}

const NOTHING = 0 as MicroShares;
const NOT_HELD: Held = { size: NOTHING, updatedAt: 0 as UnixMillis, isRedeemable: false, isOpen: false };

export class HoldingsAudit {
  readonly #parts: AccountParts;
  readonly #held: Pick<HeldRows, 'isUncertain'>;
  readonly #payouts: UnseenPayouts;
  /** The excess at the venue by address, as of the last look. */
  #differences: ReadonlyMap<string, MicroShares> = new Map();
  #dueAt = 0;
  #isLooking = false;

  constructor(parts: AccountParts, held: Pick<HeldRows, 'isUncertain'>) {
    this.#parts = parts;
    this.#held = held;
    this.#payouts = new UnseenPayouts(parts);
  }

  async lookIfDue(): Promise<void> {
    const { timers, trading } = this.#parts;
    if (this.#isLooking || !hasCome(this.#dueAt, timers.now(), limits.holdingsAuditMs)) return;
    // The pause counts from the start of a look, so that two looks are apart however long one takes.
    this.#isLooking = true;
    try {
      const read = await trading.positions();
      // A row without an address may be any address: then nothing counts as missing from the list.
      if (read.ok && read.value.unread.every(({ addresses }) => addresses.length > 0)) await this.#compare(read.value);
    } finally {
      this.#isLooking = false;
      this.#dueAt = timers.now() + limits.holdingsAuditMs;
    }
  }

  /** Compares the venue's list of all holdings; in slices, since everything may change in between. */
  async #compare({ rows, unread }: Listed<VenuePosition>): Promise<void> {
    const atVenue = new Map(rows.map(({ address, size }) => [address, size] as const));
    const held = await this.#heldHere();
    for (const address of unread.flatMap(({ addresses }) => addresses)) held.delete(address);
    const before = this.#differences;
    this.#differences = await this.#differencesTo(atVenue, held);
    this.#payouts.beginLook();
    let asksLeft: number = limits.payoutsAskedPerLook;
    for await (const [address, difference] of inTurns(this.#differences, limits.holdingsPerTurnMax)) {
      if (before.get(address) !== difference) continue;
      if (!atVenue.has(address) && (await this.#payouts.explain(address))) continue;
      // The list lags, leaves out and rounds. The account's own balance decides, for as many addresses as a look may ask about.
      const listed = atVenue.get(address) ?? NOTHING;
      const stated = asksLeft-- > 0 ? await this.#parts.trading.holding(address) : ok(listed);
      if (stated.ok) this.#bookIfItLasts(address, difference, listed, stated.value);
    }
    await this.#payouts.lookAt(this.#offset(held));
  }

  async #differencesTo(
    atVenue: ReadonlyMap<string, MicroShares>,
    held: ReadonlyMap<string, Held>,
  ): Promise<ReadonlyMap<string, MicroShares>> {
    const { store } = this.#parts.ledger;
    const differences = new Map<string, MicroShares>();
    for await (const address of inTurns(new Set([...atVenue.keys(), ...held.keys()]), limits.holdingsPerTurnMax)) {
      const difference = this.#difference(
        store,
        address,
        held.get(address) ?? NOT_HELD,
        atVenue.get(address) ?? NOTHING,
      );
      if (difference !== 0) differences.set(address, difference);
    }
    return differences;
  }

  /** Size at the venue minus size here; 0 while no difference is due. */
  #difference(reads: LiveReads, address: string, held: Held, atVenue: MicroShares): MicroShares {
    const { timers } = this.#parts;
    const difference = (atVenue - held.size) as MicroShares;
    // An action of the wallet explains itself once it is known what became of it.
    if (reads.openActions(this.#parts.account.podId).some(it => concerns(it, address))) return NOTHING;
    // An unreadable fill will move this position later.
    if (difference === 0 || this.#held.isUncertain(address) || held.updatedAt >= timers.now() - limits.holdingsSettleMs)
      return NOTHING;
    // Settlements report payouts; the list drops a market at any time after its payout.
    return this.#isOver(reads, address, held) ? NOTHING : difference;
  }

  #isOver(reads: LiveReads, address: string, held: Held): boolean {
    return held.isRedeemable || settledValue(reads, this.#parts.account, address) !== null;
  }

  /** Addresses where the owners' holdings cancel out, so that no list shows a payout. */
  #offset(held: ReadonlyMap<string, Held>): readonly string[] {
    const { store } = this.#parts.ledger;
    return [...held]
      .filter(([address, it]) => it.isOpen && it.size === 0 && !this.#isOver(store, address, it))
      .map(([address]) => address);
  }

  /**
   * Books the difference to the venue's present balance, unless something was booked since the list was read; then the next look decides.
   * `listed` is the difference to the list.
   */
  #bookIfItLasts(address: string, listed: MicroShares, atList: MicroShares, stated: MicroShares): void {
    const { account, ledger } = this.#parts;
    ledger.change(entry => {
      const { transaction } = entry;
      const held = this.#heldAt(transaction, address);
      if (this.#difference(transaction, address, held, atList) !== listed) return;
      const difference = this.#difference(transaction, address, held, stated);
      if (difference !== 0) book(entry, account, address, difference);
    });
  }

  #owners(): readonly string[] {
    const { account, actorsOf } = this.#parts;
    return [...actorsOf(account.podId), unattributedOf(account.podId)];
  }

  /** Holdings by address, over all owners. */
  async #heldHere(): Promise<Map<string, Held>> {
    const held = new Map<string, Held>();
    for await (const position of inTurns(this.#positions(), limits.holdingsPerTurnMax)) {
      const others = held.get(position.address) ?? NOT_HELD;
      held.set(position.address, together(others, position));
    }
    return held;
  }

  *#positions(): Iterable<Position> {
    const { account, ledger } = this.#parts;
    for (const owner of this.#owners()) yield* ledger.store.positions(owner, account.venue);
  }

  #heldAt(reads: LiveReads, address: string): Held {
    const { venue } = this.#parts.account;
    const positions = this.#owners().map(owner => reads.position(owner, venue, address));
    return positions.filter(position => position !== null).reduce<Held>(together, NOT_HELD);
  }
}

function together(one: Held, other: Position): Held {
  return {
    size: (one.size + other.size) as MicroShares,
    updatedAt: Math.max(one.updatedAt, other.updatedAt) as UnixMillis,
    isRedeemable: one.isRedeemable || other.isRedeemable,
    isOpen: one.isOpen || other.size !== 0,
  };
}

/** The cost of the difference is unknown, so more of the address costs 0, and so does more of its other side. */
function book(entry: LedgerEntry, account: AccountParts['account'], address: string, difference: MicroShares): void {
  const { transaction, at } = entry;
  const addressPrice = (difference > 0 ? 0 : TICKS_PER_DOLLAR) as Ticks;
  const movement = { address, positionChange: difference, addressPrice, fee: 0 as MicroDollars };
  if (!canBook(transaction, { account, actorId: null }, movement)) return;
  bookFill(transaction, { account, actorId: null, at }, movement, null);
  const { podId, venue } = account;
  entry.diverged('position-differs', { podId, venue, address, microShares: String(difference) });
}

/**
 * Holdings that the venue does not list. The market may have paid out and its shares been redeemed unnoticed, or owners' holdings may cancel
 * out, so that there is nothing to list. The market's own state decides; only an unexplained rest is a difference.
 */
class UnseenPayouts {
  readonly #parts: Pick<AccountParts, 'account' | 'trading' | 'ledger' | 'actorsOf'>;
  #asksLeft = 0;
  /** Markets that could not be asked wait until all others have had their turn. */
  readonly #unanswered = new Set<string>();
  /** Rotates over holdings that cancel out, so that each gets its turn. */
  #askedLast = '';

  constructor(parts: Pick<AccountParts, 'account' | 'trading' | 'ledger' | 'actorsOf'>) {
    this.#parts = parts;
  }

  /** Starts a look, with a new budget of market requests. */
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
    // Winnings are then closed as redeemed, like others.
    ledger.change(({ transaction, at }) => bookSettlement(transaction, account, owners, { address, value, at }));
    return true;
  }
}
