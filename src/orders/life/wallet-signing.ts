// Checks an action of a wallet again before it is signed, because it may have waited for long. Engine thread.

import type { MicroDollars } from '../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { WalletAction } from '../../core/domain/wallet-action.ts';
import type { AccountParts } from './account-parts.ts';
import { freeCash, freeShares } from './wallet-bookings.ts';

export interface SigningParts extends Pick<AccountParts, 'account' | 'trading' | 'ledger' | 'timers'> {
  /** Returns why a stop of an operator forbids the action. Null means that no stop forbids it. */
  readonly stopProblem: (action: WalletAction) => string | null;
}

/** Returns why the action may not be sent any more. Null means that it may be sent. */
export function sendProblem(
  { ledger, account, timers, stopProblem }: SigningParts,
  action: WalletAction,
): string | null {
  const stop = stopProblem(action);
  if (stop !== null) return stop;
  const { notAfter, kind, isOfWallet, tokenId, complementId, shares, actionId } = action;
  if (notAfter !== null && timers.now() > notAfter) return 'the time that its caller has set has passed';
  if (kind === 'SPLIT' || isOfWallet) return null;
  const others = ledger.store.openActions(account.podId).filter(it => it.actionId !== actionId);
  const needed = kind === 'MERGE' ? [tokenId, complementId] : [tokenId];
  const isFree = needed.every(address => freeShares(ledger.store, action, address, others) >= shares);
  return isFree ? null : 'the actor holds less than that by now';
}

/** Returns the cash that no order uses, for a split. Null means that the action needs no cash. */
export async function cashFor(
  { trading, ledger }: SigningParts,
  action: WalletAction,
): Promise<Result<MicroDollars | null, string>> {
  if (action.kind !== 'SPLIT') return ok(null);
  const balance = await trading.balance();
  if (!balance.ok) return fail(balance.error.message);
  return ok(freeCash(ledger.store, action, balance.value));
}
