// Requests of callers to a wallet (beyond §9): the check whether the action can be done, the record, and the answer. Engine thread.

import { type Refused, refused, unavailable, unknownOutcome } from '../../core/domain/answer.ts';
import {
  formatMicroDollars,
  formatMicroShares,
  MICROS_PER_DOLLAR,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import type { OperationReply, WalletOperation } from '../../core/domain/operation.ts';
import type { OrderId } from '../../core/domain/order.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import { madeOf, takenOf, type WalletAction, worthOf } from '../../core/domain/wallet-action.ts';
import { type Timers, within } from '../../core/runtime/timers.ts';
import type { LiveReads } from '../../core/store/order-records.ts';
import { actionView } from '../../core/wire/order-views.ts';
import { refusedReply, replayedReply, replyOf } from '../../core/wire/replies.ts';
import { limits } from '../../limits.ts';
import type { VenueTrading } from '../../venues/venue.ts';
import type { WalletToken } from '../../venues/wallet-port.ts';
import type { Ledger } from './ledger.ts';
import { firstResult } from './order-waiters.ts';
import { lateText } from './submission.ts';
import { freeCash, freeShares, heldShares } from './wallet-bookings.ts';
import { walletLimits } from './wallet-limits.ts';
import type { WalletQueue } from './wallet-queue.ts';

export interface WalletRequestParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  readonly trading: VenueTrading;
  readonly queue: WalletQueue;
  /** The full ids of the pod's actors. */
  readonly actors: readonly string[];
}

/** An action that a caller requests. A null `shares` means all shares. */
export interface WantedAction
  extends Pick<WalletAction, 'actionId' | 'podId' | 'actorId' | 'idempotencyKey' | 'bodySha256Hex'>,
    Pick<WalletAction, 'kind' | 'tokenId'>,
    Pick<WalletOperation, 'limits' | 'notAfter' | 'names'> {
  readonly shares: MicroShares | null;
}

/** Returns the earlier use of the key: the same action in its present state, or a conflict. Null means that the key is free. */
export function earlierAction(reads: Pick<LiveReads, 'action'>, wanted: Earlier): Result<WalletAction, Refused> | null {
  const found = reads.action(wanted.actionId);
  if (found === null) return null;
  if (found.bodySha256Hex === wanted.bodySha256Hex) return ok(found);
  return fail(refused('idempotencyConflict', `${wanted.names.idempotencyKey}: was used before with a different body`));
}

type Earlier = Pick<WantedAction, 'actionId' | 'bodySha256Hex' | 'names'>;

/** Records the action, unless its key was used before or the action cannot be done. */
export async function recordAction(
  { ledger, timers, trading, queue, actors }: WalletRequestParts,
  wanted: WantedAction,
): Promise<Result<WalletAction, Refused>> {
  const { wallet } = trading;
  const problem = wallet === undefined ? 'the account has no wallet' : wallet.problem;
  if (wallet === undefined || problem !== null) return fail(refused('invalid', `tokenId: ${problem}`));
  const asked = [wallet.token(wanted.tokenId), wanted.kind === 'SPLIT' ? trading.balance() : null] as const;
  // The wait is bounded, because the request holds a place of the orders meanwhile.
  const read = await within(timers, limits.venueAnswerTimeoutMs, Promise.all(asked));
  if (read === null) return fail(unavailable('venue A does not describe the token in time: nothing was recorded'));
  const [token, cash] = read;
  if (!token.ok) {
    const { isUnknown, message } = token.error;
    return fail(isUnknown ? refused('notFound', 'tokenId: no such market') : unavailable(message));
  }
  if (cash !== null && !cash.ok) return fail(refused(cash.error.kind, cash.error.message));
  const recorded = ledger.change(entry => {
    const { transaction, at } = entry;
    const earlier = earlierAction(transaction, wanted);
    if (earlier !== null) return earlier;
    const available = cash === null ? null : freeCash(transaction, wanted, cash.value);
    const made = newAction(transaction, wanted, token.value, { actors, available, at });
    return made.ok ? ok(entry.putAction(made.value)) : made;
  });
  queue.begin();
  return recorded;
}

interface Around {
  readonly actors: readonly string[];
  /** The cash that no order uses, as the venue states it. Null means that the action is not a split. */
  readonly available: MicroDollars | null;
  readonly at: UnixMillis;
}

/** Returns the action as it is first recorded. The error says why it cannot be done. */
export function newAction(
  reads: LiveReads,
  wanted: WantedAction,
  token: WalletToken,
  { actors, available, at }: Around,
): Result<WalletAction, Refused> {
  const { notAfter, names, podId, kind } = wanted;
  if (notAfter !== null && at > notAfter) return fail(refused('invalid', lateText(notAfter as UnixMillis, at, names)));
  const open = reads.openActions(podId);
  if (open.length >= walletLimits.walletActionsOpenMax)
    return fail(unavailable('too many actions of the wallet are open (walletActionsOpenMax)'));
  const terms =
    kind === 'REDEEM'
      ? redeemTerms(reads, wanted, token, actors)
      : kind === 'MERGE'
        ? mergeTerms(reads, wanted, token)
        : splitTerms(reads, wanted, token, available ?? (0 as MicroDollars));
  if (!terms.ok) return terms;
  const { actionId, actorId, idempotencyKey, bodySha256Hex, tokenId } = wanted;
  return ok({
    actionId,
    podId,
    actorId,
    idempotencyKey,
    bodySha256Hex,
    kind,
    tokenId,
    complementId: token.complementId,
    ...terms.value,
    status: 'PENDING',
    notAfter: notAfter as UnixMillis | null,
    turn: (open.at(-1)?.turn ?? 0) + 1,
    intent: null,
    excess: [NO_SHARES, NO_SHARES],
    isNonceUsed: false,
    transactionId: null,
    transactionHash: null,
    createdAt: at,
    updatedAt: at,
    error: null,
  });
}

const NO_SHARES = 0 as MicroShares;
const MICROS_PER_TICK = MICROS_PER_DOLLAR / TICKS_PER_DOLLAR;

type Terms = Pick<WalletAction, 'isOfWallet' | 'shares' | 'amount' | 'payout'>;

function redeemTerms(
  reads: LiveReads,
  wanted: WantedAction,
  token: WalletToken,
  actors: readonly string[],
): Result<Terms, Refused> {
  const { payout: micros, redeemsAnAmount } = token;
  if (micros === null) return fail(refused('invalid', 'tokenId: the venue does not say that its market is resolved'));
  if (micros === 0) return fail(refused('invalid', 'tokenId: a share of it pays nothing'));
  if (micros % MICROS_PER_TICK !== 0)
    return fail(refused('invalid', 'tokenId: its payout is not a multiple of 0.0001 dollars'));
  const payout = (micros / MICROS_PER_TICK) as Ticks;
  if (redeemsAnAmount) {
    const free = freeShares(reads, wanted, wanted.tokenId, reads.openActions(wanted.podId));
    const shares = wanted.shares ?? free;
    if (shares === 0 || shares > free) return fail(tooFewShares(free));
    return ok({ isOfWallet: false, shares, amount: worthOf(shares, payout), payout });
  }
  if (wanted.shares !== null)
    return fail(
      refused('invalid', 'shares: must be left out: at protocol V1 a redeem covers all shares of the wallet'),
    );
  const pair = { ...wanted, complementId: token.complementId };
  const sale = [...actors].some(actorId => isOffered(reads, actorId, wanted.tokenId, token.complementId));
  if (sale)
    return fail(refused('insufficientBalance', 'tokenId: shares of the wallet are in resting sales: cancel them'));
  const isTaken = takenOf(reads.openActions(wanted.podId), wanted.actorId, wanted.tokenId) > 0;
  const [shares, others] = heldShares(reads, actors, pair);
  if (isTaken || shares <= 0) return fail(tooFewShares(NO_SHARES));
  const amount = worthOf(shares, payout) + worthOf(Math.max(0, others), (TICKS_PER_DOLLAR - payout) as Ticks);
  return ok({ isOfWallet: true, shares, amount: amount as MicroDollars, payout });
}

function mergeTerms(reads: LiveReads, wanted: WantedAction, token: WalletToken): Result<Terms, Refused> {
  if (token.payout !== null) return fail(refused('invalid', 'tokenId: its market is resolved: redeem the shares'));
  const others = reads.openActions(wanted.podId);
  const free = Math.min(...[wanted.tokenId, token.complementId].map(it => freeShares(reads, wanted, it, others)));
  const shares = wanted.shares ?? NO_SHARES;
  if (shares > free) return fail(tooFewShares(free as MicroShares));
  return ok({ isOfWallet: false, shares, amount: shares as number as MicroDollars, payout: null });
}

function splitTerms(
  reads: LiveReads,
  wanted: WantedAction,
  token: WalletToken,
  available: MicroDollars,
): Result<Terms, Refused> {
  const { podId, actorId, limits: own, tokenId } = wanted;
  if (token.payout !== null) return fail(refused('invalid', 'tokenId: its market is resolved'));
  const shares = wanted.shares ?? NO_SHARES;
  const amount = shares as number as MicroDollars;
  if (own.notionalMax !== null && amount > own.notionalMax)
    return fail(
      refused('invalid', `amountUsd: is more than the actor’s notionalMax (${formatMicroDollars(own.notionalMax)})`),
    );
  const open = reads.openActions(podId);
  const most = Math.max(
    ...[tokenId, token.complementId].map(address => {
      const held = reads.position(actorId, 'venue_a', address)?.size ?? 0;
      return held + reads.pending(actorId, 'venue_a', address).growth(1) + madeOf(open, actorId, address);
    }),
  );
  if (own.positionMax !== null && most + shares > own.positionMax)
    return fail(
      refused(
        'invalid',
        `amountUsd: the position could pass the actor’s positionMax (${formatMicroShares(own.positionMax)})`,
      ),
    );
  if (own.positionMax !== null && [tokenId, token.complementId].some(it => isBoughtInDollars(reads, actorId, it)))
    return fail(
      unavailable(
        'a purchase in dollars is under way in the market and may become any size (positionMax): nothing was recorded',
      ),
    );
  // The venue's figure no longer contains cash that the chain has taken.
  const promised = open.reduce((sum, it) => sum + (it.kind === 'SPLIT' && !it.isNonceUsed ? it.amount : 0), 0);
  const free = Math.max(0, available - promised) as MicroDollars;
  if (amount > free)
    return fail(
      refused(
        'insufficientBalance',
        `amountUsd: the account has ${formatMicroDollars(free)} dollars that no order uses`,
      ),
    );
  return ok({ isOfWallet: false, shares, amount, payout: null });
}

function isBoughtInDollars(reads: LiveReads, actorId: string, address: string): boolean {
  for (const { order } of reads.pending(actorId, 'venue_a', address).immediate)
    if ('dollars' in order.request) return true;
  return false;
}

function isOffered(reads: LiveReads, actorId: string, ...addresses: readonly string[]): boolean {
  return addresses.some(address => reads.pending(actorId, 'venue_a', address).growth(-1) > 0);
}

function tooFewShares(free: MicroShares): Refused {
  return refused('insufficientBalance', `shares: ${formatMicroShares(free)} shares are free`);
}

/** Replies once it is known whether the relayer has the action, or that the action waits for others. */
export async function actionReply(
  { ledger, timers, queue }: Pick<WalletRequestParts, 'ledger' | 'timers' | 'queue'>,
  actionId: OrderId,
  isRepeated: boolean,
): Promise<OperationReply> {
  const { store, waiters } = ledger;
  const look = (isLast = false): OperationReply | null => {
    const action = store.action(actionId)!;
    const { status, transactionId, error } = action;
    if (status === 'FAILED' && transactionId === null && error?.code === 'VENUE_REJECTED')
      return refusedReply(refused('invalid', error.message ?? 'the relayer refused the action', error.code));
    if (status === 'SUBMITTED' && transactionId === null && !isLast && !queue.isWaiting(action)) return null;
    const doubt = queue.doubtOf(action);
    if (doubt !== null) return refusedReply(unknownOutcome('unknownOutcome', actionId, doubt));
    if (status === 'PENDING' && !isLast && !queue.isWaiting(action)) return null;
    return replyOf(201, actionView(action));
  };
  const waitMs = limits.venueAnswerTimeoutMs;
  const reply = (await firstResult(waiters, actionId, { timers, waitMs }, look)) ?? look(true)!;
  return isRepeated ? replayedReply(reply) : reply;
}
