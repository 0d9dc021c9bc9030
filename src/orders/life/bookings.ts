// Moves the positions of actors and of the pod by fills and settlements (contract §5). Runs within the ledger's steps.

import { fraction, negative, plus, ZERO } from '../../core/domain/fraction.ts';
import {
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { isExact } from '../../core/domain/order-sums.ts';
import { changed, noPosition, type Position, settledAt } from '../../core/domain/position.ts';
import {
  type Account,
  type BookedChange,
  type LedgerTransaction,
  type LiveReads,
  UNATTRIBUTED,
} from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import type { Movement } from './fill-frame.ts';

type PositionTransaction = Pick<
  LedgerTransaction,
  'position' | 'movements' | 'fill' | 'mark' | 'putPosition' | 'addBooked' | 'putBooked' | 'deleteBooked' | 'putMark'
>;

interface Booking {
  readonly account: Account;
  /** The actor that made the trade. Null means that no owner is known. */
  readonly actorId: string | null;
  readonly at: UnixMillis;
}

/** Returns the owner, within a pod, of trades that no actor made. */
export function unattributedOf(podId: string): string {
  return `${UNATTRIBUTED}:${podId}`;
}

/** Whether the position stays exact after this change. */
export function canBook(
  reads: Pick<LiveReads, 'position'>,
  { account, actorId }: Omit<Booking, 'at'>,
  { address, positionChange, fee }: Movement,
): boolean {
  const held = reads.position(actorId ?? unattributedOf(account.podId), account.venue, address);
  const size = ((held?.size ?? 0) + positionChange) as MicroShares;
  return isExact({ size, fees: ((held?.fees ?? 0) + fee) as MicroDollars });
}

/** Books a change into a position. `fillId` is null for a change that is not a trade. */
export function bookFill(
  transaction: PositionTransaction,
  { account, actorId, at }: Booking,
  { address, positionChange: change, addressPrice, fee }: Movement,
  fillId: string | null,
): void {
  const { podId, venue } = account;
  const owner = actorId ?? unattributedOf(podId);
  const before = transaction.position(owner, venue, address) ?? noPosition(venue, address, at);
  // Only trades of venue A may fail later. Trades of venue B settle at once, so their changes are not kept.
  if (venue === 'venue_a') {
    forgetSettled(transaction, account, owner, address);
    transaction.addBooked(owner, { fillId, change, addressPrice, fee, before });
  }
  const value = settledValue(transaction, account, address);
  const booked = { change, addressPrice, fee, at };
  if (value === null) transaction.putPosition(owner, changed(before, booked));
  // A fill may be reported after its market has paid out. Then it is booked on the position before the payout, and paid out.
  else payOut(transaction, owner, changed(beforePayout(transaction, owner, before, value), booked), value, at);
}

/**
 * Takes a fill out of a position, and books the later changes again on the position as it was before the fill. If those changes are no
 * longer kept, books the opposite trade (ADR 0012). Returns false and does nothing if the position would not be exact.
 */
export function unbookFill(
  transaction: PositionTransaction,
  booking: Booking,
  movement: Movement,
  fillId: string,
): boolean {
  const { account, actorId, at } = booking;
  const owner = actorId ?? unattributedOf(account.podId);
  const since = bookedSince(transaction, account, owner, movement.address, fillId);
  if (since === null) {
    const positionChange = -movement.positionChange as MicroShares;
    const back = { ...movement, positionChange, fee: -movement.fee as MicroDollars };
    if (!canBook(transaction, booking, back)) return false;
    bookFill(transaction, booking, back, null);
    return true;
  }
  const { failed, later, held, value } = since;
  const again: BookedChange[] = [];
  let position = failed.before;
  for (const [index, it] of [failed, ...later].entries()) {
    if (it !== failed) {
      again.push({ ...it, before: position });
      position = changed(position, { ...it, at });
    }
    if (!isExact(position)) return false;
    const isPaidOut = !isFollowedBy(it, later[index]?.before ?? held);
    if (isPaidOut && value !== null) position = settledAt(position, value, at);
  }
  transaction.deleteBooked(owner, failed);
  for (const it of again) transaction.putBooked(owner, it);
  const left = { ...position, isRedeemable: held.isRedeemable, updatedAt: at };
  transaction.putPosition(owner, value === null ? left : afterPayout(left, value, at));
  const closed = closedByPayout(transaction, owner, left);
  if (closed !== null) noteClosed(transaction, owner, { ...left, ...closed, size: shrink(closed.size, failed.change) });
  return true;
}

interface BookedSince {
  readonly failed: BookedChange;
  readonly later: readonly BookedChange[];
  readonly held: Position;
  /** The value per unit at the payout. Null means that the market has not paid out. */
  readonly value: Ticks | null;
}

/** Returns the fill and the changes booked after it. Returns null if some of the changes are no longer kept. */
function bookedSince(
  transaction: PositionTransaction,
  account: Account,
  owner: string,
  address: string,
  fillId: string,
): BookedSince | null {
  const booked = transaction.movements(owner, account.venue, address, limits.bookedChangesKeptMax);
  const place = booked.findIndex(it => it.fillId === fillId);
  const failed = booked[place];
  const held = transaction.position(owner, account.venue, address);
  if (failed === undefined || held === null) return null;
  const later = booked.slice(place + 1);
  const value = settledValue(transaction, account, address);
  const isWhole = [failed, ...later].every((it, index) => isFollowedBy(it, later[index]?.before ?? held));
  return isWhole || value !== null ? { failed, later, held, value } : null;
}

/** Whether nothing, such as a payout, moved the position between this change and the next position. */
function isFollowedBy({ before, change }: BookedChange, next: Position): boolean {
  return before.size + change === next.size;
}

const FORGOTTEN_PER_FILL = 2;

/**
 * Drops changes whose trades can no longer fail, at least as many as arrive. Changes before the oldest trade that may still fail are not
 * needed.
 */
function forgetSettled(transaction: PositionTransaction, account: Account, owner: string, address: string): void {
  for (const booked of transaction.movements(owner, account.venue, address, FORGOTTEN_PER_FILL)) {
    const { fillId } = booked;
    if (fillId !== null && transaction.fill(account, fillId)?.fill.settlement !== 'CONFIRMED') return;
    transaction.deleteBooked(owner, booked);
  }
}

/** Books the payout of a market for every holder. Fills that are reported later are paid out as they are booked. */
export function bookSettlement(
  transaction: PositionTransaction,
  account: Account,
  owners: readonly string[],
  { address, value, at }: { readonly address: string; readonly value: Ticks; readonly at: UnixMillis },
): void {
  const { podId, venue } = account;
  const before = settledValue(transaction, account, address);
  if (before === value) return;
  transaction.putMark(markOf(account, address), String(value));
  for (const owner of [...owners, unattributedOf(podId)]) {
    const found = transaction.position(owner, venue, address);
    if (found === null) continue;
    const position = before === null ? found : beforePayout(transaction, owner, found, before);
    if (position.size !== 0) payOut(transaction, owner, position, value, at);
  }
}

/** The part of a holding that a payout closed. */
type Closed = Pick<Position, 'size' | 'average'>;

/** Pays out a position and notes the closed part. If the venue corrects its payout, the closed part is held again. */
function payOut(
  transaction: PositionTransaction,
  owner: string,
  position: Position,
  value: Ticks,
  at: UnixMillis,
): void {
  const after = afterPayout(position, value, at);
  noteClosed(transaction, owner, after.size === 0 ? position : { ...after, size: 0 as MicroShares });
  transaction.putPosition(owner, after);
}

/** Returns the position as it was before the payout at `value` closed it. */
function beforePayout(transaction: PositionTransaction, owner: string, position: Position, value: Ticks): Position {
  const closed = position.size === 0 ? closedByPayout(transaction, owner, position) : null;
  if (closed === null) return position;
  const { realized } = settledAt({ ...position, ...closed, realized: ZERO }, value, position.updatedAt);
  return { ...position, ...closed, realized: plus(position.realized, negative(realized)) };
}

function noteClosed(transaction: PositionTransaction, owner: string, position: Position): void {
  const { size, average } = position;
  const text = size === 0 ? '' : `${size} ${average.numerator} ${average.denominator}`;
  const name = closedMarkOf(owner, position);
  if ((transaction.mark(name) ?? '') !== text) transaction.putMark(name, text);
}

/** Returns the part of the position that a payout closed. Null means that no payout closed any part. */
function closedByPayout(transaction: PositionTransaction, owner: string, position: Position): Closed | null {
  const [size = '', numerator, denominator] = transaction.mark(closedMarkOf(owner, position))?.split(' ') ?? [];
  if (numerator === undefined || denominator === undefined) return null;
  return { size: Number(size) as MicroShares, average: fraction(BigInt(numerator), BigInt(denominator)) };
}

function shrink(size: MicroShares, change: MicroShares): MicroShares {
  return (size - change) as MicroShares;
}

/** Books a redemption that was seen at the venue: closes the position of every holder at its payout value. */
export function bookRedemption(
  transaction: PositionTransaction,
  account: Account,
  owners: readonly string[],
  { address, at }: { readonly address: string; readonly at: UnixMillis },
): void {
  const value = settledValue(transaction, account, address) ?? (TICKS_PER_DOLLAR as Ticks);
  for (const owner of [...owners, unattributedOf(account.podId)]) {
    const position = transaction.position(owner, account.venue, address);
    if (position === null || !position.isRedeemable) continue;
    transaction.putPosition(owner, { ...settledAt(position, value, at), isRedeemable: false });
  }
}

/** Returns the payout per unit. Null means that no payout is known. */
export function settledValue(reads: Pick<LiveReads, 'mark'>, account: Account, address: string): Ticks | null {
  const mark = reads.mark(markOf(account, address));
  return mark === null ? null : (Number(mark) as Ticks);
}

/** Returns the position after the payout. Venue A pays on redemption, so a winner stays held until then. */
function afterPayout(position: Position, value: Ticks, at: UnixMillis): Position {
  const isRedeemable = position.venue === 'venue_a' && value > 0 && position.size !== 0;
  return isRedeemable
    ? { ...position, isRedeemable, updatedAt: at }
    : { ...settledAt(position, value, at), isRedeemable };
}

function closedMarkOf(owner: string, { venue, address }: Position): string {
  return `paid/${owner}/${venue}/${address}`;
}

function markOf({ podId, venue }: Account, address: string): string {
  return `settled/${podId}/${venue}/${address}`;
}
