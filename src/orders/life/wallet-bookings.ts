// Books the effects of a confirmed action of a wallet (beyond §9). Balances prove that the action was executed, and positions move by it.
// Within the ledger's steps.

import {
  complementTicks,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { changed, noPosition } from '../../core/domain/position.ts';
import { isAutomatic, takenOf, type WalletAction, worthOf } from '../../core/domain/wallet-action.ts';
import type { Account, LedgerTransaction, LiveReads } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import type { VenueBalance } from '../../venues/venue.ts';
import { orderOfTrace } from './adoption.ts';
import { bookFill, bookRedemption, bookSettlement, unattributedOf } from './bookings.ts';
import { inFlightDebits } from './worst-cost.ts';

/** The shares of an action's token, and of its complement. */
export type PairOfShares = readonly [token: MicroShares, complement: MicroShares];

type Booking = Pick<LedgerTransaction, 'position' | 'movements' | 'fill' | 'mark' | 'putPosition' | 'addBooked'> &
  Pick<LedgerTransaction, 'putBooked' | 'deleteBooked' | 'putMark'>;

export const NO_SLACK: PairOfShares = [0 as MicroShares, 0 as MicroShares];

export function isSame(one: PairOfShares, other: PairOfShares): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

/** Returns the shares that all owners together hold by the ledger. */
export function heldShares(
  reads: Pick<LiveReads, 'position'>,
  owners: readonly string[],
  { podId, tokenId, complementId }: Pick<WalletAction, 'podId' | 'tokenId' | 'complementId'>,
): PairOfShares {
  const held = (address: string): MicroShares =>
    [...owners, unattributedOf(podId)].reduce(
      (sum, owner) => sum + (reads.position(owner, 'venue_a', address)?.size ?? 0),
      0,
    ) as MicroShares;
  return [held(tokenId), held(complementId)];
}

/** The sums of trades of all owners that the chain may not have yet. They are signed, but may still fail. */
export interface Unsettled {
  readonly bought: PairOfShares;
  readonly sold: PairOfShares;
}

export function unsettledOf(
  reads: Pick<LiveReads, 'movements' | 'fill'>,
  owners: readonly string[],
  { podId, tokenId, complementId }: Pick<WalletAction, 'podId' | 'tokenId' | 'complementId'>,
): Unsettled {
  const account = { podId, venue: 'venue_a' } as const;
  const changesOf = (address: string): number[] =>
    [...owners, unattributedOf(podId)]
      .flatMap(owner => [...reads.movements(owner, 'venue_a', address, limits.bookedChangesKeptMax)])
      .filter(({ fillId }) => {
        const settlement = fillId === null ? undefined : reads.fill(account, fillId)?.fill.settlement;
        return settlement === 'MATCHED' || settlement === 'RETRYING';
      })
      .map(({ change }) => change);
  const changes = [changesOf(tokenId), changesOf(complementId)] as const;
  const sum = (index: 0 | 1, direction: 1 | -1): MicroShares =>
    changes[index].reduce((total, change) => total + Math.max(0, direction * change), 0) as MicroShares;
  return { bought: [sum(0, 1), sum(1, 1)], sold: [sum(0, -1), sum(1, -1)] };
}

/** Returns how much unsettled trades may change each balance. */
export function uncertaintyOf({ bought, sold }: Unsettled): PairOfShares {
  return [(bought[0] + sold[0]) as MicroShares, (bought[1] + sold[1]) as MicroShares];
}

/**
 * Returns the tokens whose fresh balance does not show the change that the action was to make. None means that the balances show the action
 * as executed. `held` is what the ledger says meanwhile. `slack` is how much a balance may differ for other reasons.
 */
export function unchangedTokens(
  { kind, isOfWallet, shares, excess, tokenId, complementId }: WalletAction,
  balances: PairOfShares,
  held: PairOfShares,
  slack: PairOfShares,
): readonly string[] {
  const isChanged = (index: 0 | 1): boolean => {
    // A redeem of the whole wallet burns all shares.
    if (isOfWallet) return balances[index] <= slack[index];
    const difference = balances[index] - held[index] - excess[index];
    return kind === 'SPLIT' ? difference >= shares - slack[index] : difference <= slack[index] - shares;
  };
  const isOther = kind !== 'REDEEM' || isOfWallet;
  return [...(isChanged(0) ? [] : [tokenId]), ...(isOther && !isChanged(1) ? [complementId] : [])];
}

/**
 * Returns the shares of the wallet beyond those that the ledger and its unsettled trades explain. A negative number means that the wallet
 * has fewer shares. Unsettled purchases explain missing shares only, and unsettled sales explain surplus shares only.
 */
export function excessOf(balances: PairOfShares, held: PairOfShares, { bought, sold }: Unsettled): PairOfShares {
  const of = (index: 0 | 1): MicroShares => {
    const difference = balances[index] - held[index];
    const least = Math.min(0, difference + bought[index]);
    return Math.max(least, difference - sold[index]) as MicroShares;
  };
  return [of(0), of(1)];
}

interface Evidence {
  readonly balances: PairOfShares;
  readonly held: PairOfShares;
  readonly unsettled: PairOfShares;
  /** Whether the relayer confirms our own transaction. */
  readonly isConfirmed: boolean;
  /** Whether the nonce has been used for so long that every earlier trade is booked. */
  readonly isLong: boolean;
  /** Whether the ledger has booked no payout of the market. A payout closes losing shares that stay in the wallet. */
  readonly isComparable: boolean;
}

/** A hundredth of a share. Anybody may send the wallet such an amount. */
const DUST = 10_000;

/**
 * Whether fresh balances prove that an action with a used nonce was executed. Unsettled trades blur the balances; then the relayer must
 * confirm the transaction as well.
 */
export function isProven(
  action: WalletAction,
  { balances, held, unsettled, isConfirmed, isLong, isComparable }: Evidence,
): boolean {
  const isSettled = unsettled[0] === 0 && unsettled[1] === 0;
  const unchanged = unchangedTokens(action, balances, held, NO_SLACK);
  if (isSettled && unchanged.length === 0) return true;
  // Even if the unsettled trades explained as much as they can, the balances would be different without the action.
  const isMore = !action.isOfWallet && unsettled.every(it => action.shares > 2 * it);
  if (isMore && unchangedTokens(action, balances, held, unsettled).length === 0) return true;
  const slack = [(unsettled[0] + DUST) as MicroShares, (unsettled[1] + DUST) as MicroShares] as const;
  if (isConfirmed && unchangedTokens(action, balances, held, slack).length === 0) return true;
  // Shares may have come to the wallet since then, and hide those that are gone. But without the action, the balances would be the same as
  // before.
  const isReadable = isLong && (isComparable || action.kind === 'REDEEM');
  if (isConfirmed && isSettled && isReadable && !isUntouched(action, balances, held)) return true;
  // One of a pair's two balances may have changed for another reason since then.
  return action.kind !== 'REDEEM' && unchanged.length === 1 && isSettled && (isConfirmed || (isLong && isComparable));
}

/** Whether the balances are exactly what they would be without the action. */
function isUntouched({ isOfWallet, kind, excess }: WalletAction, balances: PairOfShares, held: PairOfShares): boolean {
  if (isOfWallet) return isSame(balances, excess);
  const isAsBefore = (index: 0 | 1): boolean => balances[index] === held[index] + excess[index];
  return isAsBefore(0) && (kind === 'REDEEM' || isAsBefore(1));
}

/** Returns the shares of an actor that no resting sale and no other open action takes. */
export function freeShares(
  reads: Pick<LiveReads, 'position' | 'pending'>,
  { actorId }: Pick<WalletAction, 'actorId'>,
  address: string,
  others: readonly WalletAction[],
): MicroShares {
  const held = reads.position(actorId, 'venue_a', address)?.size ?? 0;
  const offered = reads.pending(actorId, 'venue_a', address).growth(-1);
  return Math.max(0, held - offered - takenOf(others, actorId, address)) as MicroShares;
}

/** Returns the cash that no order uses. An order in flight uses cash as well. */
export function freeCash(
  reads: Pick<LiveReads, 'unclearOrders' | 'position' | 'order' | 'orderOfVenue'>,
  { podId }: Pick<WalletAction, 'podId'>,
  { available, committedTo }: VenueBalance,
): MicroDollars {
  const account = { podId, venue: 'venue_a' } as const;
  const counted = new Set(committedTo.map(name => orderOfTrace(reads, account, name)));
  return (available - inFlightDebits(reads, account, counted)) as MicroDollars;
}

/** Whether an automatic redeem would pay more than the amount for which its bounds were checked. Up to a cent may be dust. */
export function isPayingMore(
  { isOfWallet, payout, amount, ...action }: WalletAction,
  [token, complement]: PairOfShares,
): boolean {
  if (payout === null || !isOfWallet || !isAutomatic(action)) return false;
  return worthOf(token, payout) + worthOf(complement, complementTicks(payout)) > amount + DUST;
}

/** Returns the words for a wallet that has too little cash or too few shares. Null means that it has enough. */
export function lackText(
  { kind, isOfWallet, shares, amount }: WalletAction,
  [token, complement]: PairOfShares,
  cash: MicroDollars | null,
): string | null {
  if (kind === 'SPLIT') return cash !== null && cash < amount ? 'orders use some of that cash by now' : null;
  const needed = isOfWallet ? 1 : shares;
  const isEnough = token >= needed && (kind === 'REDEEM' || complement >= needed);
  return isEnough ? null : 'the wallet holds less than that, by the venue';
}

/** The price of each side of a pair. A pair pays one dollar, of which the venue's own statements give each side a half. */
const HALF = (TICKS_PER_DOLLAR / 2) as Ticks;

/** Moves all positions that the action has changed. Returns the amount that it paid out, or in. */
export function bookAction(
  transaction: Booking,
  account: Account,
  owners: readonly string[],
  action: WalletAction,
  at: UnixMillis,
): MicroDollars {
  const { kind, shares, payout, tokenId, complementId, actorId } = action;
  if (kind === 'REDEEM' && payout !== null) {
    bookSettlement(transaction, account, owners, { address: tokenId, value: payout, at });
    const other = complementTicks(payout);
    bookSettlement(transaction, account, owners, { address: complementId, value: other, at });
    if (!action.isOfWallet) return redeemShares(transaction, action, payout, at);
    for (const address of [tokenId, complementId]) bookRedemption(transaction, account, owners, { address, at });
    // The chain pays for everything that the wallet held, whether or not the ledger knew of it.
    const [held, heldOther] = action.excess;
    return (worthOf(held, payout) + worthOf(heldOther, other)) as MicroDollars;
  }
  const positionChange = (kind === 'SPLIT' ? shares : -shares) as MicroShares;
  for (const address of [tokenId, complementId]) {
    const movement = { address, positionChange, addressPrice: HALF, fee: 0 as MicroDollars };
    bookFill(transaction, { account, actorId, at }, movement, null);
  }
  return action.amount;
}

/**
 * Takes all shares that the chain has burned off the position. If an earlier trade has failed meanwhile, the owner is in debt for the
 * missing shares.
 */
function redeemShares(
  transaction: Booking,
  { actorId, tokenId, shares }: WalletAction,
  payout: Ticks,
  at: UnixMillis,
): MicroDollars {
  const before = transaction.position(actorId, 'venue_a', tokenId) ?? noPosition('venue_a', tokenId, at);
  const movement = { change: -shares as MicroShares, addressPrice: payout, fee: 0 as MicroDollars };
  // The change is kept as booked, because an earlier trade may still fail.
  transaction.addBooked(actorId, { fillId: null, ...movement, before });
  const left = changed(before, { ...movement, at });
  transaction.putPosition(actorId, { ...left, isRedeemable: left.size !== 0 });
  return worthOf(shares, payout);
}
