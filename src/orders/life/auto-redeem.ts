// Redeems winning tokens of one account without a request (beyond §9), where the operator has set bounds. The ledger says who holds which
// tokens, and the venue's own report of the result decides. At most one action is made in a minute, and none while another action of the
// wallet is open. Engine thread.

import { hash } from 'node:crypto';
import { NO_LIMITS } from '../../core/domain/identity.ts';
import { MICROS_PER_DOLLAR, type MicroDollars, type MicroShares } from '../../core/domain/numbers.ts';
import type { OrderId } from '../../core/domain/order.ts';
import { assert } from '../../core/domain/result.ts';
import {
  automaticKey,
  isAutomatic,
  isOver,
  type RedeemBounds,
  type WalletAction,
} from '../../core/domain/wallet-action.ts';
import type { Background } from '../../core/runtime/background.ts';
import { type Timers, within } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { VenueWallet, WalletToken } from '../../venues/wallet-port.ts';
import { unattributedOf } from './bookings.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import type { OrderIds } from './order-ids.ts';
import { addAmount, type PassedBound } from './redeem-bounds.ts';
import { isPayingMore, lackText, type PairOfShares, uncertaintyOf, unsettledOf } from './wallet-bookings.ts';
import { walletLimits } from './wallet-limits.ts';
import type { WalletQueue } from './wallet-queue.ts';
import { newAction, type WantedAction } from './wallet-requests.ts';

/** Hears the outcome of each redeem without a request. An action that would pass a bound is reported, but not recorded. */
export type HearRedeem = (result: 'made' | 'confirmed' | 'failed' | PassedBound, action: WalletAction) => void;

export interface AutoRedeemParts {
  readonly podId: string;
  readonly wallet: VenueWallet;
  readonly bounds: RedeemBounds;
  readonly queue: WalletQueue;
  readonly ledger: Ledger;
  readonly timers: Timers;
  readonly background: Background;
  readonly orderIds: Pick<OrderIds, 'actionIdFor'>;
  readonly actorsOf: (podId: string) => readonly string[];
  /** Whether the gateway knows every order that may have been open at the start. */
  readonly isTradable: () => boolean;
  readonly stopProblem: (action: WalletAction) => string | null;
  readonly redeemed: HearRedeem;
}

/** A token that pays something, by the venue's own report of the result. */
type Winner = WalletToken & { readonly payout: MicroDollars };

export class AutoRedeem {
  readonly #parts: AutoRedeemParts;
  /** The actions that were not over at the last look. */
  readonly #open = new Set<OrderId>();
  /** The bounds that were already reported, by the action that would pass them. */
  readonly #reportedBounds = new Map<OrderId, PassedBound>();
  /** The number of tokens asked about so far. It rotates the list, so that each token gets its turn. */
  #checkedCount = 0;
  #isBusy = false;
  /** The time of the next look, by `elapsed()`. */
  #nextLookAt = 0;

  constructor(parts: AutoRedeemParts) {
    this.#parts = parts;
    const left = parts.ledger.store.openActions(parts.podId);
    for (const action of left) if (isAutomatic(action)) this.#open.add(action.actionId);
  }

  /** Starts a look if none is running and a look is due. To be called often. */
  begin(): void {
    if (!this.#isBusy) this.#parts.background.begin(() => this.#lookOnce());
  }

  async #lookOnce(): Promise<void> {
    const { timers } = this.#parts;
    this.#isBusy = true;
    try {
      this.#reportOver();
      if (timers.elapsed() < this.#nextLookAt || this.#mustWait()) return;
      this.#nextLookAt = timers.elapsed() + walletLimits.autoRedeemPauseMs;
      await this.#look();
    } finally {
      this.#isBusy = false;
    }
  }

  /** Asks about some tokens, and redeems the first that can be redeemed. */
  async #look(): Promise<void> {
    const { wallet } = this.#parts;
    const tokens = this.#nextTokens();
    // Without a nonce the action could not be signed. It would fail and never be made again, so no action is recorded.
    if (tokens.length === 0 || (await this.#answerInTime(wallet.nonce())) === null) return;
    for (const tokenId of tokens) {
      if (this.#mustWait()) return;
      this.#checkedCount += 1;
      const token = await this.#answerInTime(wallet.token(tokenId));
      // A null payout means that the venue does not say that the market is resolved.
      if (token === null || token.payout === null || token.payout === 0) continue;
      const balances = await this.#balancesOf(token);
      if (this.#mustWait()) return;
      if (balances !== null && this.#redeem({ ...token, payout: token.payout }, balances)) return;
    }
  }

  async #balancesOf({ tokenId, complementId }: WalletToken): Promise<PairOfShares | null> {
    const { wallet } = this.#parts;
    const asked = [tokenId, complementId].map(address => this.#answerInTime(wallet.balanceOf(address)));
    const [held = null, other = null] = await Promise.all(asked);
    return held === null || other === null ? null : [held, other];
  }

  /** Returns the venue's answer. Null means that none came in time. */
  async #answerInTime<T>(
    asked: Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false }>,
  ): Promise<T | null> {
    const read = await within(this.#parts.timers, limits.venueAnswerTimeoutMs, asked);
    return read?.ok ? read.value : null;
  }

  #mustWait(): boolean {
    const { ledger, background, isTradable, podId } = this.#parts;
    const { store } = ledger;
    const isRecorded = store.problem === null && store.backlog === null;
    return background.isEnding || !isTradable() || !isRecorded || store.openActions(podId).length > 0;
  }

  /** Returns some of the tokens that are held and wait for redemption, so that all tokens get their turn. */
  #nextTokens(): readonly string[] {
    const { store } = this.#parts.ledger;
    const held = this.#owners().flatMap(owner => Array.from(store.positions(owner, 'venue_a')));
    const waiting = held.filter(({ size, isRedeemable }) => isRedeemable && size > 0);
    const tokens = [...new Set(waiting.map(({ address }) => address))];
    const first = this.#checkedCount % Math.max(1, tokens.length);
    return [...tokens.slice(first), ...tokens.slice(0, first)].slice(0, walletLimits.autoRedeemTokensPerLook);
  }

  /** Redeems the token for its owners. Returns whether an action was recorded. */
  #redeem(token: Winner, balances: PairOfShares): boolean {
    const { podId, ledger, actorsOf } = this.#parts;
    if (uncertaintyOf(unsettledOf(ledger.store, actorsOf(podId), { podId, ...token })).some(it => it > 0)) return false;
    const owners = token.redeemsAnAmount ? this.#owners() : [unattributedOf(podId)];
    return owners.some(owner => this.#redeemFor(owner, token, balances));
  }

  #redeemFor(actorId: string, token: Winner, balances: PairOfShares): boolean {
    const { podId, ledger, orderIds, queue, redeemed } = this.#parts;
    const { tokenId, redeemsAnAmount } = token;
    const idempotencyKey = keyOf(token);
    const actionId = orderIds.actionIdFor({ podId, actorId }, idempotencyKey);
    assert(actionId !== null, 'an account is of a pod that trades');
    const held = ledger.store.position(actorId, 'venue_a', tokenId)?.size ?? 0;
    if (ledger.store.action(actionId) !== null || (redeemsAnAmount && held <= 0)) return false;
    const shares = redeemsAnAmount ? (held as MicroShares) : null;
    const bodySha256Hex = hash('sha256', idempotencyKey, 'hex');
    const wanted = {
      actionId,
      podId,
      actorId,
      idempotencyKey,
      bodySha256Hex,
      kind: 'REDEEM',
      tokenId,
      shares,
    } as const;
    const recorded = ledger.change(entry => this.#record(entry, { ...wanted, ...OF_NOBODY }, token, balances));
    if (recorded === null) return false;
    const { action, passed } = recorded;
    // The same bound is reported only once for each action.
    if (passed !== null && this.#reportedBounds.get(actionId) === passed) return false;
    redeemed(passed ?? 'made', action);
    if (passed !== null) this.#reportedBounds.set(actionId, passed);
    else {
      this.#reportedBounds.delete(actionId);
      this.#open.add(actionId);
      queue.begin();
    }
    return passed === null;
  }

  /** Records the redeem. Returns null if it cannot be made now. `passed` is the bound that keeps it from being recorded. */
  #record(entry: LedgerEntry, wanted: WantedAction, token: Winner, balances: PairOfShares) {
    const { podId, actorsOf, bounds, stopProblem } = this.#parts;
    const { transaction, at } = entry;
    const made = newAction(transaction, wanted, token, { actors: actorsOf(podId), available: null, at });
    if (!made.ok || stopProblem(made.value) !== null) return null;
    // The shares were redeemed elsewhere, or came from elsewhere, and the ledger does not know it yet.
    if (lackText(made.value, balances, null) !== null || isPayingMore(made.value, balances)) return null;
    const passed = addAmount(transaction, made.value, bounds);
    return { passed, action: passed === null ? entry.putAction(made.value) : made.value };
  }

  /** Reports actions that are over, including those of an earlier process. */
  #reportOver(): void {
    const { ledger, redeemed } = this.#parts;
    for (const actionId of this.#open) {
      const action = ledger.store.action(actionId);
      if (action === null || !isOver(action)) continue;
      this.#open.delete(actionId);
      redeemed(action.status === 'CONFIRMED' ? 'confirmed' : 'failed', action);
    }
  }

  #owners(): readonly string[] {
    const { podId, actorsOf } = this.#parts;
    return [...actorsOf(podId), unattributedOf(podId)];
  }
}

const OF_NOBODY = { limits: NO_LIMITS, notAfter: null, names: { idempotencyKey: '', notAfter: '' } } as const;

/** Returns the idempotency key of a redeem. At protocol V1 one redeem covers both tokens of a market, so both tokens have one key. */
function keyOf({ tokenId, complementId, redeemsAnAmount, payout }: Winner): string {
  const isFirst = redeemsAnAmount || tokenId < complementId;
  return isFirst
    ? automaticKey(tokenId, payout)
    : automaticKey(complementId, (MICROS_PER_DOLLAR - payout) as MicroDollars);
}
