// What actors and the pod hold, as fills and settlements move it (contract §5). Within the ledger's transactions.

import {
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../domain/numbers.ts';
import { isExact } from '../domain/order-sums.ts';
import { changed, noPosition, type Position, settledAt } from '../domain/position.ts';
import { type Account, type OrderTransaction, UNATTRIBUTED } from '../store/order-records.ts';
import type { Movement } from './fill-frame.ts';

export interface Booking {
  readonly account: Account;
  /** Null: nobody's. */
  readonly actorId: string | null;
  readonly at: UnixMillis;
}

/** Who owns in a pod what nobody here has made. */
export function unattributedOf(podId: string): string {
  return `${UNATTRIBUTED}:${podId}`;
}

/** Whether a position is exact still with it. */
export function canBook(
  reads: Pick<OrderTransaction, 'position'>,
  { account, actorId }: Omit<Booking, 'at'>,
  { address, positionChange, fee }: Movement,
): boolean {
  const held = reads.position(actorId ?? unattributedOf(account.podId), account.venue, address);
  const size = ((held?.size ?? 0) + positionChange) as MicroShares;
  return isExact({ size, fees: ((held?.fees ?? 0) + fee) as MicroDollars });
}

/** Into a position, or out of it with `sign` −1. */
export function bookFill(
  transaction: OrderTransaction,
  { account, actorId, at }: Booking,
  { address, positionChange, addressPrice, fee }: Movement,
  sign: 1 | -1,
): void {
  const { podId, venue } = account;
  const owner = actorId ?? unattributedOf(podId);
  const before = transaction.position(owner, venue, address) ?? noPosition(venue, address, at);
  const change = (sign * positionChange) as MicroShares;
  const after = changed(before, { change, addressPrice, fee: (sign * fee) as MicroDollars, at });
  // A fill may be told after its market has paid out.
  const value = settledValue(transaction, account, address);
  transaction.putPosition(owner, value === null ? after : paidOut(after, value, at));
}

/** A market has paid out: it is settled for everybody who holds it, and for whoever is told of a fill of it later. */
export function bookSettlement(
  transaction: OrderTransaction,
  account: Account,
  owners: readonly string[],
  { address, value, at }: { readonly address: string; readonly value: Ticks; readonly at: UnixMillis },
): void {
  const { podId, venue } = account;
  if (settledValue(transaction, account, address) === value) return;
  transaction.putMark(markOf(account, address), String(value));
  for (const owner of [...owners, unattributedOf(podId)]) {
    const position = transaction.position(owner, venue, address);
    if (position !== null && position.size !== 0) transaction.putPosition(owner, paidOut(position, value, at));
  }
}

/** Whatever waited to be redeemed has been: it is gone for everybody who held it, at what it pays. */
export function bookRedemption(
  transaction: OrderTransaction,
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

/** What one unit was worth when the market paid out; null if that is not known to have happened. */
export function settledValue(reads: Pick<OrderTransaction, 'mark'>, account: Account, address: string): Ticks | null {
  const mark = reads.mark(markOf(account, address));
  return mark === null ? null : (Number(mark) as Ticks);
}

/** Venue A pays when the winner is redeemed: until then it is held. */
function paidOut(position: Position, value: Ticks, at: UnixMillis): Position {
  if (position.size === 0) return position;
  const isHeld = position.venue === 'venue_a' && value > 0;
  return isHeld ? { ...position, isRedeemable: true, updatedAt: at } : settledAt(position, value, at);
}

function markOf({ podId, venue }: Account, address: string): string {
  return `settled/${podId}/${venue}/${address}`;
}
