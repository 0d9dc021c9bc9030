// Compares an account's holdings at the venue with the sum of its fills. The venue's position is that of the actors and of `unattributed`
// together (contract §5). An unexplained difference goes to `unattributed` and is logged. It may be a holding from before the first
// reading, or shares that were split, merged or transferred. Only a difference that is seen twice counts, since the venue's list lags
// behind its trades. Engine thread.

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
  /** The holding at the venue less the holding here, by address, at the last look. */
  #differences: ReadonlyMap<string, MicroShares> = new Map();
  #dueAt = 0;
  #isLooking = false;

  constructor(parts: AccountParts, held: Pick<HeldRows, 'isUncertain'>) {
    this.#parts = parts;
    this.#held = held;
    this.#payouts = new UnseenPayouts(parts);
  }

  async checkIfDue(): Promise<void> {
    const { timers, trading } = this.#parts;
    if (this.#isLooking || !hasCome(this.#dueAt, timers.now(), limits.holdingsAuditMs)) return;
    // The next look is due a full pause after this look has ended, however long this look takes.
    this.#isLooking = true;
    try {
      const read = await trading.positions();
      // An unreadable row without an address may be of any address. Then no holding can be called missing from the list.
      if (read.ok && read.value.unread.every(({ addresses }) => addresses.length > 0)) await this.#compare(read.value);
    } finally {
      this.#isLooking = false;
      this.#dueAt = timers.now() + limits.holdingsAuditMs;
    }
  }

  /** Compares the venue's list of all holdings with the holdings here. It works in slices, so anything may change in between. */
  async #compare({ rows, unread }: Listed<VenuePosition>): Promise<void> {
    const atVenue = new Map(rows.map(({ address, size }) => [address, size] as const));
    const held = await this.#holdingsHere();
    for (const address of unread.flatMap(({ addresses }) => addresses)) held.delete(address);
    const before = this.#differences;
    this.#differences = await this.#differencesTo(atVenue, held);
    this.#payouts.beginLook();
    let requestsLeft: number = limits.payoutsAskedPerLook;
    for await (const [address, difference] of inTurns(this.#differences, limits.holdingsPerTurnMax)) {
      if (before.get(address) !== difference) continue;
      if (!atVenue.has(address) && (await this.#payouts.explainByPayout(address))) continue;
      // The list lags, leaves out addresses and rounds sizes. So the account's own balance decides, for as many addresses as one look may
      // ask about.
      const listed = atVenue.get(address) ?? NOTHING;
      const stated = requestsLeft-- > 0 ? await this.#parts.trading.holding(address) : ok(listed);
      if (stated.ok) this.#bookIfStable(address, difference, listed, stated.value);
    }
    await this.#payouts.lookAt(this.#offsetAddresses(held));
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

  /** Returns the size at the venue less the size here. Returns 0 as long as a difference may have a good reason. */
  #difference(reads: LiveReads, address: string, held: Held, atVenue: MicroShares): MicroShares {
    const { timers } = this.#parts;
    const difference = (atVenue - held.size) as MicroShares;
    // An open action of the wallet explains the difference once its result is known.
    if (reads.openActions(this.#parts.account.podId).some(it => concerns(it, address))) return NOTHING;
    // An unreadable fill will move this position later, and the venue's list lags behind a position that has just moved.
    if (difference === 0 || this.#held.isUncertain(address) || held.updatedAt >= timers.now() - limits.holdingsSettleMs)
      return NOTHING;
    // After its payout, a market may leave the venue's list at any time. Settlements report payouts.
    return this.#isOver(reads, address, held) ? NOTHING : difference;
  }

  #isOver(reads: LiveReads, address: string, held: Held): boolean {
    return held.isRedeemable || settledValue(reads, this.#parts.account, address) !== null;
  }

  /** Returns the addresses at which the owners' holdings cancel out, so that no list would show a payout. */
  #offsetAddresses(held: ReadonlyMap<string, Held>): readonly string[] {
    const { store } = this.#parts.ledger;
    return [...held]
      .filter(([address, it]) => it.isOpen && it.size === 0 && !this.#isOver(store, address, it))
      .map(([address]) => address);
  }

  /**
   * Books the difference to the venue's present balance. If anything was booked since the list was read, the next look decides instead.
   * `listed` is the difference to the list.
   */
  #bookIfStable(address: string, listed: MicroShares, atList: MicroShares, stated: MicroShares): void {
    const { account, ledger } = this.#parts;
    ledger.change(entry => {
      const { transaction } = entry;
      const held = this.#holdingAt(transaction, address);
      if (this.#difference(transaction, address, held, atList) !== listed) return;
      const difference = this.#difference(transaction, address, held, stated);
      if (difference !== 0) book(entry, account, address, difference);
    });
  }

  #owners(): readonly string[] {
    const { account, actorsOf } = this.#parts;
    return [...actorsOf(account.podId), unattributedOf(account.podId)];
  }

  /** Returns the holdings here by address, as sums over all owners. */
  async #holdingsHere(): Promise<Map<string, Held>> {
    const held = new Map<string, Held>();
    for await (const position of inTurns(this.#positions(), limits.holdingsPerTurnMax)) {
      const others = held.get(position.address) ?? NOT_HELD;
      held.set(position.address, addHeld(others, position));
    }
    return held;
  }

  *#positions(): Iterable<Position> {
    const { account, ledger } = this.#parts;
    for (const owner of this.#owners()) yield* ledger.store.positions(owner, account.venue);
  }

  #holdingAt(reads: LiveReads, address: string): Held {
    const { venue } = this.#parts.account;
    const positions = this.#owners().map(owner => reads.position(owner, venue, address));
    return positions.filter(position => position !== null).reduce<Held>(addHeld, NOT_HELD);
  }
}

function addHeld(one: Held, other: Position): Held {
  return {
    size: (one.size + other.size) as MicroShares,
    updatedAt: Math.max(one.updatedAt, other.updatedAt) as UnixMillis,
    isRedeemable: one.isRedeemable || other.isRedeemable,
    isOpen: one.isOpen || other.size !== 0,
  };
}

/**
 * Books a difference. Its cost is unknown, so more of the address costs 0. Less of the address is more of its other side, and costs 0 as
 * well.
 */
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
 * Explains holdings that the venue does not list. The market may have paid out and its shares been redeemed unnoticed. Or the owners'
 * holdings cancel out, so that the venue has nothing to list. The market's own state decides; only an unexplained rest is a difference.
 */
class UnseenPayouts {
  readonly #parts: Pick<AccountParts, 'account' | 'trading' | 'ledger' | 'actorsOf'>;
  #requestsLeft = 0;
  /** Markets about which the venue gave no answer. They wait until all other markets have had their turn. */
  readonly #unanswered = new Set<string>();
  /** The last address asked about. It rotates the holdings that cancel out, so that each gets its turn. */
  #lastAddress = '';

  constructor(parts: Pick<AccountParts, 'account' | 'trading' | 'ledger' | 'actorsOf'>) {
    this.#parts = parts;
  }

  /** Starts a look, with a new budget of market requests. */
  beginLook(): void {
    if (this.#requestsLeft > 0) this.#unanswered.clear();
    this.#requestsLeft = limits.payoutsAskedPerLook;
  }

  /** Looks at markets in which several owners have holdings, but the account has none. */
  async lookAt(offset: readonly string[]): Promise<void> {
    const sorted = offset.toSorted();
    const next = Math.max(
      0,
      sorted.findIndex(address => address > this.#lastAddress),
    );
    for (const address of [...sorted.slice(next), ...sorted.slice(0, next)]) {
      if (this.#requestsLeft === 0) return;
      await this.explainByPayout(address);
      this.#lastAddress = address;
    }
  }

  /** Returns whether a payout explains the holding, and books the payout. Also returns true while the venue cannot be asked. */
  async explainByPayout(address: string): Promise<boolean> {
    const { account, trading, ledger, actorsOf } = this.#parts;
    if (this.#requestsLeft === 0 || this.#unanswered.has(address)) return true;
    this.#requestsLeft -= 1;
    const payout = await trading.payoutOf(address);
    if (!payout.ok) {
      this.#unanswered.add(address);
      return true;
    }
    const value = payout.value;
    if (value === null) return false;
    const owners = actorsOf(account.podId);
    // The winnings become redeemable, and are later closed as redeemed, like other winnings.
    ledger.change(({ transaction, at }) => bookSettlement(transaction, account, owners, { address, value, at }));
    return true;
  }
}
