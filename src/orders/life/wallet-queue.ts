// Carries out the actions of one wallet, one after the other: record, send, find out the result (beyond §9). Bytes that were sent may have
// been taken, so either the same bytes are sent again, or none. Engine thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { OrderErrorCode, OrderId } from '../../core/domain/order.ts';
import { ok, unreachable } from '../../core/domain/result.ts';
import { concerns, type WalletAction, type WalletIntent } from '../../core/domain/wallet-action.ts';
import { hasCome, whenElapsed } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { VenueWallet } from '../../venues/wallet-port.ts';
import type { AccountParts } from './account-parts.ts';
import { settledValue } from './bookings.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import {
  bookAction,
  excessOf,
  heldShares,
  isPayingMore,
  isProven,
  isSame,
  lackText,
  NO_SLACK,
  type PairOfShares,
  uncertaintyOf,
  unchangedTokens,
  unsettledOf,
} from './wallet-bookings.ts';
import { walletLimits } from './wallet-limits.ts';
import { lowestSigned, WalletNonce } from './wallet-nonce.ts';
import { cashFor, type SigningParts, sendProblem } from './wallet-signing.ts';

interface WalletQueueParts extends SigningParts, Pick<AccountParts, 'background' | 'actorsOf'> {
  readonly wallet: VenueWallet;
}

/** The fields of an action that is not signed. */
const UNSIGNED = { status: 'PENDING', intent: null, excess: NO_SLACK } as const;
const ABSENT = ok({ type: 'absent' } as const);
const UNSEEN = 'its nonce was used, and no balance shows anything of it: another transaction of the wallet was made';
const GONE = 'its transaction failed, and the wallet holds less than that by now';
const CONFIRMED_UNSEEN = 'the relayer confirms it, and no balance shows anything of it: look at the wallet';

/** An action with its intent. */
type Signed = WalletAction & { readonly intent: WalletIntent };

/** The pause before the next look. Null means that the action has moved, so that the next look is due at once. */
type Pause = number | null;

export class WalletQueue {
  readonly #parts: WalletQueueParts;
  readonly #due = new Map<OrderId, { readonly at: number; readonly pauseMs: number }>();
  /** The actions whose bytes the relayer surely does not have, by its answers to each sending of this process. */
  readonly #untaken = new Set<OrderId>();
  /** Why the latest sending of an action got no answer. */
  readonly #unanswered = new Map<OrderId, string>();
  /** The time since which an action could not be signed. */
  readonly #unsignedSince = new Map<OrderId, number>();
  /** The findings of the last look at an action. A finding counts only if found twice, because a trade may not be booked yet. */
  readonly #findings = new Map<OrderId, string>();
  /** The time by `elapsed()` at which an action's deadline passes, in case the clock is set. Only for actions signed by this process. */
  readonly #validUntil = new Map<OrderId, number>();
  /** The relayer's message about the last failed transaction of an action. */
  readonly #words = new Map<OrderId, string>();
  readonly #nonces: WalletNonce;
  #isBusy = false;
  /** The action that a look is at. */
  #current: OrderId | null = null;

  constructor(parts: WalletQueueParts) {
    this.#parts = parts;
    this.#nonces = new WalletNonce(parts);
  }

  /** Starts to carry actions out, if any is due. To be called after an action is recorded, and often. */
  begin(): void {
    if (!this.#isBusy && this.#next() !== null) this.#parts.background.begin(() => this.#runDue());
  }

  /** Whether nothing more happens to the action for now: it waits for its turn, or for the next look. */
  isWaiting({ actionId }: Pick<WalletAction, 'actionId'>): boolean {
    if (this.#current === actionId) return false;
    return this.#due.has(actionId) || !this.#candidates().some(it => it.actionId === actionId);
  }

  /** Returns why it is not known whether the relayer has the action. Null means that nothing is unclear. */
  doubtOf({ actionId, status, transactionId }: WalletAction): string | null {
    if (status !== 'SUBMITTED' || transactionId !== null || this.#untaken.has(actionId)) return null;
    return this.#unanswered.get(actionId) ?? 'the relayer may have it';
  }

  async #runDue(): Promise<void> {
    this.#isBusy = true;
    try {
      for (let action = this.#next(); action !== null && !this.#isEnding; action = this.#next())
        await this.#look(action);
    } finally {
      this.#isBusy = false;
    }
  }

  async #look(action: WalletAction): Promise<void> {
    const { ledger, timers } = this.#parts;
    const { actionId } = action;
    const before = this.#due.get(actionId)?.pauseMs;
    const grownMs = before === undefined ? walletLimits.walletLookPauseMs : before * 2;
    const pauseMs = Math.min(grownMs, walletLimits.walletLookPauseMsMax);
    // The wait is also set if the store takes no record, so that the next look does not come at once.
    const wait = (ms: number): void => void this.#due.set(actionId, { at: timers.now() + ms, pauseMs });
    wait(pauseMs);
    this.#current = actionId;
    let next: Pause = pauseMs;
    try {
      next = await this.#advance(action, pauseMs);
    } finally {
      this.#current = null;
    }
    if (next === null) this.#due.delete(actionId);
    else wait(next);
    ledger.waiters.wake([actionId]);
  }

  #advance(action: WalletAction, pauseMs: number): Promise<Pause> {
    const { intent } = action;
    if (intent === null) return this.#sign(action, pauseMs);
    const signed = { ...action, intent };
    return action.isNonceUsed ? this.#prove(signed, pauseMs) : this.#follow(signed, pauseMs);
  }

  /** Returns the next action to look at. Null means that none is due. */
  #next(): WalletAction | null {
    const now = this.#parts.timers.now();
    return (
      this.#candidates().find(({ actionId }) => {
        const due = this.#due.get(actionId);
        return due === undefined || hasCome(due.at, now, walletLimits.walletLookPauseMsMax);
      }) ?? null
    );
  }

  /**
   * Returns the actions to look at. An action with a used nonce can have no further effect. It waits for a proof, and holds back only
   * actions with the same shares. Besides, one action is at the relayer: the signed action, or the first that may be signed.
   */
  #candidates(): readonly WalletAction[] {
    const open = this.#parts.ledger.store.openActions(this.#parts.account.podId);
    const used = open.filter(it => it.isNonceUsed);
    const unused = open.filter(it => !it.isNonceUsed);
    const next = lowestSigned(unused) ?? unused.find(it => !used.some(other => concerns(other, it.tokenId)));
    return next === undefined ? used : [...used, next];
  }

  async #sign(action: WalletAction, pauseMs: number): Promise<Pause> {
    const { wallet, ledger, timers } = this.#parts;
    const { actionId, kind, tokenId, shares } = action;
    const obstacle = sendProblem(this.#parts, action);
    if (obstacle !== null) return this.#fail(action, 'NOT_FEASIBLE', `${obstacle}: nothing was sent`);
    const held = this.#held(action);
    const unsettled = unsettledOf(ledger.store, this.#owners(), action);
    const [nonce, balances, cash] = await Promise.all([
      wallet.nonce(),
      this.#balances(action),
      cashFor(this.#parts, action),
    ]);
    if (!nonce.ok) return this.#noteUnsigned(action, nonce.error, pauseMs);
    if (typeof balances === 'string') return this.#noteUnsigned(action, balances, pauseMs);
    if (!cash.ok) return this.#noteUnsigned(action, cash.error, pauseMs);
    if (nonce.value < this.#nonces.min) return this.#noteUnsigned(action, 'the relayer shows a used nonce', pauseMs);
    const excess = excessOf(balances, held, unsettled);
    // A redeem of the whole wallet burns what the chain has by then. A proof could not tell strange shares from those of such a trade.
    if ((action.isOfWallet || !isSame(excess, NO_SLACK)) && uncertaintyOf(unsettled).some(it => it > 0))
      return this.#noteUnsigned(action, 'trades of its shares are not settled', pauseMs);
    const missing = lackText(action, balances, cash.value);
    if (missing !== null) return this.#fail(action, 'NOT_FEASIBLE', `${missing}: nothing was sent`);
    if (isPayingMore(action, balances) || (!isSame(excess, NO_SLACK) && !this.#isFoundTwice(action, String(excess))))
      return this.#noteUnsigned(action, 'the ledger and the wallet differ', walletLimits.walletLookPauseMs);
    const intent = await wallet.prepare({ kind, tokenId, shares }, nonce.value, timers.now());
    if (!intent.ok) return this.#noteUnsigned(action, intent.error, pauseMs);
    const signed = ledger.change(entry => {
      // If a trade was booked meanwhile, the balances and the ledger are of different times.
      const isLater = !isSame(held, heldShares(entry.transaction, this.#owners(), action));
      if (isLater || sendProblem(this.#parts, action) !== null || this.#isEnding) return null;
      const kept = action.isOfWallet ? balances : excess;
      return this.#put(entry, action, { status: 'SUBMITTED', intent: intent.value, excess: kept });
    });
    if (signed === null)
      return this.#noteUnsigned(action, 'the ledger changes all the time', walletLimits.walletLookPauseMs);
    this.#unsignedSince.delete(actionId);
    this.#untaken.add(actionId);
    this.#validUntil.set(actionId, whenElapsed(timers, intent.value.deadline ?? 0));
    return this.#send({ ...signed, intent: intent.value }, pauseMs);
  }

  /** Handles an action that could not be signed. Nothing was sent, and it may be signed later. */
  #noteUnsigned(action: WalletAction, why: string, pauseMs: number): Pause {
    const now = this.#parts.timers.now();
    const since = this.#unsignedSince.get(action.actionId) ?? now;
    this.#unsignedSince.set(action.actionId, since);
    if (now - since < walletLimits.walletUnsignedMs) return pauseMs;
    return this.#fail(action, 'UNKNOWN', `${why}: nothing was sent`);
  }

  async #send(action: Signed, pauseMs: number): Promise<Pause> {
    const { wallet, ledger, timers, stopProblem } = this.#parts;
    const { actionId, intent } = action;
    if (this.#isEnding) return pauseMs;
    const stop = stopProblem(action);
    // A transaction that the relayer may have is followed. A transaction that it surely does not have is given up.
    if (stop !== null && !this.#untaken.has(actionId)) return pauseMs;
    if (stop !== null) return this.#fail(action, 'NOT_FEASIBLE', `${stop}: nothing was sent`);
    // If the record were lost, another nonce might be signed, and the venue could not tell the two actions apart.
    if (!(await ledger.isOnDisk(timers))) {
      if (this.#untaken.delete(actionId)) this.#change(action, UNSIGNED);
      return pauseMs;
    }
    // A stop, or the end of the process, may have come while this waited for the disk. The next look acts on it.
    if (this.#isEnding || stopProblem(action) !== null) return pauseMs;
    const deadline = (timers.now() + limits.venueAnswerTimeoutMs) as UnixMillis;
    const outcome = await wallet.submit(intent, deadline);
    switch (outcome.type) {
      case 'accepted': {
        const { transactionId, transactionHash } = outcome;
        this.#untaken.delete(actionId);
        this.#unanswered.delete(actionId);
        this.#change(action, { transactionId, transactionHash: transactionHash ?? action.transactionHash });
        // After a failed transaction, the pauses grow.
        return action.transactionId === null ? walletLimits.walletLookPauseMs : pauseMs;
      }
      case 'refused':
        return this.#untaken.has(actionId) ? this.#fail(action, 'VENUE_REJECTED', outcome.message) : pauseMs;
      case 'not-now':
        return Math.max(outcome.retryAfterS * 1_000, walletLimits.walletLookPauseMs);
      case 'nonce-used':
        // The relayer has none of the bytes, and will take none. So nothing was done, and another nonce may be signed.
        if (!this.#untaken.delete(actionId)) return this.#noteUsed(action, outcome.onChain);
        ledger.change(entry => {
          this.#nonces.note(entry, outcome.onChain);
          this.#put(entry, action, UNSIGNED);
        });
        return pauseMs;
      case 'unknown':
        this.#untaken.delete(actionId);
        this.#unanswered.set(actionId, outcome.message);
        return walletLimits.walletLookPauseMs;
      default:
        return unreachable(outcome);
    }
  }

  /** Finds out what became of bytes that may have been sent. While their nonce is unused, they may be sent again. */
  async #follow(action: Signed, pauseMs: number): Promise<Pause> {
    const { wallet } = this.#parts;
    const { intent, transactionId } = action;
    const lateMs = this.#lateMs(action);
    const nonce = await wallet.nonce();
    if (!nonce.ok) return pauseMs;
    if (nonce.value > intent.nonce) return this.#noteUsed(action, nonce.value);
    // The chain may never reach the nonce, because it took an earlier transaction back. Then only the deadline ends the action.
    if (nonce.value < intent.nonce && lateMs <= walletLimits.walletDeadlineMarginMs) return pauseMs;
    const state = transactionId === null ? null : await wallet.transaction(transactionId);
    if (state !== null && !state.ok) return pauseMs;
    const { type, transactionHash = null } = { transactionHash: null, ...(state?.value ?? { type: 'absent' }) };
    if (transactionHash !== null && transactionHash !== action.transactionHash)
      this.#change(action, { transactionHash });
    if (state?.value.type === 'failed') this.#words.set(action.actionId, state.value.message);
    // The transaction is confirmed, so the nonce that the relayer shows is behind.
    if (type === 'confirmed') return pauseMs;
    // Bytes without a deadline would fail forever, because the shares were redeemed or sold elsewhere.
    if (type === 'failed' && intent.deadline === null && (await this.#isGone(action)))
      return this.#fail(action, 'NOT_FEASIBLE', GONE);
    if (lateMs >= 0 && this.#untaken.delete(action.actionId)) {
      // The relayer never had the bytes, and after their deadline they are worthless.
      this.#change(action, UNSIGNED);
      return pauseMs;
    }
    if (lateMs > walletLimits.walletDeadlineMarginMs) return this.#expire(action, lateMs, pauseMs);
    // After the deadline, only the nonce shows whether the action was executed.
    return type === 'under-way' || lateMs >= 0 ? pauseMs : this.#send(action, pauseMs);
  }

  async #isGone(action: Signed): Promise<boolean> {
    const balances = await this.#balances(action);
    return (
      typeof balances !== 'string' && lackText(action, balances, null) !== null && this.#isFoundTwice(action, GONE)
    );
  }

  /** The time since the deadline: the lesser of the clock's and the elapsed time. Negative before the deadline, or without a deadline. */
  #lateMs({ actionId, intent: { deadline } }: Signed): number {
    const { timers } = this.#parts;
    if (deadline === null) return -1;
    const validUntil = this.#validUntil.get(actionId);
    const byClock = timers.now() - deadline;
    return validUntil === undefined ? byClock : Math.min(byClock, timers.elapsed() - validUntil);
  }

  get #isEnding(): boolean {
    return this.#parts.background.isEnding;
  }

  /** Gives up an action whose nonce is unused after its deadline. Waits if balances show its effect, since the nonce may lag. */
  async #expire(action: Signed, lateMs: number, pauseMs: number): Promise<Pause> {
    const held = this.#held(action);
    const balances = await this.#balances(action);
    if (typeof balances === 'string') return pauseMs;
    const seemsDone = unchangedTokens(action, balances, held, NO_SLACK).length === 0;
    if (seemsDone && lateMs < walletLimits.walletNonceLagMs) return pauseMs;
    const words = this.#words.get(action.actionId);
    const why = words === undefined ? '' : ` (${words})`;
    return this.#fail(action, 'UNKNOWN', `the relayer did not execute it by its deadline, and no longer can${why}`);
  }

  /** Decides about an action whose nonce is used: by the action, as the wallet's balances prove, or by another transaction. */
  async #prove(action: Signed, pauseMs: number): Promise<Pause> {
    const { ledger, account, wallet, timers } = this.#parts;
    const { transactionId, transactionHash, intent } = action;
    const nonce = await wallet.nonce();
    if (!nonce.ok) return pauseMs;
    if (nonce.value <= intent.nonce) {
      // The chain has taken the transaction back, or the relayer shows a nonce that is behind.
      this.#change(action, { isNonceUsed: false });
      return pauseMs;
    }
    const held = this.#held(action);
    const balances = await this.#balances(action);
    const state = transactionId === null ? ABSENT : await wallet.transaction(transactionId);
    if (typeof balances === 'string' || !state.ok) return pauseMs;
    const isConfirmed = state.value.type === 'confirmed';
    const unsettled = uncertaintyOf(unsettledOf(ledger.store, this.#owners(), action));
    const isLong = timers.now() - action.updatedAt > walletLimits.walletNonceLagMs;
    const isComparable = settledValue(ledger.store, account, action.tokenId) === null;
    if (!isProven(action, { balances, held, unsettled, isConfirmed, isLong, isComparable })) {
      if (!isLong || unsettled.some(it => it > 0)) return pauseMs;
      const words = isConfirmed ? CONFIRMED_UNSEEN : (this.#words.get(action.actionId) ?? UNSEEN);
      return this.#fail(action, 'UNKNOWN', words);
    }
    const found = 'transactionHash' in state.value ? state.value.transactionHash : null;
    const isDone = ledger.change(entry => {
      const { transaction, at } = entry;
      const owners = this.#owners();
      if (!isSame(held, heldShares(transaction, owners, action))) return false;
      const amount = bookAction(transaction, account, owners, action, at);
      this.#put(entry, action, { status: 'CONFIRMED', amount, transactionHash: transactionHash ?? found });
      return true;
    });
    if (!isDone) return pauseMs;
    this.#forget(action);
    return null;
  }

  /** Notes that the chain's nonce is beyond the nonce of the action. */
  #noteUsed(action: WalletAction, onChain: bigint): null {
    this.#parts.ledger.change(entry => {
      this.#nonces.note(entry, onChain);
      this.#put(entry, action, { isNonceUsed: true });
    });
    return null;
  }

  #isFoundTwice({ actionId }: WalletAction, what: string): boolean {
    const before = this.#findings.get(actionId);
    this.#findings.set(actionId, what);
    return before === what;
  }

  #fail(action: WalletAction, code: OrderErrorCode, message: string): null {
    this.#change(action, { status: 'FAILED', error: { code, message } });
    this.#forget(action);
    return null;
  }

  #forget({ actionId }: WalletAction): void {
    const known = [this.#untaken, this.#unanswered, this.#unsignedSince, this.#findings, this.#words, this.#validUntil];
    for (const it of known) it.delete(actionId);
  }

  #change(action: WalletAction, changes: Partial<WalletAction>): void {
    this.#parts.ledger.change(entry => this.#put(entry, action, changes));
  }

  /** Changes a recorded action. Only this queue does so. */
  #put(entry: LedgerEntry, action: WalletAction, changes: Partial<WalletAction>): WalletAction {
    return entry.putAction({ ...action, ...changes, updatedAt: entry.at });
  }

  /** Reads fresh balances. Returns a text if they cannot be read. */
  async #balances({ tokenId, complementId }: WalletAction): Promise<PairOfShares | string> {
    const { wallet } = this.#parts;
    const [token, complement] = await Promise.all([wallet.balanceOf(tokenId), wallet.balanceOf(complementId)]);
    if (!token.ok) return token.error;
    return complement.ok ? [token.value, complement.value] : complement.error;
  }

  #held(action: WalletAction): PairOfShares {
    return heldShares(this.#parts.ledger.store, this.#owners(), action);
  }

  #owners(): readonly string[] {
    return this.#parts.actorsOf(this.#parts.account.podId);
  }
}
