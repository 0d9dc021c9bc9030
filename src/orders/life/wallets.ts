// The wallets of all accounts of venue A: the requests of callers, and the actions in progress (beyond §9). Engine thread.

import { noAccount, unavailable, unknownOutcome } from '../../core/domain/answer.ts';
import type { GetActionOperation, OperationReply, WalletOperation } from '../../core/domain/operation.ts';
import type { OrderError } from '../../core/domain/order.ts';
import { assert } from '../../core/domain/result.ts';
import { isAutomatic, type WalletAction } from '../../core/domain/wallet-action.ts';
import { Background } from '../../core/runtime/background.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { Account } from '../../core/store/order-records.ts';
import { readOrderId } from '../../core/wire/order-requests.ts';
import { actionView } from '../../core/wire/order-views.ts';
import { readActionShares } from '../../core/wire/protection-requests.ts';
import { errorReply, refusedReply, replyOf } from '../../core/wire/replies.ts';
import { limits } from '../../limits.ts';
import type { TradedAccount } from '../../venues/pod-trading.ts';
import type { VenueTrading } from '../../venues/venue.ts';
import { AutoRedeem, type HearRedeem } from './auto-redeem.ts';
import { haltRefusal } from './halts.ts';
import type { Ledger } from './ledger.ts';
import type { OrderIds } from './order-ids.ts';
import { walletLimits } from './wallet-limits.ts';
import { WalletQueue } from './wallet-queue.ts';
import { actionReply, earlierAction, recordAction } from './wallet-requests.ts';

interface WalletsParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  readonly accounts: readonly TradedAccount[];
  readonly orderIds: Pick<OrderIds, 'actionIdFor'>;
  readonly actorsOf: (podId: string) => readonly string[];
  readonly stopProblem: (owner: { readonly podId: string; readonly actorId: string }) => string | null;
  /** Whether the gateway knows every order that may have been open in the account at the start. */
  readonly isTradable: (account: Account) => boolean;
  readonly redeemed: HearRedeem;
  readonly storeFailed: (error: unknown) => void;
}

interface PodWallet {
  readonly trading: VenueTrading;
  /** The queue of actions. Null means that the account has no wallet. */
  readonly queue: WalletQueue | null;
  /** Redeems winners without a request. Null means that winners are redeemed on request only. */
  readonly auto: AutoRedeem | null;
}

export class Wallets {
  readonly #parts: WalletsParts;
  readonly #background: Background;
  readonly #wallets: ReadonlyMap<string, PodWallet>;
  #cancelTimer: () => void = () => {};

  constructor(parts: WalletsParts) {
    this.#parts = parts;
    this.#background = new Background(parts.storeFailed);
    const ofA = parts.accounts.filter(({ venue }) => venue === 'venue_a');
    this.#wallets = new Map(ofA.map(({ podId, trading }) => [podId, { trading, ...this.#partsOf(podId, trading) }]));
  }

  /** Starts to look. Goes on with the actions that an earlier process has left, except for those that have waited too long. */
  start(): void {
    this.#background.begin(async () => this.#giveUpOld());
    this.#resumeActions();
  }

  /** Resolves when no request to a relayer is in flight. */
  async stop(): Promise<void> {
    this.#cancelTimer();
    await this.#background.end();
  }

  /** Starts all work that is due. */
  sweep(): void {
    for (const { queue, auto } of this.#wallets.values()) {
      queue?.begin();
      auto?.begin();
    }
  }

  async perform(operation: WalletOperation): Promise<OperationReply> {
    const { ledger, timers, orderIds, actorsOf, stopProblem } = this.#parts;
    const { caller, body, kind, bodySha256Hex, names, idempotencyKey, isTradable } = operation;
    const { podId, actorId } = caller;
    const actionId = orderIds.actionIdFor(caller, idempotencyKey);
    assert(actionId !== null, 'an operation is of a pod that trades');
    const found = this.#wallets.get(podId);
    const shares = body.ok ? readActionShares(kind, body.value) : body;
    const earlier = earlierAction(ledger.store, { actionId, bodySha256Hex, names });
    if (earlier?.ok === false) return refusedReply(earlier.error);
    if (!shares.ok) return errorReply('invalid', shares.error);
    if (found === undefined) return refusedReply(noAccount(podId, 'venue_a'));
    const { trading, queue } = found;
    if (queue === null) return errorReply('invalid', 'tokenId: the account has no wallet');
    const parts = { ledger, timers, trading, queue, actors: actorsOf(podId) };
    if (earlier !== null) return actionReply(parts, actionId, true);
    const stop = stopProblem(caller);
    if (stop !== null) return refusedReply(haltRefusal({ message: stop, retryAfterS: STOP_RETRY_AFTER_S }));
    const why = ledger.store.backlog ?? (isTradable ? null : NOT_TRADABLE);
    if (why !== null) return refusedReply(unavailable(why));
    const { tokenId, limits, notAfter } = operation;
    const wanted = { actionId, podId, actorId, idempotencyKey, bodySha256Hex, kind, tokenId, limits, notAfter, names };
    try {
      const recorded = await recordAction(parts, { ...wanted, shares: shares.value });
      return recorded.ok ? await actionReply(parts, actionId, false) : refusedReply(recorded.error);
    } catch (error) {
      this.#parts.storeFailed(error);
      const isRecorded = ledger.store.action(actionId) !== null;
      const words = 'a fault of the gateway: the action may have been sent';
      if (isRecorded) return refusedReply(unknownOutcome('unknownOutcome', actionId, words));
      return refusedReply(unavailable('the action could not be recorded: nothing was sent'));
    }
  }

  /** Answers with one of the caller's own actions. */
  read({ caller, actionId: text }: GetActionOperation): OperationReply {
    const actionId = readOrderId(text);
    const action = actionId === null ? null : this.#parts.ledger.store.action(actionId);
    const isOwn = action?.podId === caller.podId && action.actorId === caller.actorId;
    return isOwn ? replyOf(200, actionView(action)) : errorReply('notFound', 'actionId: no such action');
  }

  #resumeActions(): void {
    this.sweep();
    this.#cancelTimer = this.#parts.timers.after(limits.sweepMs, () => this.#resumeActions());
  }

  /** Gives up old actions at the start, because a restored data directory does not show what was sent after its backup. */
  #giveUpOld(): void {
    const { ledger, timers } = this.#parts;
    const since = timers.now() - walletLimits.walletPendingMsMax;
    const isOld = ({ status, createdAt }: WalletAction): boolean => status === 'PENDING' && createdAt < since;
    const old = [...this.#wallets.keys()].flatMap(podId => ledger.store.openActions(podId).filter(isOld));
    if (old.length === 0) return;
    ledger.change(entry => {
      for (const action of old) entry.putAction({ ...action, status: 'FAILED', updatedAt: entry.at, error: TOO_OLD });
    });
  }

  #partsOf(podId: string, trading: VenueTrading): Pick<PodWallet, 'queue' | 'auto'> {
    const { wallet } = trading;
    if (wallet === undefined) return { queue: null, auto: null };
    const account = { podId, venue: 'venue_a' } as const;
    const stopProblem = (action: WalletAction): string | null => this.#stopProblem(action);
    const parts = { ...this.#parts, account, trading, wallet, background: this.#background, stopProblem };
    const queue = new WalletQueue(parts);
    const { autoRedeem: bounds, problem } = wallet;
    if (bounds === null || problem !== null) return { queue, auto: null };
    const isTradable = (): boolean => this.#parts.isTradable(account);
    return { queue, auto: new AutoRedeem({ ...parts, podId, queue, bounds, isTradable }) };
  }

  /**
   * Returns why an operator's stop forbids the action. An automatic redeem of the whole wallet concerns all actors that hold its shares.
   */
  #stopProblem(action: WalletAction): string | null {
    const { ledger, actorsOf, stopProblem } = this.#parts;
    const { podId, actorId, tokenId, complementId, isOfWallet } = action;
    const holds = (owner: string): boolean =>
      [tokenId, complementId].some(address => (ledger.store.position(owner, 'venue_a', address)?.size ?? 0) !== 0);
    const holders = isOfWallet && isAutomatic(action) ? actorsOf(podId).filter(holds) : [];
    const problems = [actorId, ...holders].map(owner => stopProblem({ podId, actorId: owner }));
    return problems.find(problem => problem !== null) ?? null;
  }
}

const TOO_OLD: OrderError = {
  code: 'NOT_FEASIBLE',
  message:
    'it was waiting for long when the gateway was started (walletPendingMsMax), which then has sent nothing of it',
};
const STOP_RETRY_AFTER_S = 10;
const NOT_TRADABLE = 'venue_a: not every order has been looked up there since the start: nothing was sent';
